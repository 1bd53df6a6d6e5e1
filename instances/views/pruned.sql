-- One search with and without deadlock detectors: states kept and CPU seconds, in all and beside those with dead squares alone.
WITH sums AS (SELECT system, sum(decided) || '/' || count(*) AS proved, sum(value) AS pushes,
    sum(json_extract(counters, '$.states')) AS states, sum(total_seconds) AS s FROM result GROUP BY system)
SELECT system AS detectors, proved, pushes, printf('%,d', states) AS states,
  printf('%.2f', states / (SELECT states FROM sums WHERE system = 'dead squares')) AS "ratio",
  printf('%.2f', s) AS "CPU s", printf('%.2f', s / (SELECT s FROM sums WHERE system = 'dead squares')) AS "time ratio"
FROM sums ORDER BY place(system);
