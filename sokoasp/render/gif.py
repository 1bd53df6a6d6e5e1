"""An animated GIF of a plan, drawn with Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sokoasp.domain import P
from sokoasp.picture.scene import Positions
from sokoasp.picture.theme import LIGHT
from sokoasp.render.pictures import scene
from sokoasp.render.raster import require, shrunk, stage_of

if TYPE_CHECKING:
    from PIL.Image import Image

FRAMES = 600
"""Most frames of an animation; longer plans skip moves evenly."""
PIXELS = 160_000_000
"""Most pixels of all frames together: large boards get fewer frames, so that no plan takes more than about 0.5 GB."""


def gif(problem: P, plan: Any, *, seconds_per_move: float = 0.12) -> bytes:
    """Draw a plan as an animated GIF, one frame a move, a pause at both ends; it loops.

    Raises:
        IllegalPlan: The plan breaks the rules.
        MissingExtra: Pillow is not installed.
    """
    require("GIF animation")
    from PIL import Image, ImageDraw

    parts = scene(problem)
    line, stage = parts.timeline(plan), stage_of(parts)
    ground = Image.new("RGB", stage.size, LIGHT["paper"])
    artist = parts.artist(stage)
    artist.ground(ImageDraw.Draw(ground))
    palette = Image.new("P", (1, 1))
    palette.putpalette(_palette())
    frames: list[Image.Image] = []
    most = min(FRAMES, max(2, 4 * PIXELS // (stage.size[0] * stage.size[1])))
    for at in _chosen(artist.first, line["moves"], most):
        frame = ground.copy()
        artist.things(ImageDraw.Draw(frame), at)
        frames.append(shrunk(frame, stage).quantize(palette=palette, dither=Image.Dither.NONE))
    return _joined(frames, seconds_per_move)


def _joined(frames: Sequence[Image], seconds: float) -> bytes:
    pause = 900
    times = [pause, *[max(20, round(1000 * seconds))] * (len(frames) - 2), 2 * pause][: len(frames)]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=False)
    return out.getvalue()


def _chosen(positions: Positions, moves: Sequence[Sequence[Sequence[Any]]], most: int) -> list[Positions]:
    """Return the positions of every frame: all of them, or evenly picked ones with the first and the last."""
    every = [positions]
    for move in moves:
        after = dict(every[-1])
        for name, drow, dcol in move:
            after[name] = (after[name][0] + drow, after[name][1] + dcol)
        every.append(after)
    if len(every) <= most:
        return every
    return [every[round(number * (len(every) - 1) / (most - 1))] for number in range(most)]


def _palette() -> list[int]:
    """Return the theme's colours, and mixes of each with black and white for the edges, as a GIF palette."""
    colours = sorted(set(LIGHT.values()) | {"#FFFFFF", "#000000"})
    plain = [tuple(int(value[at : at + 2], 16) for at in (1, 3, 5)) for value in colours]
    partners = [
        tuple(int(LIGHT[name][at : at + 2], 16) for at in (1, 3, 5))
        for name in ("floor", "box-line", "player-line", "wall")
    ]
    mixes = [tuple((a + b) // 2 for a, b in zip(one, other, strict=True)) for one in plain for other in partners]
    flat = [channel for colour in (plain + mixes)[:256] for channel in colour]
    return flat + [0] * (768 - len(flat))
