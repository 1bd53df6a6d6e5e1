-- Our programs beside clingo's two test encodings (the better of the two, level by level). CPU seconds; a run without a proof
-- counts with its limit.
WITH spent AS (
  SELECT *, CASE WHEN decided THEN cpu ELSE max(cpu, limit_seconds) END AS s FROM result),
theirs AS (SELECT instance, min(s) AS s FROM spent WHERE system LIKE 'clingo%' GROUP BY instance)
SELECT system, sum(decided) || '/' || count(*) AS proved, printf('%.2f', sum(spent.s)) AS s,
  printf('%.1f', (SELECT sum(s) FROM spent WHERE system = 'clingo forward') / sum(spent.s)) AS "clingo forward takes, ×",
  printf('%.1f', (SELECT sum(s) FROM spent WHERE system = 'clingo backward') / sum(spent.s)) AS "backward, ×",
  printf('%.1f', sum(theirs.s) / sum(spent.s)) AS "the better of them, ×", sum(outcome LIKE 'wrong%') AS wrong
FROM spent JOIN theirs USING (instance) GROUP BY system ORDER BY place(system);

SELECT name AS level, value AS optimum, system AS across,
  CASE WHEN decided THEN printf('%.2f', cpu) ELSE printf('(%.0f)', cpu) END AS cell
FROM result ORDER BY file, level, place(system);
