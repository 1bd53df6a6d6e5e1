#!/usr/bin/env bash
# pycgt, combinatorial games: an infinitesimal beside a position adds a move to its "reduced form".
#
# One would guess: reduced_canonical_form(g) is the simplest game that is infinitesimally close to
#   g, as its docstring says. So it is the same for all games that are close to each other. That is
#   what such a form is for: two positions are equal "to within ish" if their forms are equal.
# What happens: a game that is close to a number becomes that number, which is right. In any other
#   game each option is reduced by itself. An option that is no better than another, but for an
#   infinitesimal, is kept. In Domineering the square of 2 x 2 gives one move to whoever is first:
#   it is worth 1 or -1, and that is its reduced form. A board of 2 x 4 beside it is smaller than
#   all positive numbers and larger than all negative ones. With it the form has a second move for
#   Right, into the square itself. Of the twelve sums of a hot rectangle and an infinitesimal one,
#   each of up to twelve cells, six have another form than the hot rectangle alone, and a larger
#   one. The form passes the package's own tests: it is close to the game, and is_reduced() is True.
#   The checks below play the games by the rules, in plain Python. Nothing warns.
# For whom: whoever looks positions up by their reduced forms, or counts the values of a game with
#   them: equal ones are told apart.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pycgt==0.2.0

cat >sums.py <<'END'
"""A game in plain Python is two sets: what Left may move to, and what Right may move to."""

from functools import cache

import pycgt
from pycgt.rulesets import domineering


@cache
def at_most(first, second):
    """Whether first <= second: Left has no good move in first - second."""
    return not any(at_most(second, left) for left in first[0]) and not any(at_most(right, first) for right in second[1])


@cache
def plus(first, second):
    return tuple(frozenset([plus(a, second) for a in first[n]] + [plus(first, b) for b in second[n]]) for n in (0, 1))


@cache
def minus(game):
    return frozenset(map(minus, game[1])), frozenset(map(minus, game[0]))


@cache
def board(cells):
    """Left places a domino upright, Right lays one down."""
    steps = ((0, 1), (1, 0))
    dominoes = [[frozenset([(x, y), (x + right, y + down)]) for x, y in cells] for right, down in steps]
    left, right = (frozenset(board(cells - domino) for domino in some if domino <= cells) for some in dominoes)
    return left, right


def rectangle(high, wide):
    return board(frozenset((x, y) for x in range(wide) for y in range(high)))


def plain(game):
    return frozenset(map(plain, game.left)), frozenset(map(plain, game.right))


ZERO = (frozenset(), frozenset())
TINY = (frozenset([ZERO]), frozenset())  # 1, and then halved; the numbers in these games have small denominators
for _ in range(12):
    TINY = (frozenset([ZERO]), frozenset([TINY]))


def close(first, second):
    difference = plus(first, minus(second))
    return at_most(difference, TINY) and at_most(minus(TINY), difference)


def equal(first, second):
    return at_most(first, second) and at_most(second, first)


sizes = [(high, wide) for high in range(1, 13) for wide in range(1, 13) if high * wide <= 12]
values = {size: domineering.rectangle(*size) for size in sizes}
hot = [size for size in sizes if pycgt.is_hot(values[size])]
small = [size for size in sizes if pycgt.is_infinitesimal(values[size]) and not values[size].is_zero]
right = all(equal(plain(values[size]), rectangle(*size)) for size in hot + small)
print(f"hot: {hot}; infinitesimal: {small}; values as played: {right}")
other = closer = larger = told = 0
for size in hot:
    for beside in small:
        total = values[size] + values[beside]
        form, alone = pycgt.reduced_canonical_form(total), pycgt.reduced_canonical_form(values[size])
        played = plus(rectangle(*size), rectangle(*beside))
        closer += close(played, plain(alone)) and close(played, plain(form))
        other += not equal(plain(form), plain(alone))
        larger += pycgt.birthday(form) > pycgt.birthday(alone)
        told += form != alone and pycgt.is_reduced(form)
        if (size, beside) == ((2, 2), (2, 4)):
            print(f"2 x 2: {pycgt.render(alone)}, with 2 x 4 beside it: {pycgt.render(form)}")
sums = len(hot) * len(small)
print(f"{sums} sums, both forms close to {closer}; {other} other forms, {larger} larger, {told} called reduced")
END

venv/bin/pip list 2>/dev/null | grep -i '^pycgt '
venv/bin/python sums.py | tee out

grep -q "values as played: True$" out
if ! grep -qxF "2 x 2: +-1, with 2 x 4 beside it: {1|+-1,-1}" out ||
  ! grep -qx "12 sums, both forms close to 12; 6 other forms, 6 larger, 6 called reduced" out; then
  echo "a reduced form leaves infinitesimals out now"
  exit 1
fi
