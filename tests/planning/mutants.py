"""PDDL tasks changed at random: in ways that keep their meaning, and in ways that may turn Sokoban into something else."""

import inspect
import random
from contextlib import suppress
from dataclasses import dataclass

from sokoasp.sokoban.formats import pddl
from sokoasp.sokoban.search.exact import reference
from tests.planning import tasks
from tests.planning.strips import Tree, parse, section, text_of
from tests.sokoban.strategies import random_level


@dataclass
class Mutant:
    """A task as two trees, and what was done to it."""

    domain: Tree
    problem: Tree
    rng: random.Random
    kind: str
    done: list[str]

    @property
    def texts(self) -> tuple[str, str]:
        return text_of(self.domain), text_of(self.problem)

    def actions(self) -> list[Tree]:
        return [one for one in self.domain if isinstance(one, list) and one[:1] == [":action"]]

    def some_action(self) -> Tree:
        return self.rng.choice(self.actions())

    def named(self, where: Tree, head: str) -> Tree:
        """A section, made if there is none."""
        for one in where:
            if isinstance(one, list) and one[:1] == [head]:
                return one
        where.insert(2, [head])
        return where[2]

    def cells(self) -> list[str]:
        return sorted({one for fact in section(self.problem, ":init") if len(fact) == 4 for one in fact[1:3]})


def positive(atom: Tree) -> Tree:
    return atom[1] if atom[0] == "not" else atom


def base(rng: random.Random) -> Mutant:
    """A small level in one of the three forms."""
    kind = rng.choice(("competition", "learning", "own"))
    solvable = rng.random() < 0.8
    while True:
        level = random_level(rng)
        if len(level.floor) > 9 or level.solved or (kind == "learning" and len(level.boxes) > 1):
            continue
        if not solvable or reference.solve(level, "moves").plan is not None:
            break
    if kind == "competition":
        texts = tasks.competition(level, rng, pushes=rng.random() < 0.5)
    elif kind == "learning":
        texts = tasks.learning(level, rng)
    else:
        texts = pddl.DOMAIN, pddl.write_problem(level)
    return Mutant(parse(texts[0]), parse(texts[1]), rng, kind, [])


def replaced(tree: Tree, old: str, new: str) -> Tree:
    if isinstance(tree, str):
        return new if tree == old else tree
    return [replaced(one, old, new) for one in tree]


# --- what keeps the meaning


def rename_object(m: Mutant) -> None:
    """Call an object like a type, a predicate, an action or the domain."""
    taken = set(m.cells())
    heads = [one[0] for one in section(m.domain, ":predicates")] + [one[1] for one in m.actions()]
    kinds = [word for word in section(m.domain, ":types") if word != "-"]
    new = m.rng.choice(heads + kinds + ["domain", "object", "and"])
    if new not in taken:
        old = m.rng.choice(sorted(taken))
        listed = m.named(m.problem, ":objects")
        listed[:] = [
            new if word == old and before != "-" else word for before, word in zip(["", *listed], listed, strict=False)
        ]
        for head in (":init", ":goal"):
            one = m.named(m.problem, head)
            one[:] = [one[0], *(_object(x, old, new) for x in one[1:])]


def _object(tree: Tree, old: str, new: str) -> Tree:
    """The same with an object renamed, heads of brackets untouched."""
    if isinstance(tree, str):
        return new if tree == old else tree
    return [
        tree[0] if isinstance(tree[0], str) else _object(tree[0], old, new),
        *(_object(x, old, new) for x in tree[1:]),
    ]


def shuffle_conjuncts(m: Mutant) -> None:
    for action in m.actions():
        for at in (5, 7):
            rest = action[at][1:]
            m.rng.shuffle(rest)
            action[at] = ["and", *rest, ["and"]] if m.rng.random() < 0.3 else ["and", *rest]


def shuffle_sections(m: Mutant) -> None:
    rest = m.problem[2:]
    m.rng.shuffle(rest)
    m.problem = [*m.problem[:2], *rest]
    actions = m.actions()
    m.rng.shuffle(actions)
    m.domain = [one for one in m.domain if one not in actions] + actions


def different_cells(m: Mutant) -> None:
    action = m.some_action()
    one, other = m.rng.sample([term for atom in action[5][1:] if len(atom) == 4 for term in atom[1:3]], 2)
    if one != other:
        action[5].append(["not", ["=", one, other]])


def vacuous_guard(m: Mutant) -> None:
    m.named(m.domain, ":predicates").append(["fine", "?x"])
    m.named(m.problem, ":init").extend(["fine", cell] for cell in m.cells())
    action = m.some_action()
    fine = ["fine", next(atom for atom in action[5][1:] if len(atom) == 4)[m.rng.choice((1, 2))]]
    action[5].append(fine if m.rng.random() < 0.7 else ["or", fine, ["not", ["fine", fine[1]]]])


def other_first_cost(m: Mutant) -> None:
    """No value that costs begin with, or another than 0."""
    init = m.named(m.problem, ":init")
    init[:] = [fact for fact in init if fact[0] != "="]
    if m.rng.random() < 0.5 and section(m.domain, ":functions"):
        m.named(m.problem, ":init").append(["=", ["total-cost"], "7"])


def quantify_goal(m: Mutant) -> None:
    goal = m.named(m.problem, ":goal")
    if m.kind == "competition":
        head = goal[1][1][0]
        kind = next(one for one in section(m.domain, ":predicates") if one[0] == head)[-1]
        goal[1] = ["forall", ["?z", "-", kind], [head, "?z"]]


def guarded_goal(m: Mutant) -> None:
    """``forall`` over cells, of which a static fact picks the goals."""
    goal = m.named(m.problem, ":goal")
    if m.kind == "own":
        m.named(m.domain, ":predicates").append(["target", "?x", "-", "cell"])
        m.named(m.problem, ":init").extend(["target", atom[1]] for atom in goal[1][1:])
        goal[1] = ["forall", ["?z", "-", "cell"], ["imply", ["target", "?z"], [goal[1][1][0], "?z"]]]


def quantified_guard(m: Mutant) -> None:
    """A condition with a quantifier over a type, which each choice of objects meets."""
    action = m.some_action()
    name = next(word for word in action[3] if word[0] == "?")
    kind = action[3][action[3].index("-") + 1]
    same = ["=", "?q", name]
    every = ["forall", ["?q"], ["imply", same, ["exists", [name, "-", kind], same]]]
    action[5].append(m.rng.choice((["exists", ["?q", "-", kind], same], every)))


def rename_word(m: Mutant) -> None:
    """Call a predicate or an action like another, a type, an object or a word of PDDL."""
    actions, heads = [one[1] for one in m.actions()], [one[0] for one in section(m.domain, ":predicates")]
    kinds = [word for word in section(m.domain, ":types") if word != "-"]
    of, others = m.rng.choice(((actions, heads), (heads, [*actions, *m.cells()])))
    old, new = m.rng.choice(of), m.rng.choice([*others, *kinds, "object", "define", "7"])
    if new not in of:
        m.domain, m.problem = (_word(one, old, new, of is heads) for one in (m.domain, m.problem))


def _word(tree: Tree, old: str, new: str, head: bool) -> Tree:
    """The same with a predicate renamed, which stands at the head of brackets, or an action, which stands behind its key."""
    if isinstance(tree, str):
        return tree
    renamed = 0 if head else 1 if tree[:1] == [":action"] else -1
    return [new if (at, one) == (renamed, old) else _word(one, old, new, head) for at, one in enumerate(tree)]


def more_walls(m: Mutant) -> None:
    """Cells that nothing joins: walls and blanks outside, as the competitions declare them."""
    listed = m.named(m.problem, ":objects")
    cell = m.cells()[0]
    at = listed.index(cell)
    kind = _kind_at(listed, at)
    listed[1:1] = ["wall1", "blank1", "-", kind]
    if m.rng.random() < 0.5:
        clear = section(m.domain, ":predicates")[{"competition": 0, "learning": 2, "own": 3}[m.kind]]
        m.named(m.problem, ":init").append([clear[0], "blank1"])


# --- what may change it


def drop_condition(m: Mutant) -> None:
    action = m.some_action()
    action[5].pop(m.rng.randrange(1, len(action[5])))


def drop_effect(m: Mutant) -> None:
    action = m.some_action()
    action[7].pop(m.rng.randrange(1, len(action[7])))


def drop_fact(m: Mutant) -> None:
    init = m.named(m.problem, ":init")
    init.pop(m.rng.randrange(1, len(init)))


def thin_wall(m: Mutant) -> None:
    """Two neighbours that nothing joins any more."""
    init = m.named(m.problem, ":init")
    way = m.rng.choice([one for one in init[1:] if len(one) == 4])
    init[:] = [one for one in init if len(one) != 4 or {*one[1:3]} != {*way[1:3]}]


def _some_fact(m: Mutant) -> list[Tree]:
    return list(m.rng.choice([one for one in section(m.problem, ":init") if one[0] != "="]))


def double_fact(m: Mutant) -> None:
    """A fact with one object changed, beside the old one."""
    init = m.named(m.problem, ":init")
    fact = _some_fact(m)
    fact[m.rng.randrange(1, len(fact))] = m.rng.choice(m.cells())
    init.append(fact)


def drop_goal(m: Mutant) -> None:
    goal = m.named(m.problem, ":goal")
    if len(goal[1]) > 1 and goal[1][0] == "and":
        goal[1].pop(m.rng.randrange(1, len(goal[1])))


def other_goal(m: Mutant) -> None:
    goal = m.named(m.problem, ":goal")
    goal[1] = ["and", goal[1], _some_fact(m)]


def either_goal(m: Mutant) -> None:
    goal = m.named(m.problem, ":goal")
    goal[1] = [m.rng.choice(("or", "imply", "and")), goal[1], ["not", _some_fact(m)]]


def partial_guard(m: Mutant) -> None:
    vacuous_guard(m)
    init = m.named(m.problem, ":init")
    init.remove(m.rng.choice([one for one in init[1:] if one[0] == "fine"]))
    if m.rng.random() < 0.5:
        for action in m.actions():
            action[5] = [["not", one] if one[0] == "fine" else one for one in action[5]]


def subtype(m: Mutant) -> None:
    """A parameter of a narrower type, which some of the objects have."""
    action = m.some_action()
    variables = action[3]
    kinds = [at + 1 for at, word in enumerate(variables) if word == "-"]
    at = m.rng.choice(kinds)
    kind = variables[at]
    first = max([k for k in kinds if k < at], default=-1) + 1
    name = variables.pop(m.rng.randrange(first, at - 1))
    if first == at - 2:
        del variables[first : first + 2]
    variables += [name, "-", "narrow"]
    m.named(m.domain, ":types")[1:1] = ["narrow", "-", kind]
    listed = m.named(m.problem, ":objects")
    plain = [i for i in range(1, len(listed)) if listed[i] != "-" and listed[i - 1] != "-"]
    moved = {i for i in plain if m.rng.random() < 0.6 and _kind_at(listed, i) == kind}
    names = [listed[i] for i in sorted(moved)]
    if names:
        kept = [word for i, word in enumerate(listed) if i not in moved]
        for i in range(len(kept) - 2, 0, -1):
            # a type that no object is left of
            if kept[i] == "-" and (i == 1 or kept[i - 2] == "-"):
                del kept[i : i + 2]
        listed[:] = [*kept, *names, "-", "narrow"]


def _kind_at(listed: list[str], at: int) -> str:
    while listed[at] != "-":
        at += 1
    return listed[at + 1]


def wider_type(m: Mutant) -> None:
    action = m.some_action()
    kinds = [at + 1 for at, word in enumerate(action[3]) if word == "-"]
    action[3][m.rng.choice(kinds)] = "object"


def constant_term(m: Mutant) -> None:
    """An object where a parameter stood, called like it at times."""
    action = m.some_action()
    part = m.rng.choice((5, 7))
    atom = positive(m.rng.choice([one for one in action[part][1:] if one[0] not in ("increase", "=")]))
    if len(atom) < 2 or isinstance(atom[1], list):
        return
    at = m.rng.randrange(1, len(atom))
    cell = m.rng.choice(m.cells())
    name = atom[at].removeprefix("?") if m.rng.random() < 0.5 else cell
    listed = m.named(m.problem, ":objects")
    kind = _kind_at(listed, listed.index(cell))
    if name not in listed:
        m.problem = replaced(m.problem, cell, name)
    listed = m.named(m.problem, ":objects")
    listed.remove(name)
    m.named(m.domain, ":constants").extend([name, "-", kind])
    atom[at] = name


def swap_terms(m: Mutant) -> None:
    action = m.some_action()
    atom = positive(m.rng.choice([one for one in action[m.rng.choice((5, 7))][1:] if one[0] != "increase"]))
    if len(atom) > 2:
        one, other = m.rng.sample(range(1, len(atom)), 2)
        atom[one], atom[other] = atom[other], atom[one]


def swap_predicate(m: Mutant) -> None:
    action = m.some_action()
    atom = positive(m.rng.choice([one for one in action[m.rng.choice((5, 7))][1:] if one[0] != "increase"]))
    same = [one[0] for one in section(m.domain, ":predicates") if len([w for w in one if w[0] == "?"]) == len(atom) - 1]
    if same and not isinstance(atom[1], list):
        atom[0] = m.rng.choice(same)


def negate(m: Mutant) -> None:
    action = m.some_action()
    part = action[m.rng.choice((5, 7))]
    at = m.rng.randrange(1, len(part))
    if part[at][0] != "increase":
        part[at] = part[at][1] if part[at][0] == "not" else ["not", part[at]]


def more_effect(m: Mutant) -> None:
    action = m.some_action()
    atom = m.rng.choice([one for one in action[5][1:] if one[0] not in ("not", "=")])
    action[7].append(m.rng.choice((atom, ["not", atom])))


def more_actions(m: Mutant) -> None:
    action = list(m.some_action())
    action[1] = "another"
    if m.rng.random() < 0.5:
        action[5] = [*action[5]]
        action[5].pop(m.rng.randrange(1, len(action[5])))
    m.domain.append(action)


def fewer_actions(m: Mutant) -> None:
    m.domain.remove(m.some_action())


def other_cost(m: Mutant) -> None:
    if section(m.domain, ":functions"):
        action = m.some_action()
        action[7] = [one for one in action[7] if one[0] != "increase"]
        if m.rng.random() < 0.7:
            action[7].append(["increase", ["total-cost"], str(m.rng.randint(0, 3))])


def no_metric(m: Mutant) -> None:
    m.problem = [one for one in m.problem if not isinstance(one, list) or one[0] != ":metric"]


STEPS = [
    step
    for name, step in list(globals().items())
    if inspect.isfunction(step) and [*inspect.signature(step).parameters] == ["m"] and not name.startswith("_")
]
"""All that is done to a mutant above, in this order."""
KEPT, CHANGED = STEPS[: STEPS.index(drop_condition)], STEPS[STEPS.index(drop_condition) :]


def mutant(seed: int, *, changed: int) -> Mutant:
    """A task with so many changes that may alter it, and up to two that do not."""
    rng = random.Random(seed)
    made = base(rng)
    made.rng = rng
    for step in [*rng.sample(KEPT, rng.randint(0, 2)), *rng.sample(CHANGED, changed)]:
        # a change may find nothing left to change
        with suppress(StopIteration, ValueError, IndexError):
            step(made)
            made.done.append(step.__name__)
    return made
