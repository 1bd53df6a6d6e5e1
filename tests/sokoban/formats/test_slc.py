"""XML collections: metadata, sizes, and what is refused."""

from __future__ import annotations

import pytest

from sokoasp.core.errors import SokoaspError
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


def wrap(rows: str) -> str:
    return f"<SokobanLevels><LevelCollection><Level>\n{rows}</Level></LevelCollection></SokobanLevels>"


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("<SokobanLevels>", "E-XML", "a.slc:1:16"),
        ("", "E-XML", "a.slc:1:1"),
        ("<html></html>", "E-XML", "a.slc:1:1"),
        ("<SokobanLevels><Title>&x;</Title></SokobanLevels>", "E-XML", "a.slc:1:23"),
        ('<?xml version="1.0" encoding="martian"?><SokobanLevels/>', "E-XML", "a.slc:1:1"),
        ("<SokobanLevels/>", "E-NOLEVEL", "a.slc:1:1"),
        (wrap(""), "E-NOPLAYER", "a.slc:1"),
        (wrap("<L>#####</L>\n<L>#@$!#</L>\n<L>#####</L>"), "E-CHAR", "a.slc:3"),
        (wrap("<L>#####</L>\n<L>#@$.</L>\n<L>#####</L>"), "E-OPEN", "a.slc:3"),
    ],
)
def test_refused(text: str, code: str, place: str) -> None:
    with pytest.raises(SokoaspError) as caught:
        formats.read(text.encode(), source="a.slc")
    assert (caught.value.code, caught.value.place) == (code, place)


def test_59_lost_spaces_are_suspected() -> None:
    with pytest.raises(SokoaspError, match="spaces been lost"):
        formats.read(wrap("<L>####</L>\n<L># $@.#</L>\n<L>######</L>"), source="a.slc")


def test_the_other_levels_are_still_read() -> None:
    found = list(formats.read_each(DOCUMENT.replace("#@$ .#", "#@$ !#").encode(), source="a.slc"))
    assert [isinstance(item, SokoaspError) for item in found] == [True, False]
