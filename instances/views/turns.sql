-- A schedule of programs, objective by objective: what is proved, how soon, by what, and what stays open. CPU seconds of a run.
SELECT system, objective, count(*) AS levels, sum(decided) AS proved,
  sum(decided AND cpu < 1) AS "in 1 s", sum(decided AND cpu < 5) AS "5 s", sum(decided AND cpu < 20) AS "20 s",
  max(CASE WHEN decided THEN value END) AS longest, printf('%.1f', total(CASE WHEN decided THEN cpu END)) AS "s of the proved",
  total(CASE WHEN decided THEN conflicts END) AS "their conflicts", sum(outcome LIKE 'wrong%') AS wrong
FROM result GROUP BY system, objective ORDER BY place(system), objective;

SELECT system, objective, encoding AS "decided by", count(*) AS levels FROM result WHERE decided
GROUP BY system, objective, encoding ORDER BY place(system), objective, levels DESC;

SELECT printf('Open for %s in %s (the bound reached): %s.', system, objective,
  group_concat(printf('%s (%d)', name, coalesce(lower_bound, 0)), ', ')) AS sentence
FROM (SELECT * FROM result WHERE NOT decided ORDER BY file, level) GROUP BY system, objective ORDER BY place(system), objective;
