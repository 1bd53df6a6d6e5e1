"""Names are used once."""

from tests import house


def test_a_file_name_is_used_once() -> None:
    assert house.same_files() == {}


def test_a_class_name_is_used_once() -> None:
    assert house.same_classes() == {}
