"""Kernels of all shapes, for the tests of the library: every kind of argument and of answer, and one that calls another."""

from __future__ import annotations

from typing import NamedTuple

from sokoasp.core.kernels import kernel, numbers, record


@record
class Toys(NamedTuple):
    """Two rows and a table."""

    marks: U1  # noqa: F821
    prices: I4  # noqa: F821
    table: I8x2  # noqa: F821


@kernel("i8(i8, i8)")
def sum_of(a, b):
    return a + b


@kernel("i8(u1[::1], i4[:, ::1])")
def weighed(marks, table):
    value = 0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            value = sum_of(value, marks[i] * table[i, j] * (j + 1))
    return value


@kernel("void(Toys, i8, u8[::1])")
def written(toys, at, keys):
    toys.table[at, 1] = toys.prices[at] + toys.marks[at]
    keys[0] = keys[0] | (1 << 63)


@kernel("b1(i8, b1)")
def unlike(a, b):
    return (a > 0) != b


@kernel("i8(i8, i8)")
def divided(a, b):
    return a // b


@kernel("u8(u8, u8)")
def either(a, b):
    return a ^ b


@kernel("void(u8[::1])")
def folded(keys):
    keys[0] = either(keys[0], keys[1])


@numbers
class Counts:
    """Two numbers."""

    first: int = 0
    second: int = 0


@numbers
class Fewer:
    """One number."""

    first: int = 0


@kernel("i8(Counts, i8)")
def counted(r: Counts, more: int) -> int:
    r.second = r.first + more
    return r.second
