"""The corner cases of level files, one row each: what is read, what is warned of, what is refused and where."""

import pytest

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.domain import domain_for
from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.level import Level

PLAIN = "#####\n#@$.#\n#####\n"
SECOND = "######\n#.$ @#\n######\n"


def board(rows: str) -> str:
    return rows.replace("|", "\n") + "\n"


GOOD: list[tuple[int, str | bytes, str]] = [
    (1, PLAIN, ""),
    (2, PLAIN.replace("\n", "\r\n"), ""),
    (3, PLAIN.replace("\n", "\r"), ""),
    (4, b"\xef\xbb\xbf" + PLAIN.encode(), ""),
    (6, "Größe\n\n".encode("latin-1") + PLAIN.encode(), "W-ENCODING"),
    (7, "倉庫番\n\n" + PLAIN + "Author: 今林\n", ""),
    (9, PLAIN.replace("\n", "   \n"), ""),
    (10, board("    #####|    #@$.#|    #####"), ""),
    (11, board("#######|#@-$_.#|#-  _ #|#######"), ""),
    (12, board("--#####|--#@$.#--|--#####--"), ""),
    (15, board("WWWWWW|Wp-b.W|WPWB-W|WWWWWW").replace("P", "-"), ""),
    (25, board("#####  *|#@$.#|#####  *"), "W-OUTSIDE"),
    (29, board("#####   ###|#@$.#   #-#|#####   # #"), "W-OPEN"),
    (30, board("##########|#@$.##   #|######   #|#     ####|#   ######|##########"), ""),
    (31, board("#####|#@$.#|#####|-----|#####"), ""),
    (33, board("#####|#@* #|#####"), "W-CIRCULAR"),
    (34, board("######|#@**-#|######"), "W-CIRCULAR"),
    (35, board("######|#+$-$#|#  . #|######"), ""),
    (37, board("####|#@ ###|# $ .#|######"), ""),
    (38, "5#|#@$.#|5#\n", ""),
    (39, "2(2#)#|#@$.#|5#\n", ""),
    (40, "5#|#@$.#|5#|\n", ""),
    (46, "5#\n#@$.#\n5#|\n", ""),
    (46, board("6#|#@$.##|6#"), ""),
    (46, "######\n#@$.2#|\n######\n", ""),
    (57, '<SokobanLevels><LevelCollection><Level Id="a" Width="9" Height="3">'
         "<L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>", "W-SIZE"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "data", "warning"), GOOD, ids=[str(row[0]) for row in GOOD])
def test_accepted(case: int, data: str | bytes, warning: str) -> None:
    (level,) = formats.read(data, source="case")
    found = " ".join(level.warnings)
    assert warning in found if warning else not found
    again = formats.read(formats.write([level], "sok"))[0]
    assert again == level


def test_roman_numerals_are_titles() -> None:
    found = formats.read("\n".join(f"{title}\n{PLAIN}" for title in ("X", "XIX", "XXX")))
    assert [level.title for level in found] == ["X", "XIX", "XXX"]


def test_a_row_of_boxes_on_goals_belongs_to_the_board_it_stands_on() -> None:
    (level,) = formats.read(f"Title\n*****\n{PLAIN}", source="a")
    assert level.title == "Title" and level.warnings[0].startswith("a:2:1: W-OUTSIDE 5 boxes on goals")
    with pytest.raises(SokoaspError, match="E-OPEN"):
        formats.read("*****\n#@$.#\n#####\n")


BAD: list[tuple[int, str | bytes, str, str]] = [
    (5, PLAIN.encode("utf-16-le"), "E-ENCODING", "1:1"),
    (8, board("#####|#@\t$.|######"), "E-TAB", "2:3"),
    (14, board("＃＃＃＃＃|＃@$.＃|＃＃＃＃＃"), "E-CHAR", "1:1"),
    (14, board("█████|█@$.█|█████"), "E-CHAR", "1:1"),
    (16, board("#####|#m$.#|#####"), "E-CHAR", "2:2"),
    (17, board("XXXXX|X@*.X|XXXXX"), "E-DIALECT", "1:1"),
    (17, board("#####|#&$.#|#####"), "E-DIALECT", "2:2"),
    (17, board("######|#@$ x#|######"), "E-CHAR", "2:5"),
    (18, board("######|#@!$.#|######"), "E-CHAR", "2:3"),
    (18, "5#|#@!$.#|5#\n", "E-CHAR", "1"),
    (18, board("########|#@ $ . #|#   3#  #|########"), "E-CHAR", "3:5"),
    (18, board("#####|#@$.#|#-- #|#2- #|#####"), "E-CHAR", "4:2"),
    (18, board("########|#@ $ . #|#    2#|########"), "E-CHAR", "3:6"),
    (19, board("#####|# $.#|#####"), "E-NOPLAYER", "1"),
    (20, board("######|#@$.@#|######"), "E-PLAYERS", "2:5"),
    (21, board("#####|#@  #|#####"), "E-NOBOX", "1"),
    (22, board("#######|#@$$ .#|#######"), "E-COUNT", "1"),
    (23, board("#######|#@$ ..#|#######"), "E-COUNT", "1"),
    (24, board("########|#@$ .#.#|# $  # #|########"), "E-COUNT", "1"),
    (26, board("#######|#@$.#$#|#######"), "E-OUTSIDE", "2:6"),
    (27, board("#######|#@$.#.#|#######"), "E-OUTSIDE-GOAL", "2:6"),
    (28, board("#####|#@$.|#####"), "E-OPEN", "2:5"),
    (32, board("#####|#@$.#||#   #|#####"), "E-OPEN", "2:2"),
    (36, "#@$.#\n", "E-OPEN", "1:2"),
    (41, "5#|#@$.#|5#3\n", "E-RLE", "1:12"),
    (42, "2(2##|#@$.#|5#\n", "E-RLE", "1:2"),
    (42, "5#|#@$.#)|5#\n", "E-RLE", "1:9"),
    (43, "5#|#@0-$.#|5#\n", "E-RLE", "1:6"),
    (44, "99999999#|#@$.#|5#\n", "E-SIZE", "1:9"),
    (44, "9(" * 40 + "#" + ")" * 40 + "|#@$.#|5#\n", "E-SIZE", "1:87"),
    (45, "5#\n#@2(\n$.)#\n5#\n", "E-RLE", "2:4"),
    (53, PLAIN + "Comment:\nnever closed\n", "E-COMMENT", "4:1"),
    (56, PLAIN + "Game: Hexoban\n", "E-VARIANT", "4:1"),
    (58, '<!DOCTYPE x [<!ENTITY a "b">]><SokobanLevels/>', "E-XML", "1:25"),
    (59, "<SokobanLevels><LevelCollection><Level><L>####</L><L>#  ###</L><L># $.@#</L><L>#  ###</L><L>####</L>"
         "</Level><Level><L>######</L>\n<L>#@$.</L>\n<L>######</L></Level></LevelCollection></SokobanLevels>",
     "E-OPEN", "2"),
    (68, "", "E-NOLEVEL", "1:1"),
    (68, "just some words\n", "E-NOLEVEL", "1:1"),
    (71, board("#" * 300 + ("|#" + "-" * 298 + "#") * 199 + "|#@$." + "#" * 296 + "|" + "#" * 300), "E-SIZE", "1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "data", "code", "place"), BAD, ids=[f"{row[0]}-{row[2]}-{n}" for n, row in enumerate(BAD)]
)
def test_refused(case: int, data: str | bytes, code: str, place: str) -> None:
    with pytest.raises(SokoaspError) as caught:
        formats.read(data, source="case.x")
    assert caught.value.code == code and caught.value.place == f"case.x:{place}"
    assert caught.value.exit_code == 30


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("######|#@＃$.#|######", r"U\+FF03"),
        ("######|#@$.@#|######", "line 2 column 2, line 2 column 5"),
        ("6#|#@$.@#|6#", r"row 2 column 2, row 2 column 5 \(row 2, column 5 of the board, counted from 1"),
        ("#######|#@$$ .#|#######", r"2 boxes, 1 goal$"),
        (
            "########|#@$ .#.#|# $  # #|########",
            r"1 goal that the player can reach \(2 boxes, 2 goals in all",
        ),
        ("#####|#@$.#||#   #|#####", "blank line inside the board"),
    ],
)
def test_what_is_wrong_is_named(rows: str, message: str) -> None:
    with pytest.raises(SokoaspError, match=message):
        formats.read(board(rows))


@pytest.mark.parametrize("case", [25, 30])
def test_25_30_outside_is_not_in_the_facts(case: int) -> None:
    text = next(row[1] for row in GOOD if row[0] == case)
    (level,) = formats.read(text)
    again = facts.read(facts.write(level))
    assert again.floor == level.floor and len(again.boxes) == 1


def test_33_solved_level_has_the_empty_solution_and_one_step() -> None:
    (level,) = formats.read(board("#####|#@* #|#####"))
    plan, warnings = lurd.check_solution(level, "")
    assert (plan.actions, plan.lurd, warnings) == ((), "", ())
    text = facts.write(level, steps=1)
    assert "step(1)." in text
    assert "next(" not in text


def test_35_player_and_goal_share_a_constant() -> None:
    (level,) = formats.read(board("######|#+$-$#|#  . #|######"))
    text = facts.write(level)
    assert "solution(c2r2)." in text and "sokoban(c2r2)." in text


DOWN = board("###|#@#|#$#|#.#|###")
LONG = "rrrrllllllllllllllllllllll"
NOTES: list[tuple[str, list[dict[str, object]]]] = [
    (f"{PLAIN}; 2\n{SECOND}", [{"title": ""}, {"title": "2"}]),
    (f"Some notes here.\nMore notes.\n\nThe first\n\n{PLAIN}", [{"title": "The first"}]),
    (f"Only line\n{PLAIN}", [{"title": "Only line"}]),
    (f"Line\n\n{PLAIN}Title: Key\n", [{"title": "Key", "comment": "Line"}]),
    (f"{PLAIN}Author: A\nAuthor: B\n", [{"author": "B", "comment": "Author: A"}]),
    (f"{PLAIN}Comment:\nfirst\n\n{SECOND}last\nComment-End:\n", [{"comment": f"first\n\n{SECOND}last"}]),
    (f":: a remark ::\n\n:: Title: no ::\n{PLAIN}:: more\n", [{"title": "", "comment": "", "line": 4}]),
    (
        f"Collection: Ours\nAuthor: All\n\nOne\n\n{PLAIN}Author: Me\n\nTwo\n\n{SECOND}",
        [
            {"collection": "Ours", "author": "Me", "title": "One"},
            {"collection": "Ours", "author": "All", "title": "Two"},
        ],
    ),
    (f"Title: Ours\n\nOne\n\n{PLAIN}", [{"collection": "Ours", "title": "One"}]),
    (f"Title: One\n\n{PLAIN}", [{"collection": "", "title": "One"}]),
    (f"Title: One\n{PLAIN}\nTitle: Two\n{SECOND}", [{"title": "One"}, {"title": "Two"}]),
    (f"{PLAIN}Title: One\n\n{SECOND}Title: Two\n", [{"title": "One"}, {"title": "Two"}]),
    (
        f"Title: Ours\nAuthor: All\n\nTitle: One\nAuthor: Me\n{PLAIN}\nTitle: Two\n{SECOND}",
        [
            {"collection": "Ours", "title": "One", "author": "Me"},
            {"collection": "Ours", "title": "Two", "author": "All"},
        ],
    ),
    (
        f"{PLAIN}\nSome notes\n\nTime: 1\n\nFirst\n\n{LONG}\nuuu\n\nSecond\n\nR\n\nNext\n\n{SECOND}",
        [{"solutions": (f"{LONG}uuu", "R"), "comment": "Some notes\nTime: 1\nFirst\nSecond"}, {"title": "Next"}],
    ),
    *(
        (
            f"{PLAIN}\n{head}\nrR\nSolution/Pushes\nrRR\n",
            [{"solutions": ("rRR",), "comment": f"{head}\nrR\nSolution/Pushes"}],
        )
        for head in ("Snapshot", "Savegame 3/1", "Saved game (Ann)")
    ),
    (f"{PLAIN}\n{'l' * 8}\n\nmore\n", [{"solutions": ("l" * 8,)}]),
    (f"{PLAIN}\n{'l' * 7}\n\nmore\n", [{"solutions": ()}]),
    # of words that look like moves five are replayed
    (PLAIN + "\n" + "Dull\n\n" * 4 + "R\n\nmore\n", [{"solutions": ("R",)}]),
    (PLAIN + "\n" + "Dull\n\n" * 5 + "R\n\nmore\n", [{"solutions": ()}]),
    (f"{PLAIN}\nMoves: 3/2\nMoves: rRR\n", [{"solutions": ("rRR",), "comment": "Moves: 3/2"}]),
    (f"{DOWN}\nd\n", [{"solutions": ("d",)}]),
    (f"{DOWN}\nDull\n", [{"solutions": (), "comment": "Dull"}]),
    (f"{DOWN}\nD\n\n{SECOND}", [{"solutions": ("D",)}, {"title": ""}]),
    (f"{DOWN}\nSolution\n\n[]ulll[u]d\n", [{"solutions": ("[]ulll[u]d",)}]),
    (
        f"Level: One | R\n{PLAIN}Level: Two: the second | 12 moves\n{PLAIN}\nlevel: Three|\n{PLAIN}",
        [
            {"title": "One", "solutions": ("R",), "comment": ""},
            {"title": "Two: the second", "solutions": (), "comment": "12 moves"},
            {"title": "Three", "solutions": ()},
        ],
    ),
    (
        f"Level: a\n\n{PLAIN}\nLevel: b\n\n{PLAIN}Level: hard\n\n{PLAIN}",
        [{"title": "a", "comment": ""}, {"title": "b", "comment": "Level: hard"}, {"title": ""}],
    ),
    *(
        (
            "".join(f"{head}{n}\nAuthor: {n}\n{gap}{PLAIN}\n" for n in "ab"),
            [{"title": n, "author": n, "comment": ""} for n in "ab"],
        )
        for head, gap in (("; ", ""), ("; ", "\n"), ("", ""))
    ),
    *(
        (
            "".join(f"Level {n}\n{gap}{rule}\n{gap}{PLAIN}\n" for n in (1, 2)),
            [{"title": "Level 1"}, {"title": "Level 2"}],
        )
        for rule, gap in (("=====", ""), ("*****", "\n"), ("-----", ""), ("~ ~ ~", ""))
    ),
    *(
        (f"{PLAIN}\n{title}\n\n{SECOND}", [{"solutions": ()}, {"title": title}])
        for title in ("###", "Lurd", "#1", "# 7", "Dull")
    ),
]


@pytest.mark.parametrize(("text", "wanted"), NOTES)
def test_what_stands_between_boards(text: str, wanted: list[dict[str, object]]) -> None:
    found = formats.read(text)
    assert len(found) == len(wanted)
    for level, fields in zip(found, wanted, strict=True):
        assert all(getattr(level, name) == value for name, value in fields.items()), level


def test_46_run_length_boards_one_a_line() -> None:
    assert len(formats.read("5#|#@$.#|5#\n5#|#.$@#|5#\n" + "5#|#@$.#\n5#\n")) == 3


def test_rows_given_directly() -> None:
    for rows in ([], [""], ["", "##"], ["#####", "#@$\n#", "#####"]):
        with pytest.raises(SokoaspError) as caught:
            formats.level_from_rows(rows, source="r")
        assert caught.value.place.startswith("r:")
    (level,) = formats.read("-|5#|#@$.#|5#\n")
    assert (level.player.row, level.line) == (1, 1)


def test_the_name_of_a_file_in_place_of_its_text_is_told() -> None:
    with pytest.raises(
        LevelError, match=r"is 'levels\.xsb' its name\? Give what it holds: Path\(name\)\.read_bytes\(\)"
    ):
        formats.read("levels.xsb")
    for text in ("nothing", "no level here.\nat all"):
        with pytest.raises(LevelError, match=r"there is no level in this file$"):
            formats.read(text)


@pytest.mark.parametrize(
    ("case", "row", "moves", "message"),
    [
        (61, "#@ $  .#", "RRRR", r"move 1 \(R\): it does not push a box"),
        (62, "#@ $  .#", "rRRRR", r"move 5 \('R'\) pushes the box at row 1, column 6 into a wall"),
        (62, "#@$$ ..#", "r", r"move 1 \('r'\) pushes two boxes at once"),
        (64, "#@ $  .#", "rRR", r"after move 3 \(the last\) 1 goal is empty"),
        (66, "#@ $  .#", "{}rRRR", "several players"),
    ],
)
def test_61_to_66_refused_solutions(case: int, row: str, moves: str, message: str) -> None:
    (level,) = formats.read(board(f"########|{row}|########"))
    with pytest.raises(SokoaspError, match=message) as caught:
        lurd.check_solution(level, moves, source="s.sol")
    assert caught.value.code == "E-SOL" and caught.value.source == "s.sol"


def test_71_max_cells_lets_large_boards_in() -> None:
    data = next(row[1] for row in BAD if row[0] == 71)
    assert len(formats.read(data, max_cells=70_000)[0].floor) == 298 * 199 + 3


def test_faulty_levels_do_not_hide_the_others() -> None:
    found = list(formats.read_each(PLAIN + "\nBad\n\n" + "#####\n# $.#\n#####\n\n" + SECOND, source="f.sok"))
    assert [type(item).__name__ for item in found] == ["Level", "LevelError", "Level"]
    assert isinstance(found[1], SokoaspError) and isinstance(found[2], Level)
    assert (found[1].place, found[2].line) == ("f.sok:7", 11)


def test_56_a_file_named_as_those_of_another_game() -> None:
    for name in ("x.hsb", "X.HSB"):
        with pytest.raises(SokoaspError, match="Hexoban, another game than Sokoban") as caught:
            formats.read(board("######|#@$ .#|######"), source=name)
        assert caught.value.code == "E-VARIANT"
        assert domain_for(b"#.a\n", name).name == "sokoban"  # and no board of Klotski


@pytest.mark.parametrize(
    "line",
    [
        "Game: Hexoban",
        "Game=Hexoban",
        "Game = Trioban",
        "; game: OCTOBAN 2",
        "Type: Multiban",
        "Level type = Hexoban",
        "Variant: sokomind",
        "Game-Type=Pukoban (by Ann)",
    ],
)
def test_a_level_of_another_game_is_refused_wherever_its_line_stands(line: str) -> None:
    for text, place in ((f"{line}\n\n{PLAIN}", 1), (f"{PLAIN}\n{line}\n", 5)):
        with pytest.raises(LevelError, match="another game than Sokoban") as caught:
            formats.read(text, source="x.sok")
        assert (caught.value.code, caught.value.line) == ("E-VARIANT", place)
    found = list(formats.read_each(f"{line}\n\n{PLAIN}\n{PLAIN}"))
    assert len(found) == 2 and not [one for one in found if isinstance(one, Level)], "it holds for the whole file"


@pytest.mark.parametrize(
    "line", ["Game: Sokoban", "Game = my third", "; Hexoban it is not", "Type: easy", "Title: Hexoban"]
)
def test_what_names_no_other_game_is_a_note(line: str) -> None:
    (level,) = formats.read(f"{PLAIN}\n{line}\n")
    assert line.removeprefix("; ") in (level.comment, f"Title: {level.title}")


@pytest.mark.parametrize(
    ("source", "text", "place"),
    [
        ("a.xsb", "######\n#@$$.#\n# .  #\n######\nAssigned: 1,2>1,4; 1,3>2,2\n", "a.xsb:5:1: E-VARIANT"),
        ("a.lp", "right(a,b). right(b,c).\nbox(b). sokoban(a). solution(c).\nassigned(b,c).\n", "a.lp:3:1: E-FACTS"),
        ("a.json", '{"rows": ["#####", "#@$.#", "#####"], "assigned": [[[1, 2], [1, 3]]]}', "a.json:1:39: E-JSON"),
    ],
)
def test_a_level_that_gives_each_goal_to_one_box_is_another_puzzle(source: str, text: str, place: str) -> None:
    with pytest.raises(SokoaspError) as caught:
        formats.read(text, source=source)
    assert str(caught.value).startswith(place)
    assert any(word in str(caught.value) for word in ("assigned/2 is not", "boxes of Sokoban are alike", "'assigned'"))
