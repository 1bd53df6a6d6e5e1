-- What ideas are worth, by leaving them out: plans, CPU seconds (without a plan the limit) and costs beside those of the whole system.
-- Later, sooner: levels with both plans that take at least half as long again, or two thirds at most. Cost: of the plans both have.
WITH spent AS (SELECT *, CASE WHEN value IS NULL THEN limit_seconds ELSE min(total_seconds, limit_seconds) END AS s FROM result),
pair AS (SELECT here.*, whole.s AS before, whole.value AS other FROM spent AS here JOIN spent AS whole
  ON whole.system = coalesce(here.base, here.system) AND whole.instance = here.instance AND whole.objective = here.objective),
sums AS (SELECT system, objective, count(value) || '/' || count(*) AS plans,
    sum(value IS NULL AND other IS NOT NULL) AS lost, sum(value IS NOT NULL AND other IS NULL) AS won,
    total(value + other > 0 AND s >= 1.5 * before) AS later, total(value + other > 0 AND before >= 1.5 * s) AS sooner,
    printf('%.0f', sum(s)) AS "CPU s", printf('%.2f', sum(s) / sum(before)) AS "× whole",
    printf('%+.1f %%', 100 * (1.0 * total(CASE WHEN other THEN value END) / total(CASE WHEN value THEN other END) - 1)) AS cost
  FROM pair GROUP BY system, objective)
SELECT CASE WHEN base IS NULL THEN system ELSE replace(system, base || ' without ', '– ') END AS "left out", sums.plans, lost, won,
  later, sooner, "CPU s", "× whole", cost, name AS across,
  CASE WHEN value IS NULL THEN '–' ELSE printf('%.1f', s) END AS cell
FROM pair JOIN sums USING (system, objective) ORDER BY objective, place(system), file, level;
