"""An independent search for the cheapest plan of a small PDDL task; it shares nothing with the package, not even a reader."""

import re
from heapq import heappop, heappush
from itertools import product
from typing import Any

Tree = Any
"""A word, or a list of trees."""


def parse(text: str) -> Tree:
    """The first bracketed expression of a text."""
    stack: list[list[Tree]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(";.*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def text_of(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(text_of, tree))})"


def section(tree: Tree, head: str) -> list[Tree]:
    """What a section of a domain or problem holds, nothing without one."""
    return next((one[1:] for one in tree if isinstance(one, list) and one[:1] == [head]), [])


def conjuncts(tree: Tree) -> list[Tree]:
    if tree[:1] == ["and"]:
        return [part for one in tree[1:] for part in conjuncts(one)]
    return [tree] if tree else []


def _typed(words: list[Tree]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    waiting: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "-":
            kind = next(rest)
            found += [(one, kind) for one in waiting]
            waiting = []
        else:
            waiting.append(word)
    return found + [(one, "object") for one in waiting]


class Strips:
    """A domain and a problem."""

    def __init__(self, domain: Tree, problem: Tree) -> None:
        above = dict(_typed(section(domain, ":types")))
        self.objects: dict[str, set[str]] = {}
        for name, kind in _typed(section(domain, ":constants") + section(problem, ":objects")):
            kinds = {kind, "object"}
            while kind in above and kind != "object":
                kind = above[kind]
                kinds.add(kind)
            self.objects[name] = kinds
        self.start = frozenset(tuple(fact) for fact in section(problem, ":init") if fact[0] not in ("=", "not"))
        (self.goal,) = section(problem, ":goal")
        self.costs = bool(section(problem, ":metric"))
        self.actions = [one for one in domain if isinstance(one, list) and one[:1] == [":action"]]

    def of(self, kind: str) -> list[str]:
        return [name for name, kinds in self.objects.items() if kind in kinds]

    def holds(self, tree: Tree, state: frozenset[tuple[str, ...]], bound: dict[str, str]) -> bool:
        if not tree:
            return True
        head, *rest = tree
        if head == "and":
            return all(self.holds(one, state, bound) for one in rest)
        if head == "or":
            return any(self.holds(one, state, bound) for one in rest)
        if head == "not":
            return not self.holds(rest[0], state, bound)
        if head == "imply":
            return not self.holds(rest[0], state, bound) or self.holds(rest[1], state, bound)
        if head in ("forall", "exists"):
            variables = _typed(rest[0])
            chosen = product(*(self.of(kind) for _, kind in variables))
            inner = ({**bound, **dict(zip([n for n, _ in variables], c, strict=True))} for c in chosen)
            return (all if head == "forall" else any)(self.holds(rest[1], state, one) for one in inner)
        terms = [bound.get(word, word) for word in rest]
        return terms[0] == terms[1] if head == "=" else (head, *terms) in state

    def steps(self, state: frozenset[tuple[str, ...]]) -> list[tuple[frozenset[tuple[str, ...]], int]]:
        """All states after one action, with its cost; parameters are bound by the first atoms that can hold."""
        found = []
        for action in self.actions:
            parts = dict(zip(action[2::2], action[3::2], strict=True))
            variables = _typed(parts[":parameters"])
            condition = parts.get(":precondition", [])
            atoms = [
                one
                for one in conjuncts(condition)
                if one[0] not in ("and", "or", "not", "imply", "forall", "exists", "=")
            ]
            for bound in self._bindings(atoms, variables, state, {}):
                if self.holds(condition, state, bound):
                    found.append(self._after(parts.get(":effect", ["and"]), state, bound))
        return found

    def _bindings(self, atoms: list[Tree], variables: list[tuple[str, str]], state: Any, bound: dict[str, str]) -> Any:
        if not atoms:
            free = [(name, kind) for name, kind in variables if name not in bound]
            for chosen in product(*(self.of(kind) for _, kind in free)):
                yield {**bound, **dict(zip([n for n, _ in free], chosen, strict=True))}
            return
        (head, *terms), *rest = atoms
        kinds = dict(variables)
        for fact in [one for one in state if one[0] == head and len(one) == len(terms) + 1]:
            more = dict(bound)
            for term, thing in zip(terms, fact[1:], strict=True):
                if term not in kinds and term != thing:
                    break
                if term in kinds and (more.setdefault(term, thing) != thing or kinds[term] not in self.objects[thing]):
                    break
            else:
                yield from self._bindings(rest, variables, state, more)

    def _after(self, effect: Tree, state: Any, bound: dict[str, str]) -> tuple[frozenset[tuple[str, ...]], int]:
        add, delete, cost = set(), set(), 0 if self.costs else 1
        for part in conjuncts(effect):
            if part[0] == "increase":
                cost += int(part[2]) if self.costs else 0
            else:
                atom = part[1] if part[0] == "not" else part
                (delete if part[0] == "not" else add).add((atom[0], *(bound.get(word, word) for word in atom[1:])))
        return (state - delete) | frozenset(add), cost

    def best(self) -> int | None:
        """The least cost of a plan, None if there is none; -1 if more than 20,000 states would be needed."""
        best = {self.start: 0}
        heap = [(0, 0, self.start)]
        while heap:
            spent, _, state = heappop(heap)
            if spent > best[state]:
                continue
            if self.holds(self.goal, state, {}):
                return spent
            if len(best) > 20_000:
                return -1
            for after, cost in self.steps(state):
                if spent + cost < best.get(after, spent + cost + 1):
                    best[after] = spent + cost
                    heappush(heap, (spent + cost, len(best), after))
        return None


def optimum(domain: str, problem: str) -> int | None:
    """The least cost of a plan of two texts, see ``Strips.best``."""
    return Strips(parse(domain), parse(problem)).best()
