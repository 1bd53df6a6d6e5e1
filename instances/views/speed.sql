-- Rows a, b, c, e and f of the table of speed, and the memory of a campaign. CPU seconds; a run without a proof counts with its limit.
WITH spent AS (
  SELECT *, CASE WHEN decided THEN cpu ELSE max(cpu, limit_seconds) END AS s FROM result
  WHERE instances = CASE WHEN EXISTS (SELECT 1 FROM result WHERE instances = 'files') THEN 'files' ELSE 'shipped' END),
ours AS (SELECT instance, s FROM spent WHERE system = 'solve'),
theirs AS (SELECT instance, min(s) AS s FROM spent WHERE system LIKE 'clingo%' AND NOT (outcome = 'crash' AND cpu < 1 OR outcome LIKE 'wrong%') GROUP BY instance),
least AS (SELECT system, min(cpu) AS cpu, max(peak_mb) AS mb FROM result GROUP BY system)
SELECT 'a. the better of clingo''s two encodings, times our seconds' AS what,
  CASE WHEN EXISTS (SELECT 1 FROM theirs)
    THEN (SELECT printf('%.1f (%.2f s, %.2f s)', sum(theirs.s) / sum(ours.s), sum(theirs.s), sum(ours.s)) FROM ours JOIN theirs USING (instance))
    ELSE 'left out: $CLINGO_ENCODINGS has no forward.lp and backward.lp that show plans' END AS figure,
  (SELECT count(*) FROM ours JOIN theirs USING (instance)) || ' levels' AS "of"
UNION ALL SELECT 'b. a run of bench, ASP, ms', printf('%.1f', 1000 * cpu), 'one box'
  FROM result WHERE system = 'a run of bench' AND instances = 'easy'
UNION ALL SELECT 'c. an easy level by ASP, ms', printf('%.1f', 1000 * (c.cpu - f.cpu) / 103), '104 of one box, one process'
  FROM least c, least f WHERE c.system = '104 easy levels' AND f.system = 'one box'
UNION ALL SELECT substr('fe', 1 + (system = 'one box, native'), 1) || '. ' || system || ', s', printf('%.3f', cpu), 'least of ' ||
  (SELECT count(*) FROM result WHERE system = 'one box') FROM least WHERE system LIKE 'one box%'
UNION ALL SELECT 'memory of a campaign, MB', printf('%.0f', mb), '200 ASP runs, all processes' FROM least WHERE system = 'a campaign';
