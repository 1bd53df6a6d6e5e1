-- Plans that an engine finds under one limit: how many, how long, what they cost to find; and shortened, if that was asked for.
SELECT name, coalesce(json_extract(counters, '$.found'), value) AS plan,
  CASE WHEN json_extract(counters, '$.found') IS NOT NULL THEN value END AS shortened,
  came AS known, lower_bound AS bound, printf('%.2f', total_seconds) AS seconds, outcome AS status,
  CASE instr(message, ';') WHEN 0 THEN message ELSE substr(message, 1, instr(message, ';') - 1) END AS "by"
FROM result ORDER BY place(system), file, level;

WITH found AS (SELECT *, coalesce(json_extract(counters, '$.found'), value) AS cost FROM result)
SELECT printf('%s: %d of %d with a plan, %d %s in all', system, count(cost), count(*), coalesce(sum(cost), 0), objective)
  || CASE WHEN avg(cost / came) IS NULL THEN ''
    ELSE printf(', %.1f %% over the known solutions on the average', 100 * (avg(1.0 * cost / came) - 1)) END
  || printf('; %.0f s in all; %d wrong.', sum(total_seconds), sum(outcome LIKE 'wrong%')) AS sentence
FROM found GROUP BY system, objective ORDER BY place(system), objective;

SELECT printf('%s: %d plans shortened to %d in all', system, count(*), sum(value))
  || CASE WHEN avg(value / came) IS NULL THEN ''
    ELSE printf(', %.1f %% over the known solutions on the average', 100 * (avg(1.0 * value / came) - 1)) END
  || printf(', %d of them proved best.', sum(decided)) AS sentence
FROM result WHERE json_extract(counters, '$.found') IS NOT NULL GROUP BY system, objective ORDER BY place(system), objective;
