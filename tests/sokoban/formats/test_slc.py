"""XML collections: metadata, sizes, and what is refused."""

import pytest

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.sokoban import formats

DOCUMENT = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<SokobanLevels xmlns:xsi="x">
  <Title>Größe</Title>
  <Description>Two</Description>
  <LevelCollection Copyright="Somebody" MaxWidth="6" MaxHeight="3">
    <Level Id="one" Width="6" Height="3">
      <L>######</L>
      <L>#@$ .#</L>
      <L>######</L>
    </Level>
    <Level Id="two &amp; three" Copyright="Else">
      <L> #####</L>
      <L> #@$.#</L>
      <L> #####</L>
    </Level>
  </LevelCollection>
</SokobanLevels>
"""


def test_metadata_and_encoding() -> None:
    one, two = formats.read(DOCUMENT.encode("latin-1"), source="a.slc")
    assert [(x.title, x.author, x.collection) for x in (one, two)] == [
        ("one", "Somebody", "Größe"),
        ("two & three", "Else", "Größe"),
    ]
    assert (one.warnings, one.line, two.player.col) == ((), 6, 2)
    assert formats.read(formats.write([one, two], "slc")) == (one, two)


WILD = """\
<?xml version="1.0" encoding="{encoding}"?>
<!DOCTYPE SokobanLevels SYSTEM "{system}">
<SokobanLevels>
  <Title>Fünf Kisten &amp; mehr</Title>
  <Description>
Drawn on a rainy day.
  </Description>
  <Email>somebody@example.org</Email>
  <Url>example.org/levels</Url>
  <LevelCollection Copyright="J&uuml;rgen" MaxWidth="7" MaxHeight="4">
    <Level Id="1" Width="6" Height="3" Difficulty="2">
      <L>######</L>
      <L>#@$ .#</L>
      <L>######</L>
    </Level>
  </LevelCollection>
</SokobanLevels>
"""
"""The form of the files that are found in the wild."""


@pytest.mark.parametrize(
    "encoding", ["ISO-8859-1", "windows-1252", "utf-8", "UTF-16", "iso-8859-15", "mac-roman", "gb18030"]
)
@pytest.mark.parametrize("system", ["SokobanLev.dtd", "file:///etc/passwd", "http://localhost:1/x.dtd"])
def test_58_a_document_type_that_is_named_is_never_fetched(encoding: str, system: str) -> None:
    data = WILD.format(encoding=encoding, system=system).encode(encoding)
    (one,) = formats.read(data, source="a.slc")
    assert (one.title, one.author, one.collection) == ("1", "Jürgen", "Fünf Kisten & mehr")
    assert one.notes == (
        ("Description", "Drawn on a rainy day."),
        ("Email", "somebody@example.org"),
        ("Url", "example.org/levels"),
        ("Difficulty", "2"),
    )
    for notation in ("slc", "json"):
        (again,) = formats.read(formats.write([one], notation))
        assert (again, again.notes, again.author) == (one, one.notes, one.author), notation
    assert "Email: somebody@example.org\n" in formats.write([one], "sok")


def typed(subset: str) -> str:
    return f"<!DOCTYPE SokobanLevels [{subset}]>" + DOCUMENT.split("?>")[1].lstrip()


def test_a_document_type_without_entities_is_harmless() -> None:
    assert len(formats.read(typed("<!ELEMENT SokobanLevels ANY>").encode(), source="a.slc")) == 2


@pytest.mark.parametrize(
    ("good", "bad", "faulty"),
    [("</LevelCollection>", "</Wrong>", [False, False, True]), ("#@$ .#", "#@$ !#", [True, False])],
)
def test_levels_before_a_fault_of_the_document_and_beside_a_faulty_one_are_read(
    good: str, bad: str, faulty: list[bool]
) -> None:
    found = formats.read_each(DOCUMENT.replace(good, bad).encode("latin-1"), source="a.slc")
    assert [isinstance(item, SokoaspError) for item in found] == faulty


def test_bytes_that_are_not_of_the_encoding_are_told() -> None:
    data = DOCUMENT.replace("ISO-8859-1", "UTF-8").encode("latin-1")
    one, _ = formats.read(data, source="a.slc")
    assert one.collection == "Größe" and one.warnings[0].startswith("a.slc:3:12: W-ENCODING not UTF-8")


@pytest.mark.parametrize(("encoding", "fault"), [("Shift_JIS", b"\xfd"), ("ISO-8859-1", b"\x81")])
def test_bytes_of_no_character_are_told_with_their_place(encoding: str, fault: bytes) -> None:
    begin, end = DOCUMENT.replace("ISO-8859-1", encoding).split("Größe")
    data = begin.encode() + "倉".encode(encoding, "replace") + fault + end.encode()
    one, _ = formats.read(data, source="a.slc")
    assert one.warnings == (f"a.slc:3:11: W-ENCODING bytes that are not {encoding} were replaced",)


def wrap(rows: str) -> str:
    return f"<SokobanLevels><LevelCollection><Level>\n{rows}</Level></LevelCollection></SokobanLevels>"


def named(head: str, level: str, inside: str) -> str:
    one = f"<Level Id='a'{level}>{inside}<L>#####</L><L>#@$.#</L><L>#####</L></Level>"
    return f"<SokobanLevels>{head}<LevelCollection>{one}</LevelCollection></SokobanLevels>"


BOMB = '<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">'
ENTITIES, OTHER = "declares entities", "another game than Sokoban"


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        ("<SokobanLevels>", "E-XML", "a.slc:1:16", ""),
        ("", "E-XML", "a.slc:1:1", ""),
        ("<html></html>", "E-XML", "a.slc:1:1", ""),
        ("<SokobanLevels><Title>&x;</Title></SokobanLevels>", "E-XML", "a.slc:1:23", ""),
        ('<?xml version="1.0" encoding="martian"?><SokobanLevels/>', "E-XML", "a.slc:1:1", ""),
        ("<SokobanLevels/>", "E-NOLEVEL", "a.slc:1:1", ""),
        (wrap(""), "E-NOPLAYER", "a.slc:1", ""),
        (wrap("<L>#####</L>\n<L>#@$!#</L>\n<L>#####</L>"), "E-CHAR", "a.slc:3", ""),
        (wrap("<L>#####</L>\n<L>#@$.</L>\n<L>#####</L>"), "E-OPEN", "a.slc:3", ""),
        (wrap("<L>####</L>\n<L># $@.#</L>\n<L>######</L>"), "E-OPEN", "a.slc:2", "spaces been lost"),
        (typed('<!ENTITY a "b">'), "E-XML", "", ENTITIES),
        (typed('<!ENTITY % p SYSTEM "http://localhost:1/p"> %p;'), "E-XML", "", ENTITIES),
        (typed('<!ENTITY x SYSTEM "file:///etc/passwd">'), "E-XML", "", ENTITIES),
        (typed(BOMB), "E-XML", "", ENTITIES),
        (named("", ' Type="Hexoban"', ""), "E-VARIANT", "a.slc:1:1", OTHER),
        (named("", ' game=" Trioban"', ""), "E-VARIANT", "a.slc:1:1", OTHER),
        (named("", "", "<Variant>Octoban</Variant>"), "E-VARIANT", "a.slc:1:1", OTHER),
        (named("<Type>Hexoban</Type>", "", ""), "E-VARIANT", "a.slc:1:1", OTHER),
    ],
)
def test_refused(text: str, code: str, place: str, words: str) -> None:
    with pytest.raises(LevelError, match=words or None) as caught:
        formats.read(text.encode(), source="a.slc")
    assert caught.value.code == code and place in (caught.value.place, "")


def test_elements_and_attributes_of_other_names_are_notes() -> None:
    rows = "<L>#####</L><L>#@$.#</L><L>#####</L>"
    text = (
        "<SokobanLevels><Title>T</Title><Author>Ann</Author><LevelCollection Copyright='C' Origin='here'>"
        f"<Level Id='a' Rating='9'>{rows}<Solution>R</Solution><Solution>lrR</Solution></Level></LevelCollection></SokobanLevels>"
    )
    (level,) = formats.read(text, source="a.slc")
    wanted = {"Author": "Ann", "Origin": "here", "Rating": "9", "Solution": "R\nlrR"}
    assert (level.collection, level.author, dict(level.notes)) == ("T", "C", wanted)


def test_plain_text_in_an_slc_file_is_read_as_what_it_is() -> None:
    found = formats.read(";LEVEL 1\n#####\n#@$.#\n#####\n\n;LEVEL 2\n######\n#@ $.#\n######\n", source="course.slc")
    assert [level.title for level in found] == ["LEVEL 1", "LEVEL 2"]
    (level,) = formats.read('{"rows": ["#####", "#@$.#", "#####"]}', source="a.SLC")
    assert level.rows()[1] == "#@$.#"
