-- Programs side by side. CPU seconds of a run; one that is not settled counts with its limit in the sums.
WITH spent AS (SELECT *, CASE WHEN decided THEN cpu ELSE max(cpu, limit_seconds) END AS seconds,
    first_value(system) OVER (PARTITION BY objective ORDER BY place(system), system) AS leader FROM result),
first AS (SELECT objective, instance, seed, repetition, seconds AS before FROM spent WHERE system = leader)
SELECT system AS variant, objective, sum(decided) || '/' || count(*) AS decided, printf('%.1f', sum(seconds)) AS "s",
  CASE WHEN count(before) THEN printf('%.2f', total(CASE WHEN before IS NOT NULL THEN seconds END) / sum(before)) ELSE '–' END
    || CASE WHEN count(before) < max(count(*), (SELECT count(*) FROM first AS its WHERE its.objective = spent.objective))
      THEN ' (' || count(before) || ')' ELSE '' END AS "× first",
  CASE WHEN count(ground_seconds) THEN printf('%.1f', sum(ground_seconds)) END AS "grounding, wall s", sum(conflicts) AS conflicts, sum(rules) AS rules,
  sum(outcome LIKE 'wrong%') AS wrong
FROM spent LEFT JOIN first USING (objective, instance, seed, repetition) GROUP BY objective, system ORDER BY objective, place(system);

SELECT name AS level, objective, (SELECT max(value) FROM result AS other WHERE other.instance = result.instance AND other.outcome = 'optimal'
    AND other.objective = result.objective) AS optimum,
  system AS across,
  group_concat(CASE WHEN decided THEN printf('%.2f', cpu) WHEN outcome = 'solved'
    THEN printf('(%.0f: solved %d%s)', cpu, value, coalesce(', at least ' || nullif(lower_bound, 0), ''))
    WHEN outcome LIKE '%\_out' ESCAPE '\' THEN printf('(%.0f: %s)', cpu, coalesce('at least ' || nullif(lower_bound, 0), replace(outcome, '_', ' '))) ELSE outcome END, ' ')
    AS cell
FROM result GROUP BY file, result.level, objective, system ORDER BY file, result.level, objective, place(system);

SELECT 'Seconds (s, × first) are CPU time summed over all runs; a wrong or undecided run counts at least as its limit.' AS sentence;

SELECT '× first: s divided by that of the objective''s first row, over the questions that both have runs of; their number follows if they are not all. Grounding is measured on the wall, all else in CPU time: beside other work it may be more than s. It is blank if the program tells none. Conflicts and rules are sums up to the bounds that the runs have reached: they compare where all is decided.' AS sentence;

SELECT 'Decided: a plan is proved best, or it is proved that there is none. Where steps are asked for, a plan of that length decides, too.' AS sentence;

SELECT 'A cell in brackets is a run that decided nothing. Its CPU seconds stand first. "solved 120" is a plan that costs 120, not proved best. "at least 110" is a proof that no plan costs less.' AS sentence
WHERE EXISTS (SELECT 1 FROM result WHERE NOT decided AND (outcome = 'solved' OR outcome LIKE '%\_out' ESCAPE '\'));
