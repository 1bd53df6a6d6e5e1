-- What each detector finds of the states that the reference search proves dead, and the time from the level to the verdict.
-- Beyond simple: dead states that dead squares, freeze and matching all miss.
WITH truth AS MATERIALIZED (SELECT instance, outcome = 'unsolvable' AS dead FROM result WHERE system = 'reference' AND decided),
simple AS MATERIALIZED (SELECT instance, decided AS simply FROM result WHERE system = 'simple rules')
SELECT system AS detector, sum(decided AND dead) AS found, printf('%.1f %%', 100.0 * sum(decided AND dead) / sum(dead)) AS recall,
  sum(decided AND dead AND NOT simply) AS "beyond simple", sum(outcome LIKE 'wrong%') AS false,
  printf('%.3f', 1000 * avg(total_seconds)) AS ms
FROM result LEFT JOIN truth USING (instance) LEFT JOIN simple USING (instance)
WHERE kind = 'deadlock' GROUP BY system ORDER BY place(system);

WITH truth AS MATERIALIZED (SELECT instance, outcome = 'unsolvable' AS dead FROM result WHERE system = 'reference' AND decided)
SELECT printf('%d states, %d dead, %d alive.', count(*), sum(dead), sum(NOT dead)) AS sentence FROM truth;
