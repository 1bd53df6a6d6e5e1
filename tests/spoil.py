"""One change to a printed sentence: a number, a word, the order of two words. A sentence that is checked does not survive any."""

import re
from collections.abc import Iterator

_PAIRS = (
    "a:no all:both any:none ahead:behind behind:beside both:all box:goal boxes:goals can:cannot cannot:can "
    "cell:box cells:boxes column:row corner:door each:one every:some fast:loosely fewer:more goal:box goals:boxes "
    "in:out it:them its:their minimal:large moves:pushes nearer:farther never:always no:1 none:all not:now off:on "
    "on:off one:two only:never out:in push:move pushes:moves region:door regions:doors row:column run:region "
    "runs:regions slides:units their:its them:it these:those this:each two:three units:slides wall:goal "
    "walls:goals"
)
OPPOSITES = dict(pair.split(":") for pair in _PAIRS.split())


def spoilt(sentence: str) -> Iterator[str]:
    """Yield the sentence with one change: a number one up, one down or tenfold, a word left out, turned round or doubled."""
    seen = {sentence}
    for changed in _changes(sentence):
        if changed not in seen:
            seen.add(changed)
            yield changed


def _changes(sentence: str) -> Iterator[str]:
    for found in re.finditer(r"\d[\d,]*", sentence):
        number = int(found[0].replace(",", ""))
        for other in (number + 1, number - 1, number * 10 + 1):
            yield f"{sentence[: found.start()]}{other}{sentence[found.end() :]}"
    words = sentence.split(" ")
    for at, word in enumerate(words):
        bare = word.strip(",:;()")
        for other in ("", OPPOSITES.get(bare, f"un{bare}"), f"{bare} {bare}"):
            changed = [*words[:at], *filter(None, [word.replace(bare, other, 1) if other else ""]), *words[at + 1 :]]
            yield " ".join(changed)
        if at and words[at - 1] != word:
            yield " ".join([*words[: at - 1], word, words[at - 1], *words[at + 1 :]])
