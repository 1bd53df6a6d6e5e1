"""How a mistake of the command line is told: one sentence, the command first, and the nearest name there is."""

from __future__ import annotations

import re

import click

from sokoasp.core.nearest import meant, nearest, nearest_or_all

_SAME = (
    "--time-limit --timeout --time --limit --seconds --max-time --wall-time --search-time-limit -t -T",
    "--memory-limit --memory --mem --max-memory --search-memory-limit -m -M",
    "--format --to --outf --output-format --notation -f",
    "--output --out --outfile --output-file --plan-file --dir --folder",
    "--engine --solver --search --algorithm --planner --alias -e",
    "--encoding --program --encodings -p",
    "--models --all --number --nb -n",
    "--at-most --max-steps --max-plan-length --imax --upper-bound --horizon",
    "--steps --length --nsteps --makespan",
    "--level --number --index --instance -l",
    "--objective --cost --metric --minimize --optimize --optimise --lines --pushes --moves",
    "--clingo-option --seed --rand-freq --threads --configuration --config --parallel-mode --heuristic --stats -c -s",
    "--progress --verbose --quiet --verbosity --log -v -q",
    "--workers --threads --jobs --processes --parallel -j",
    "--constraints --extra --rules",
    "--count --project --enumerate",
    "--suite --levels --instances",
    "--json --outf=2 --format-json",
    "--version -V",
    "--no-cross-check --fast",
    "--plan --solution --known",
    "check verify validate referee",
    "serve play",
    "translate convert",
    "render draw show picture",
    "improve shorten optimize optimise",
    "diff compare",
    "grade mark test",
    "bench ground benchmark measure",
    "run start resume",
    "export csv",
    "view table",
    "--help help",
)
"""Our options and commands, each before the words by which others (clingo, Fast Downward, Lab, runsolver) call the same."""


class Mistake(click.ClickException):
    """What was typed is no command: one line, without the usage, and exit code 2."""

    exit_code = 2

    def __init__(self, error: click.UsageError) -> None:
        super().__init__(f"{_place(error)}{_sentence(error)}")

    def show(self, file: object = None) -> None:
        """Print it on stderr as every other error is printed."""
        click.echo(f"error: {self.message}", err=True)


def _place(error: click.UsageError) -> str:
    """Return the command, and the option or argument that is wrong."""
    command = "" if error.ctx is None else f"{error.ctx.command_path}: "
    if isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter):
        hints = [error.param_hint] if isinstance(error.param_hint, str) else list(error.param_hint or ())
        if not hints and error.param is not None:
            hints = [_name(error.param)]
        return command + "".join(f"{hint}: " for hint in hints)
    return command


def _name(param: click.Parameter) -> str:
    """Return what the help calls an option or argument."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return (param.metavar or param.name or "").split("...")[0].upper().strip("[].")


def _sentence(error: click.UsageError) -> str:
    """Return what is wrong as one sentence, and the name that was meant."""
    if isinstance(error, click.NoSuchOption):
        return _no_such_option(error)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        if isinstance(error.param, click.Option):
            return f"the option {_name(error.param)} is missing: {error.param.help or ''}".rstrip(". :")
        return f"{_name(error.param)} is missing"
    message = error.message.rstrip(".")
    if found := re.match(r"'?(.*?)'? is not one of (.*)", message):
        choices = re.findall(r"'(.*?)'", found[2])
        flags = [] if error.ctx is None else [flag for param in error.ctx.command.params for flag in param.opts]
        near = f"--{found[1]}" if f"--{found[1]}" in flags else ""
        return f"there is no {found[1]!r}{meant(near) or nearest_or_all(found[1], choices)}"
    if (found := re.match(r"No such command '(.*?)'", message)) and isinstance(error.ctx, click.Context):
        group = error.ctx.command
        names = group.list_commands(error.ctx) if isinstance(group, click.Group) else []
        near = _same(found[1], [*names, "--help"])
        return f"there is no command {found[1]!r}{meant(near) or nearest_or_all(found[1], names)}"
    return message[:1].lower() + message[1:] if re.match(r"[A-Z][a-z]", message) else message


def _no_such_option(error: click.NoSuchOption) -> str:
    typed = error.option_name
    known = [
        flag
        for param in (() if error.ctx is None else error.ctx.command.get_params(error.ctx))
        if isinstance(param, click.Option) and not param.hidden
        for flag in (*param.opts, *param.secondary_opts)
    ]
    near = _same(typed, known)
    names = [one[2:] for one in known if one[:2] == "--"]
    begun = (one for one in names if one.startswith(typed[2:]))
    if not near and (close := typed[2:] and (next(begun, "") or nearest(typed[2:], names))):
        near = f"--{close}"
    help_or = "; > FILE keeps what it prints" if typed in ("-o", "--output") else "; see --help"
    return f"there is no option {typed}{meant(near) or help_or}"


def _same(typed: str, known: list[str]) -> str:
    """Return the known word for what other programs, or earlier versions, call otherwise; empty if there is none."""
    lines = (line.split() for line in _SAME)
    return next((one for line in lines if typed in line for one in line if one in known), "")
