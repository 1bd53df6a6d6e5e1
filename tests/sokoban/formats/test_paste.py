"""Levels as they come out of mail, forums and web pages: read with a note, or refused."""

from pathlib import Path

import pytest
from hypothesis import given

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests.sokoban.strategies import levels

ONE = ["#######", "#@ $ .#", "#     #", "#######"]
TWO = ["  #####", "###   #", "#.$ # #", "#  *@ #", "#  ####", "####"]
EDGE = [" ######", " #    #", "#@$ . #", " ######"]
"""Another level if the blanks before its rows are taken for those of quote marks."""
PLAIN, OTHER = "\n".join(ONE), "\n".join(TWO)
READ, CLEAN = "read with a note", "read"


def each(mark: str, rows: list[str], after: str = "") -> str:
    return "".join(f"{mark}{row}{after}\n" for row in rows)


CASES: list[tuple[str, str, str | bytes, str, list[list[str]]]] = [
    ("fence or tag", "pre", f"<pre>{OTHER}</pre>", READ, [TWO]),
    ("fence or tag", "pre on lines of its own", f"<pre>\n{OTHER}\n</pre>\n", CLEAN, [TWO]),
    ("fence or tag", "pre with a class", f'<pre class="level x">{PLAIN}</pre>', READ, [ONE]),
    ("fence or tag", "pre after words", f"My level: <pre>{PLAIN}</pre> Have fun!", READ, [ONE]),
    ("fence or tag", "code in brackets", f"[code]{OTHER}[/code]", READ, [TWO]),
    ("fence or tag", "capital code", f"[CODE]{PLAIN}[/CODE]", READ, [ONE]),
    ("fence or tag", "quote in brackets", f"[quote=somebody]{PLAIN}[/quote]", READ, [ONE]),
    ("fence or tag", "three backticks", f"```{PLAIN}```", READ, [ONE]),
    ("fence or tag", "three backticks and a language", f"```text\n{OTHER}\n```", CLEAN, [TWO]),
    ("fence or tag", "a backtick a row", each("`", TWO, "`"), READ, [TWO]),
    ("fence or tag", "two fences in a post", f"First:\n```{PLAIN}```\nand\n```{OTHER}```\nbye", READ, [ONE, TWO]),
    ("fence or tag", "two pre on one line", f"<pre>{PLAIN}</pre><pre>{OTHER}</pre>", READ, [ONE, TWO]),
    ("fence or tag", "a div a row", each("<div>", TWO, "</div>"), READ, [TWO]),
    ("fence or tag", "a paragraph", f"<p>{PLAIN}</p>", READ, [ONE]),
    ("line break tag", "br at row ends", each("", TWO, "<br>"), READ, [TWO]),
    ("line break tag", "br with a slash", each("", ONE, "<br />"), READ, [ONE]),
    ("line break tag", "br and nothing else", "<br/>".join(TWO), READ, [TWO]),
    ("line break tag", "br in capitals inside pre", f"<pre>{'<BR>'.join(ONE)}</pre>", READ, [ONE]),
    ("quote marks", "with a space", each("> ", TWO), READ, [TWO]),
    ("quote marks", "without", each(">", TWO), READ, [TWO]),
    ("quote marks", "twice", each("> > ", TWO), READ, [TWO]),
    ("quote marks", "twice without", each(">>", ONE), READ, [ONE]),
    ("quote marks", "indented", each("  > ", ONE), READ, [ONE]),
    (
        "quote marks",
        "prose and two levels",
        f"> Try:\n>\n{each('> ', ONE)}>\n{each('> ', TWO)}>\n> Bye",
        READ,
        [ONE, TWO],
    ),
    ("quote marks", "without, some rows indented", each(">", EDGE), READ, [EDGE]),
    ("entities", "nbsp", OTHER.replace(" ", "&nbsp;"), READ, [TWO]),
    ("entities", "nbsp by number", OTHER.replace(" ", "&#160;"), READ, [TWO]),
    ("entities", "hexadecimal", PLAIN.replace("#", "&#x23;"), READ, [ONE]),
    ("entities", "walls by number", OTHER.replace("#", "&#35;"), READ, [TWO]),
    ("entities", "player", OTHER.replace("@", "&#64;").replace("$", "&dollar;"), READ, [TWO]),
    ("entities", "quoted in HTML", each("&gt; ", TWO), READ, [TWO]),
    ("other blanks", "no-break", OTHER.replace(" ", "\u00a0"), READ, [TWO]),
    ("other blanks", "no-break inside only", PLAIN.replace("$ .", "$\u00a0."), READ, [ONE]),
    ("other blanks", "figure space", PLAIN.replace(" ", "\u2007"), READ, [ONE]),
    ("other blanks", "ideographic space", PLAIN.replace(" ", "\u3000"), READ, [ONE]),
    ("other blanks", "zero width", each("\u200b", ONE), READ, [ONE]),
    ("tabs", "the same before all rows", each("\t", TWO), READ, [TWO]),
    ("tabs", "two before all rows", each("\t\t", TWO), READ, [TWO]),
    ("tabs", "a tab here, eight blanks there", "\t" + "\n        ".join(ONE), READ, [ONE]),
    ("tabs", "inside", "#######\n#@\t$ .#\n#     #\n#######", "E-TAB", []),
    ("doubled line ends", "a blank line after each row", "\n\n".join(TWO), READ, [TWO]),
    ("doubled line ends", "CR CR LF", "\r\r\n".join(ONE), READ, [ONE]),
    ("doubled line ends", "br and doubled", "<br>\n\n".join(ONE), READ, [ONE]),
    ("doubled line ends", "two levels", "\n\n".join(ONE) + "\n\n\nnext\n\n" + "\n\n".join(TWO), READ, [ONE, TWO]),
    ("doubled line ends", "one blank line only", "#######\n#@ $ .#\n\n#     #\n#######", "E-OPEN", []),
    ("Markdown", "backslashes", OTHER.replace("#", "\\#").replace("*", "\\*"), READ, [TWO]),
    ("Markdown", "indented by four", each("    ", TWO), CLEAN, [TWO]),
    ("UTF-16", "little-endian", PLAIN.encode("utf-16"), READ, [ONE]),
    ("UTF-16", "big-endian", b"\xfe\xff" + OTHER.encode("utf-16-be"), READ, [TWO]),
    ("UTF-16", "without a byte order mark", PLAIN.encode("utf-16-le"), "E-ENCODING", []),
    ("UTF-16", "which is UTF-32", PLAIN.encode("utf-32"), "E-ENCODING", []),
    ("UTF-16", "which is UTF-32, big-endian", b"\0\0\xfe\xff" + PLAIN.encode("utf-32-be"), "E-ENCODING", []),
    ("words around", "a letter", f"Hi,\n\nhere it is:\n\n{OTHER}\n\nBest,\nAnn\n", CLEAN, [TWO]),
    ("words around", "several levels", f"No. 1\n\n{PLAIN}\n\nNo. 2\n\n{OTHER}\n", CLEAN, [ONE, TWO]),
    (
        "words around",
        "everything at once",
        f"> Hi &amp; bye\n>\n{each('> ', [r.replace(' ', chr(160)) for r in TWO])}",
        READ,
        [TWO],
    ),
    ("not a level", "walls of another alphabet", PLAIN.replace("#", "＃"), "E-CHAR", []),
    ("not a level", "an arrow", "> > > nothing here\n> or here", "E-NOLEVEL", []),
]


def shape(level: Level) -> list[str]:
    rows = [row for row in level.rows() if row.strip()]
    indent = min(len(row) - len(row.lstrip()) for row in rows)
    return [row[indent:] for row in rows]


@pytest.mark.parametrize(("kind", "name", "data", "outcome", "wanted"), CASES, ids=[case[1] for case in CASES])
def test_pastes(kind: str, name: str, data: str | bytes, outcome: str, wanted: list[list[str]]) -> None:
    found = list(formats.read_each(data, source="p.txt"))
    if outcome.startswith("E-"):
        assert (
            [one.code for one in found if isinstance(one, SokoaspError)]
            == [outcome]
            == [getattr(one, "code", "") for one in found]
        )
        return
    assert [shape(one) if isinstance(one, Level) else one for one in found] == wanted
    notes = [[w for w in one.warnings if "N-REPAIRED" in w] for one in found if isinstance(one, Level)]
    assert all(map(bool, notes)) == (outcome == READ)


def test_a_note_says_what_was_repaired_and_where() -> None:
    (level,) = formats.read("\t" + "\n        ".join(ONE), source="p.txt")
    assert level.warnings == ("p.txt:1:1: N-REPAIRED tabs before the rows were read as blanks",)


def test_the_table_of_the_documentation_is_this_one(root: Path) -> None:
    text = (root / "docs/formats.md").read_text(encoding="utf-8").split("## Pastes")[1].split("\n## ")[0]
    rows = [row.split("|") for row in text.splitlines() if row.startswith("| ") and not row.startswith("| what")]
    assert [row[1].strip() for row in rows] == list(dict.fromkeys(case[0] for case in CASES))
    for row in rows:
        mine = {case[3] for case in CASES if case[0] == row[1].strip()}
        assert all(
            (code in mine) == (code in row[2]) for code in ("E-TAB", "E-OPEN", "E-CHAR", "E-ENCODING", "E-NOLEVEL")
        )


def test_places_are_those_of_the_file_as_written() -> None:
    text = "\n\n".join(ONE) + "\n\n\nnext\n\n" + "\n".join(["####", "#@$#", "####"])
    one, error = formats.read_each(text, source="p.txt")
    assert isinstance(one, Level) and one.line == 1
    assert isinstance(error, SokoaspError) and (error.code, error.line) == ("E-COUNT", 12)


def test_what_was_never_pasted_is_left_alone() -> None:
    text = f"; a > b &amp; <pre>#</pre>\n\n{PLAIN}\nComment:\n> #####\n> #@$.#\n> #####\nComment-End:\n\n{OTHER}\n"
    one, two = formats.read(text)
    assert (one.title, one.warnings, shape(two)) == ("a > b &amp; <pre>#</pre>", (), TWO)
    assert one.comment == "> #####\n> #@$.#\n> #####"


@given(levels())
def test_a_quoted_level_is_the_level(level: Level) -> None:
    text = formats.write([level], "xsb")
    (again,) = formats.read("".join(f"> {line}\n" for line in text.splitlines()))
    assert (again.floor, again.boxes, again.player) == (level.floor, level.boxes, level.player)


def test_a_fence_on_a_line_of_its_own_is_no_title_and_no_comment() -> None:
    (found,) = formats.read(f"```text\n{PLAIN}\n```\n")
    assert (found.title, found.comment) == ("", "")
    (found,) = formats.read(f"Try this\n```\n{PLAIN}\n```\nBye\nComment:\n```\nComment-End:\n")
    assert (found.title, found.comment) == ("Try this", "Bye\n```")


def test_quote_marks_are_taken_away_fifty_deep_and_no_deeper() -> None:
    """Each mark is a look at the whole block, so a line of 200,000 would take seconds."""
    rows = ["#####", "#@$.#", "#####"]
    (level,) = formats.read("".join(f"{'>' * 50}{row}\n" for row in rows))
    assert level.rows() == tuple(rows)
    with pytest.raises(SokoaspError):
        formats.read("".join(f"{'>' * 51}{row}\n" for row in rows))
