"""The requests of the page; docs/web.md lists them. All are POST with a JSON object, all errors are ``{"error": sentence}``."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from sokoasp import render
from sokoasp.core import jit
from sokoasp.core.errors import SokoaspError
from sokoasp.domain import Problem, domain_of
from sokoasp.sokoban.search import MODULES
from sokoasp.web import asp_window, known_optimum, serialization
from sokoasp.web.middleware import read_body
from sokoasp.web.pool import Busy, Pool
from sokoasp.web.serialization import HttpRefusal
from sokoasp.web.settings import Settings

Body = Mapping[str, Any]
Events = AsyncGenerator[dict[str, Any], None]


COMPILING = 600.0
"""Seconds that compiling the native search may take, which happens once."""
LINGER = 0.5
"""Seconds a player's quick question may go on when the next move has made it idle: about what a new process takes to start."""
STARTING = 60.0
"""Seconds that a quick question may wait for its turn and a worker to start."""


@dataclass(slots=True)
class Service:
    """The settings, the examples and the pools: for solving, for the quick questions of a player, for the background."""

    settings: Settings
    examples: Mapping[str, str]
    solvers: Pool = field(init=False)
    quick: Pool = field(init=False)
    background: Pool = field(init=False)
    measured: Pool = field(init=False)
    """For boards whose positions are measured once and kept by the one worker."""
    known: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """What the background has found out, by problem and objective; the oldest goes first."""
    compiled: bool = False
    """Nothing is left to compile: no question has to wait for that any more."""

    def __post_init__(self) -> None:
        memory = self.settings.memory_mb
        self.solvers = Pool(self.settings.workers, self.settings.waiting, memory)
        self.quick = Pool(1, self.settings.waiting, memory, linger=LINGER)
        self.background = Pool(1, self.settings.waiting, memory, niceness=10, linger=LINGER)
        self.measured = Pool(1, self.settings.waiting, memory, linger=LINGER)

    async def compile(self) -> None:
        """Have the native search compiled in a process of its own, if it is not yet."""
        if not await run_in_threadpool(lambda: not jit.available() or jit.ready(MODULES)):
            pool = Pool(1, 0, self.settings.memory_mb)
            try:
                async with contextlib.aclosing(pool.run({"do": "warm"}, COMPILING)) as events:
                    async for _ in events:
                        pass
            finally:
                await pool.close()
        self.compiled = True

    def patience(self, seconds: float) -> float:
        """Return how long a worker may take for a search with this limit in seconds: compiling does not count."""
        return seconds if self.compiled else seconds + COMPILING


def open_text(service: Service, body: Body) -> Response:
    """Read a text, or an example by its name, and return its problems."""
    if "example" in body:
        name = serialization.text_of(body, "example")
        if name not in service.examples:
            raise HttpRefusal(404, f"there is no example {name!r}")
        return JSONResponse(serialization.open_text(service.examples[name], name))
    return JSONResponse(
        serialization.open_text(serialization.text_of(body, "text"), serialization.text_of(body, "name", ""))
    )


def program(_service: Service, body: Body) -> Response:
    """Return the facts of a problem, the plain program for an objective, and the faulty examples."""
    problem = serialization.problem_of(body)
    domain = domain_of(problem)
    objective = serialization.objective_of(body, domain)
    return JSONResponse(asp_window.show(problem, objective))


def export(_service: Service, body: Body) -> Response:
    """Return a picture, a player page or an animation as a file."""
    problem = serialization.problem_of(body)
    form = serialization.word_of(body, "format", ("svg", "html", "gif"), "svg")
    domain = domain_of(problem)
    text = serialization.text_of(body, "plan", "")
    plan = domain.read_plan(problem, text, "plan") if text else None
    if plan is None and form != "svg":
        raise HttpRefusal(400, f"{form} shows a plan, and none was given")
    if form == "svg":
        return Response(render.storyboard(problem, plan) if plan else render.svg(problem), media_type="image/svg+xml")
    if form == "html":
        kind = "application/octet-stream"
        return Response(render.html_player(problem, plan), media_type=kind)
    return Response(render.gif(problem, plan), media_type="image/gif")


async def deadlock(service: Service, body: Body) -> Response:
    """Look for a deadlock for a short while, counted from when a worker looks at it."""
    await run_in_threadpool(serialization.level_of, body)
    job = {"do": "deadlock", "problem": body["problem"], "start": body.get("start")}
    if job["start"] is not None:
        await run_in_threadpool(serialization.level_of, job, "start")
    seconds = service.settings.deadlock_seconds
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STARTING) as timer, contextlib.aclosing(service.quick.run(job, STARTING)) as events:
            async for event in events:
                if event["event"] == "began":
                    timer.reschedule(asyncio.get_running_loop().time() + seconds)
                if event["event"] == "verdict":
                    del event["event"]
                    return JSONResponse(event)
                if event["event"] == "error":
                    return JSONResponse({"verdict": "undecided", "reason": event["sentence"]})
    return JSONResponse({"verdict": "undecided", "reason": f"not decided within {seconds:g} s"})


async def solve(service: Service, body: Body) -> Response:
    """Solve a problem: a stream of JSON lines that ends with ``result`` or ``error``; closing the connection cancels it."""
    problem = await run_in_threadpool(serialization.problem_of, body)
    domain = domain_of(problem)
    objective, seconds = serialization.objective_of(body, domain), serialization.seconds_of(body, service.settings)
    engine = serialization.word_of(body, "engine", ("asp", *domain.native), "asp")
    job = _job(service, body, "solve", seconds, objective=objective, engine=engine)
    looked_up = engine == MEASURED
    if looked_up:
        job["positions"] = service.settings.positions
    return await _stream((service.measured if looked_up else service.solvers).run(job, service.patience(seconds)))


async def shorten(service: Service, body: Body) -> Response:
    """Shorten a plan: a stream like that of ``solve``; the plan comes back as it was if nothing better is found."""
    problem = await run_in_threadpool(serialization.problem_of, body)
    domain = domain_of(problem)
    if domain.improve is None:
        raise HttpRefusal(400, f"plans of {domain.name} are not shortened")
    plan = serialization.text_of(body, "plan")
    await run_in_threadpool(_referee, problem, plan)
    objective, seconds = serialization.objective_of(body, domain), serialization.seconds_of(body, service.settings)
    job = _job(service, body, "shorten", seconds, plan=plan, objective=objective)
    return await _stream(service.solvers.run(job, service.patience(seconds)))


def _job(service: Service, body: Body, do: str, seconds: float, **more: Any) -> dict[str, Any]:
    """Return what a worker is asked about a problem."""
    memory = service.settings.memory_mb
    return {"do": do, "problem": body["problem"], "seconds": seconds, "memory_mb": memory, **more}


def _referee(problem: Problem, plan: str) -> None:
    """Refuse a plan that is not one, or does not solve the problem.

    Raises:
        SokoaspError: See the referee.
    """
    domain = domain_of(problem)
    domain.validate(problem, domain.read_plan(problem, plan, "plan"), None)


async def _stream(events: Events) -> Response:
    """Return a worker's events as a stream, once its first event says that there is room for the job.

    Raises:
        HttpRefusal: Too many jobs are waiting.
    """
    try:
        first = await anext(events)
    except Busy:
        raise HttpRefusal(503, "too many problems are waiting to be solved; try again later") from None
    return _lines(events, first)


MEASURED = "database"
"""The engine that keeps what it has measured, so all its questions go to one process."""
MOST_KNOWN = 2000


async def truth(service: Service, body: Body) -> Response:
    """Return what is proved of a problem: a stream of ``truth`` lines, one an objective, and ``end``."""
    problem = await run_in_threadpool(serialization.problem_of, body)
    name = json.dumps([body["problem"].get(key) for key in ("game", "head", "rows")])
    known = service.known.pop(name, {})
    service.known[name] = known
    while len(service.known) > MOST_KNOWN:
        del service.known[next(iter(service.known))]
    for objective, found in await run_in_threadpool(lambda: list(known_optimum.tabled(problem, known))):
        known[objective] = {"event": "truth", **found}
    return _lines(_truths(service, body, known, whole=not known_optimum.wanted(problem, known)))


async def _truths(service: Service, body: Body, known: dict[str, dict[str, Any]], *, whole: bool) -> Events:
    """Return what is known at once; unless that is the whole of it, have a worker search for the rest."""
    for event in list(known.values()):
        yield event
    if whole:
        yield {"event": "end"}
        return
    seconds = service.settings.truth_seconds
    job = _job(service, body, "truth", seconds, have=list(known))
    async for event in _in_background(service, job, service.patience(seconds)):
        if event["event"] == "truth":
            known[event["objective"]] = event
        yield event


async def losses(service: Service, body: Body) -> Response:
    """Return where a play lost pushes or slides: a stream of ``total`` lines and ``end``."""
    problem = await run_in_threadpool(serialization.problem_of, body)
    if domain_of(problem).positions is None:
        raise HttpRefusal(400, f"{domain_of(problem).name} has no search for where a play lost")
    seconds = service.settings.truth_seconds
    job = _job(service, body, "losses", seconds, plan=serialization.text_of(body, "plan"))
    return _lines(_in_background(service, job, service.patience(seconds)))


async def generate(service: Service, body: Body) -> Response:
    """Make a level: ``problem`` (null when none was found) and a ``note`` with its proved optimum."""
    given = {"min_pushes": WISHES["min_pushes"][0], "max_pushes": WISHES["max_pushes"][1], **body}
    wish = {name: serialization.number_of(given, name, low, high) for name, (low, high) in WISHES.items()}
    seconds = service.settings.generate_seconds
    job = {"do": "generate", "wish": wish, "seconds": seconds}
    return JSONResponse(await _answered(service, job, seconds, "made"))


async def certify(service: Service, body: Body) -> Response:
    """Make a certificate of what was proved, check it, and return it as a zip file in base64 with what the checker says."""
    problem = await run_in_threadpool(serialization.problem_of, body)
    domain = domain_of(problem)
    objective, plan = serialization.objective_of(body, domain), serialization.text_of(body, "plan", "")
    seconds = service.settings.certify_seconds
    job = _job(service, body, "certify", seconds, objective=objective, plan=plan)
    patience = 2 * seconds + COMPILING  # its checkers may have to be compiled
    return JSONResponse(await _answered(service, job, patience, "certified"))


async def why(service: Service, body: Body) -> Response:
    """Say why there is no plan of ``bound`` lines: ``cells`` of goals that cannot all be served, null if that is not known."""
    await run_in_threadpool(serialization.level_of, body)
    seconds = service.settings.asp_seconds
    job = _job(service, body, "why", seconds, bound=serialization.number_of(body, "bound", 0, 10_000))
    return JSONResponse(await _answered(service, job, seconds, "why"))


WISHES = {
    "rows": (4, 20),
    "cols": (4, 20),
    "boxes": (1, 6),
    "min_lines": (1, 60),
    "min_pushes": (1, 200),
    "max_pushes": (1, 999),
    "seed": (0, 2**31),
}
"""What may be wished of a generated level."""


async def _in_background(service: Service, job: dict[str, Any], seconds: float) -> Events:
    try:
        async with contextlib.aclosing(service.background.run(job, seconds)) as events:
            async for event in events:
                yield event
    except Busy:
        yield {"event": "error", "sentence": "too many questions are waiting"}


async def _answered(service: Service, job: dict[str, Any], seconds: float, name: str) -> dict[str, Any]:
    """Return what the background's event of this name says.

    Raises:
        HttpRefusal: The job ended with an error, or without such an event.
    """
    async for event in _in_background(service, job, seconds):
        if event["event"] == name:
            return {key: value for key, value in event.items() if key != "event"}
        if event["event"] == "error":
            raise HttpRefusal(422, event["sentence"])
    raise HttpRefusal(503, "no answer")


async def asp(service: Service, body: Body) -> Response:
    """Run the user's program or constraints in a worker: a stream like that of ``solve``, with the atoms of each step."""
    problem = await run_in_threadpool(serialization.problem_of, body)
    domain = domain_of(problem)
    more: dict[str, Any] = {name: serialization.text_of(body, name, "") for name in ("program", "constraints")}
    more |= {"objective": serialization.objective_of(body, domain), "memory_mb": service.settings.memory_mb / 2}
    job = _job(service, body, "asp", min(service.settings.seconds, service.settings.asp_seconds), **more)
    asp_window.check(job["program"], job["constraints"])
    return await _stream(service.solvers.run(job, job["seconds"]))


def _lines(events: Events, *first: dict[str, Any]) -> Response:
    """Return events, and the first ones if they are taken already, as JSON lines; they are closed when the client goes away."""

    def line(event: dict[str, Any]) -> bytes:
        return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    async def lines() -> AsyncGenerator[bytes, None]:
        async with contextlib.aclosing(events):
            for event in first:
                yield line(event)
            async for event in events:
                yield line(event)

    return StreamingResponse(lines(), media_type="application/x-ndjson", headers={"cache-control": "no-store"})


QUICK: dict[str, Callable[[Service, Body], Response]] = {"open": open_text, "program": program, "export": export}
"""Requests answered at once, in a thread."""
SLOW: dict[str, Callable[[Service, Body], Awaitable[Response]]] = {
    "deadlock": deadlock,
    "solve": solve,
    "shorten": shorten,
    "truth": truth,
    "losses": losses,
    "generate": generate,
    "asp": asp,
    "why": why,
    "certify": certify,
}
"""Requests answered by a worker process."""


def routes(service: Service) -> list[Route]:
    """Return the routes of the interface."""
    return [
        *(Route(f"/api/{name}", _quick(service, act), methods=["POST"]) for name, act in QUICK.items()),
        *(Route(f"/api/{name}", _slow(service, act), methods=["POST"]) for name, act in SLOW.items()),
    ]


def _quick(service: Service, act: Callable[[Service, Body], Response]) -> Callable[[Request], Awaitable[Response]]:
    async def in_thread(_service: Service, body: Body) -> Response:
        return await run_in_threadpool(act, service, body)

    return _slow(service, in_thread)


def _slow(
    service: Service, act: Callable[[Service, Body], Awaitable[Response]]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return await act(service, await read_body(request))
        except HttpRefusal as error:
            return JSONResponse({"error": error.sentence}, error.status)
        except SokoaspError as error:
            return JSONResponse({"error": str(error)}, 422)

    return endpoint
