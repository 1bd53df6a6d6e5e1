#!/usr/bin/env bash
# langgoap, a planner for agents: its A* takes every open condition of the goal for a cost of 1, and misses the cheapest plan.
#
# One would guess: the README says that the planner finds the cheapest sequence of tool calls that reaches the goal, by a
#   classical A* search over the costs that the user gives, and that A* minimizes the total cost.
# What happens: the estimate of a state is the number of goal conditions that do not hold yet. The source calls it admissible.
#   It is too high as soon as one action fulfils two conditions, or costs less than 1. Below, a report is to be translated,
#   checked and published. Three tools do one thing each; a suite does all three once one has logged in. Every tool costs
#   the default of 1, the suite way costs 2, and the plan returned costs 3. In dollars it is worse: a scan by hand for 0.90 is
#   preferred to scanning and reading by machine for 0.03 in all. The same in cents is right, so the plan depends on the
#   unit. Nothing in the plan or its metadata says that it need not be the cheapest.
# For whom: whoever lets an agent choose among tools that are paid for: calls cost cents, and tools do several things at once.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q langgoap==0.1.2 langgraph==1.2.24 ortools==9.15.6755

cat >tools.py <<'END'
import heapq

from langgoap import ActionSpec, GoalSpec, plan


def tool(name, needs, gives, **cost):
    return ActionSpec(name=name, preconditions=dict.fromkeys(needs, True), effects=dict.fromkeys(gives, True), **cost)


def cheapest(goal, tools):
    """The least cost by uniform-cost search, conditions only being added."""
    queue, done = [(0, [])], set()
    while queue:
        cost, facts = heapq.heappop(queue)
        if goal <= set(facts):
            return cost
        if tuple(facts) not in done:
            done.add(tuple(facts))
            for one in tools:
                if set(one.preconditions) <= set(facts):
                    heapq.heappush(queue, (cost + one.get_cost(), sorted({*facts, *one.effects})))


def tell(title, goal, tools):
    found = plan({}, GoalSpec(conditions=dict.fromkeys(goal, True)), tools)
    names = ", ".join(sorted(action.name for action in found.actions))
    print(f"{title}: {names}, cost {found.total_cost:g}; cheapest {cheapest(set(goal), tools):g}")


wanted = ("translated", "checked", "published")
single = [tool(name, (), (gives,)) for name, gives in zip(("translate", "check", "publish"), wanted)]
tell("default costs", wanted, [*single, tool("log in", (), ("session",)), tool("suite", ("session",), wanted)])
for unit, factor in (("dollars", 1), ("cents", 100)):
    tools = [
        tool("by hand", (), ("text",), cost=0.90 * factor),
        tool("scan", (), ("image",), cost=0.01 * factor),
        tool("read", ("image",), ("text",), cost=0.02 * factor),
    ]
    tell(unit, ("text",), tools)
END

venv/bin/pip list 2>/dev/null | grep -iE '^langgoap '
venv/bin/python tools.py | tee out

grep -qx "cents: read, scan, cost 3; cheapest 3" out
if ! grep -qx "default costs: check, publish, translate, cost 3; cheapest 2" out ||
  ! grep -qx "dollars: by hand, cost 0.9; cheapest 0.03" out; then
  echo "the plan is the cheapest now"
  exit 1
fi
