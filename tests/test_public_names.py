"""The public list is the whole public face of the package, and everything else may move."""

from __future__ import annotations

import inspect

import pincite


def test_the_public_list_is_sorted() -> None:
    """One place, one order, so that two additions do not collide unseen."""
    assert list(pincite.__all__) == sorted(set(pincite.__all__))


def test_every_public_name_is_there() -> None:
    """Names that are loaded late are there as well."""
    for name in pincite.__all__:
        assert getattr(pincite, name) is not None


def test_the_package_shows_its_public_list_and_nothing_else() -> None:
    """What completion offers is what is promised; modules are reached by their own names."""
    shown = [name for name in dir(pincite) if not name.startswith("__")]

    assert shown == list(pincite.__all__)


def test_every_public_function_and_class_says_what_it_is_for() -> None:
    """A name without a sentence is not ready to be public."""
    silent = [
        name
        for name in pincite.__all__
        if (inspect.isclass(value := getattr(pincite, name)) or inspect.isfunction(value)) and not value.__doc__
    ]

    assert silent == []
