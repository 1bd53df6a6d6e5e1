"""The store of states: what is kept when it grows, and when it must not."""

import random

import numpy as np
import pytest

from sokoasp.sokoban.search.exact.state_store import StateStore
from sokoasp.sokoban.search.model import workspace


@pytest.mark.parametrize("words", [1, 3])
def test_states_are_found_after_growing(words: int) -> None:
    kernels, rng = workspace.compiled().hash_set, random.Random(words)
    store = StateStore(words=words, capacity=40)
    keys = [[rng.randrange(1 << 63) for _ in range(words)] for _ in range(200)]
    for number, key in enumerate(keys):
        if number == store.capacity:
            assert store.grow(kernels, number, 10, 1e9)
            assert len(store.states.slots) >= 2 * store.capacity
        row, s = np.array(key, np.uint64), store.states
        slot = kernels.find(row, words, s.keys, s.slots)
        assert s.slots[slot] == -1
        s.keys[number], s.spent[number], s.slots[slot] = row, number, number
    s = store.states
    for number, key in enumerate(keys):
        slot = kernels.find(np.array(key, np.uint64), words, s.keys, s.slots)
        assert s.slots[slot] == number and s.spent[number] == number


def test_without_memory_nothing_is_changed() -> None:
    kernels, store = workspace.compiled().hash_set, StateStore(words=1, capacity=40)
    before, sizes = store.states, [array.nbytes for array in store.states]
    assert not store.grow(kernels, 40, 1000, spare_bytes=100)
    assert [array.nbytes for array in store.states] == sizes
    assert all(one is other for one, other in zip(before, store.states, strict=True))


def test_widening_keeps_the_buckets() -> None:
    store = StateStore(words=1, capacity=40)
    store.states.head[:3] = [7, -1, 5]
    width = len(store.states.head)
    store.widen()
    head = store.states.head
    assert len(head) == 2 * width
    assert head[:3].tolist() == [7, -1, 5] and (head[width:] == -1).all()
