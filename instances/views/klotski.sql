-- The claims about each board beside the proved minimum; in bold what is not the minimum. Then table 6's effort beside ours:
-- positions met in the search for slides, mirror images counted once.
WITH bold AS (SELECT level, title, objective, CASE WHEN outcome = 'optimal' THEN result.value END AS value, claim.key, claim.value AS claimed,
    CASE WHEN outcome = 'optimal' AND claim.value <> result.value THEN '**' ELSE '' END AS mark
  FROM result, json_each(result.known) AS claim)
SELECT title AS board,
  max(CASE WHEN objective = 'slides' AND key = 'paper_slides' THEN mark || claimed || mark END) AS "slides: paper",
  max(CASE WHEN objective = 'slides' AND key = 'literature_slides' THEN mark || claimed || mark END) AS "earlier literature",
  max(CASE WHEN objective = 'slides' THEN value END) AS "slides: proved",
  max(CASE WHEN objective = 'units' AND key = 'paper_units' THEN mark || claimed || mark END) AS "units: paper",
  max(CASE WHEN objective = 'units' AND key = 'game604_units' THEN mark || claimed || mark END) AS "604.zip",
  max(CASE WHEN objective = 'units' THEN value END) AS "units: proved"
FROM bold GROUP BY level ORDER BY level;

SELECT printf('**Bold**: not the minimum. Of the paper''s %d numbers of slides %d are wrong.', count(claimed),
  sum(outcome = 'optimal' AND claimed <> value)) AS sentence
FROM (SELECT *, json_extract(known, '$.paper_slides') AS claimed FROM result WHERE objective = 'slides');

SELECT title AS board, printf('%,d', json_extract(known, '$.paper_boards')) AS "table 6: boards", printf('%,d', json_extract(known, '$.paper_seconds')) AS "table 6: s",
  printf(CASE WHEN decided THEN '%,d' ELSE 'over %,d' END, json_extract(counters, '$.states')) AS "ours: positions", printf('%.2f', total_seconds) AS "ours: s"
FROM result WHERE objective = 'slides' AND json_extract(known, '$.paper_boards') IS NOT NULL ORDER BY level;

SELECT printf('All searches in both objectives: %.1f CPU s, referee included.', sum(cpu)) AS sentence FROM result;
