; instances/tutorial/first.xsb
(define (problem p)
  (:domain sokoban-sequential)
  (:objects man - player b0 - stone x0 x1 x2 x3 x4 - location w0 w1 w2 w3 - direction)
  (:init (= (total-cost) 0) (at man x3) (at b0 x0) (clear x4) (clear x2) (clear x1) (is-nongoal x4) (is-goal x1) (is-nongoal x3) (is-nongoal x2) (is-nongoal x0) (move-dir x4 x3 w3) (move-dir x4 x0 w0) (move-dir x1 x2 w3) (move-dir x3 x4 w0) (move-dir x2 x0 w3) (move-dir x2 x1 w0) (move-dir x0 x4 w3) (move-dir x0 x2 w0))
  (:goal (and (at-goal b0)))
  (:metric minimize (total-cost)))
