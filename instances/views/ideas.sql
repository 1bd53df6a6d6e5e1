-- What ideas are worth, by leaving them out: answers, CPU seconds (without an answer the limit) and costs beside those of the whole.
WITH told AS (SELECT *, decided OR outcome = 'solved' AS answer FROM result),
spent AS (SELECT *, CASE WHEN answer THEN min(cpu, limit_seconds) ELSE limit_seconds END AS s FROM told),
pair AS (SELECT here.*, whole.s AS before, whole.value AS other, whole.answer AS had FROM spent AS here JOIN spent AS whole
  ON whole.system = coalesce(here.base, here.system) AND whole.instance = here.instance AND whole.objective = here.objective
  AND whole.seed = here.seed AND whole.repetition = here.repetition),
sums AS (SELECT system, objective, sum(answer) || '/' || count(*) AS answers,
    sum(had > answer) AS lost, sum(answer > had) AS won,
    total(answer AND had AND s >= 1.5 * before) AS later, total(answer AND had AND before >= 1.5 * s) AS sooner,
    printf('%.0f', sum(s)) AS "CPU s", printf('%.2f', sum(s) / sum(before)) AS "× whole",
    printf('%+.1f %%', 100 * (1.0 * total(CASE WHEN other THEN value END) / total(CASE WHEN value THEN other END) - 1)) AS cost
  FROM pair GROUP BY system, objective)
SELECT CASE WHEN base IS NULL THEN system ELSE replace(system, base || ' without ', '– ') END AS "left out", objective, answers, lost, won,
  later, sooner, "CPU s", "× whole", cost, name AS across,
  CASE WHEN answer THEN printf('%.1f', s) ELSE '–' END AS cell
FROM pair JOIN sums USING (system, objective) ORDER BY objective, place(system), file, level;

SELECT 'An answer is a plan, or a proof that there is none. Without an answer (–) the limit counts as CPU seconds.' AS sentence;

SELECT 'Each row is compared with the whole system. Lost: levels that only the whole answers. Won: levels that only the row answers. Later: levels that both answer, the row in at least half as long again. Sooner: levels that both answer, the row in two thirds of the time at most. Cost: how much dearer the plans of the row are, where both have one.' AS sentence;
