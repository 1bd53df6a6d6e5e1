-- Walks of each method beside the shortest, by kind of map: how long, how often a shortest one, CPU time a walk.
-- After step 2, gives up: of the paper's second step, the latter by its own words. Levels without a walk are left out.
WITH walks AS (SELECT *, CASE instances WHEN 'mazes' THEN title ELSE instances END AS maps, json_extract(counters, '$.walks') AS n,
    json_extract(counters, '$.moves') AS moves, json_extract(counters, '$.least') AS least FROM result
  WHERE outcome = 'measured' AND n > 0)
SELECT maps, system AS method, printf('%.0f', avg(cells)) AS cells, sum(n) AS walks, printf('%.1f', sum(least) / sum(n)) AS "shortest, moves",
  printf('%.3f', sum(moves) / sum(least)) AS "moves / shortest", printf('%.2f', max(json_extract(counters, '$.worst'))) AS "worst case",
  printf('%.1f %%', 100 * sum(json_extract(counters, '$.shortest')) / sum(n)) AS "shortest found",
  printf('%.3f', 1000 * sum(total_seconds) / sum(n)) AS "ms a walk",
  printf('%.2f', 1e6 * sum(total_seconds) / sum(n * cells)) AS "µs a cell",
  CASE system WHEN 'paper' THEN printf('%.2f', sum(json_extract(counters, '$.walked')) / sum(least)) END AS "after step 2 / shortest",
  sum(json_extract(counters, '$.gave_up')) AS "gives up"
FROM walks GROUP BY maps, system
ORDER BY instances <> 'halls', instances <> 'mazes', min(level), place(system);
