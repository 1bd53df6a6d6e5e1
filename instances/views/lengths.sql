-- Dead levels of growing length: seconds of the units by the clock (the least of the repetitions), and the states that a search
-- without pruning keeps.
WITH search AS (SELECT instance, max(json_extract(counters, '$.states')) AS states, max(decided) AS ended FROM result
  WHERE kind = 'native' GROUP BY instance)
SELECT title AS "cells between, loose boxes", cells AS "floor cells",
  CASE WHEN sum(decided) = count(*) THEN printf('%.4f', min(total_seconds)) ELSE 'not found' END AS "units: dead, s",
  CASE WHEN ended THEN printf('%,d', states) ELSE printf('over %,d', states) END AS "states of a plain search"
FROM result JOIN search USING (instance) WHERE kind = 'deadlock' GROUP BY instance ORDER BY level;
