-- Certificates made and checked at once: what shows the value, what it takes, and the hash of the folder's claim.json.
SELECT name, value, message AS "shown by", printf('%.1f', json_extract(counters, '$.kilobytes')) AS "folder, kB",
  printf('%.2f', json_extract(counters, '$.made')) AS "made, CPU s",
  printf('%.2f', json_extract(counters, '$.checked')) AS "checked, CPU s"
FROM result WHERE decided ORDER BY place(system), objective, file, level;

SELECT 'Not made: ' || group_concat(name || ' (' || outcome || ')', ', ') || '.' AS sentence
FROM (SELECT * FROM result WHERE NOT decided ORDER BY objective, file, level);

SELECT printf('%s, %s: %d of %d made and accepted; made in %.0f, checked in %.0f CPU s.', system, objective, sum(decided), count(*),
  total(json_extract(counters, '$.made')), total(json_extract(counters, '$.checked'))) AS sentence
FROM result GROUP BY system, objective ORDER BY place(system), objective;
