-- A native engine level by level: bound, plan and what closed it, in the seconds of the engine itself.
SELECT name, substr(instance, 1, 12) AS instance, came AS known, json_extract(counters, '$.start') AS start, value, lower_bound AS bound, outcome AS status,
  printf('%.2f', total_seconds) AS seconds, json_extract(counters, '$.expanded') AS expanded,
  json_extract(counters, '$.states') AS states,
  (SELECT max(value) FROM json_each(counters) WHERE key LIKE '%group_size') AS group_size,
  (SELECT max(value) FROM json_each(counters) WHERE key LIKE '%lessons') AS learned,
  message AS proof
FROM result ORDER BY place(system), objective, file, level;

SELECT printf('%s, %s: %d of %d settled, %d of them within 1 s; %.0f s in all; %d wrong.', system, objective, sum(decided), count(*),
  sum(decided AND total_seconds < 1), sum(total_seconds), sum(outcome LIKE 'wrong%')) AS sentence
FROM result GROUP BY system, objective ORDER BY place(system), objective;
