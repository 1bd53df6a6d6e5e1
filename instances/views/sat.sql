-- What SAT solvers settle: bounds rising from nothing, or from a known plan one question below it too. CPU seconds of all processes.
SELECT name, json_extract(counters, '$.start') AS start, value, lower_bound AS bound, outcome AS status,
  printf('%.2f', cpu) AS "CPU s"
FROM result ORDER BY place(system), objective, file, level;

SELECT printf('%s, %s: %d of %d settled; %.0f CPU s in all; %d wrong.', system, objective, sum(decided), count(*), sum(cpu),
  sum(outcome LIKE 'wrong%')) AS sentence
FROM result GROUP BY system, objective ORDER BY place(system), objective;
