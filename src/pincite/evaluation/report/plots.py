"""Small plots as SVG, drawn from the numbers alone: no script, no library, no network.

Colours come from the page's own variables, so that they follow its light and dark form.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

__all__ = ["bars", "diverging", "steps"]

LEFT: Final = 150
WIDTH: Final = 520
ROW: Final = 26


def figure(title: str, height: int, body: str) -> str:
    label = escape(title)
    return (
        f'<figure><figcaption>{label}</figcaption><svg viewBox="0 0 {LEFT + WIDTH + 60} {height}" role="img" '
        f'aria-label="{label}" preserveAspectRatio="xMinYMin meet">{body}</svg></figure>'
    )


def bars(title: str, values: Sequence[tuple[str, float, float | None]]) -> str:
    """Shares from 0 to 1 by name, each with the floor that it has to reach."""
    parts = []
    for number, (name, value, floor) in enumerate(values):
        top = number * ROW
        low = floor is not None and value < floor - 1e-12
        parts.append(text(LEFT - 8, top + 17, name, "end"))
        parts.append(f'<rect x="{LEFT}" y="{top + 4}" width="{WIDTH}" height="{ROW - 8}" class="track"/>')
        parts.append(
            f'<rect x="{LEFT}" y="{top + 4}" width="{value * WIDTH:.1f}" height="{ROW - 8}" '
            f'class="{"bad" if low else "good"}"><title>{escape(name)}: {value:.3f}</title></rect>'
        )
        if floor is not None:
            x = LEFT + floor * WIDTH
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top + 1}" y2="{top + ROW - 1}" class="floor"/>')
        parts.append(text(LEFT + WIDTH + 6, top + 17, f"{value:.2f}"))
    return figure(title, max(ROW, len(values) * ROW), "".join(parts))


def steps(title: str, values: Sequence[tuple[int, float]]) -> str:
    """A share from 0 to 1 by a number of results."""
    height, most = 200, max(k for k, _ in values)

    def place(k: int, value: float) -> tuple[float, float]:
        return LEFT + (k - 1) / max(1, most - 1) * WIDTH, 10 + (1 - value) * (height - 40)

    grid = "".join(
        f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{place(1, share)[1]:.1f}" y2="{place(1, share)[1]:.1f}" class="grid"/>'
        + text(LEFT - 8, place(1, share)[1] + 4, f"{share:g}", "end")
        for share in (0, 0.25, 0.5, 0.75, 1)
    )
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*each) for each in values))
    dots = "".join(
        f'<circle cx="{place(k, value)[0]:.1f}" cy="{place(k, value)[1]:.1f}" r="4" class="good"><title>{value:.3f} at {k}</title></circle>'
        + text(place(k, value)[0], height - 8, str(k), "middle")
        for k, value in values
    )
    return figure(title, height, f'{grid}<polyline points="{line}" class="line"/>{dots}')


def diverging(title: str, values: Sequence[tuple[str, int, int]]) -> str:
    """Losses to the left and wins to the right, by name."""
    most = max((max(wins, losses) for _, wins, losses in values), default=0) or 1
    half, parts = WIDTH / 2, []
    middle = LEFT + half
    for number, (name, wins, losses) in enumerate(values):
        top = number * ROW
        lost, won = losses / most * (half - 30), wins / most * (half - 30)
        parts.append(text(LEFT - 8, top + 17, name, "end"))
        parts.append(f'<rect x="{middle - lost:.1f}" y="{top + 4}" width="{lost:.1f}" height="{ROW - 8}" class="bad"/>')
        parts.append(f'<rect x="{middle}" y="{top + 4}" width="{won:.1f}" height="{ROW - 8}" class="good"/>')
        parts.append(text(middle - lost - 6, top + 17, str(losses), "end"))
        parts.append(text(middle + won + 6, top + 17, str(wins)))
    height = max(ROW, len(values) * ROW)
    axis = f'<line x1="{middle}" x2="{middle}" y1="0" y2="{height}" class="floor"/>'
    return figure(title, height, "".join(parts) + axis)


def text(x: float, y: float, said: str, anchor: str = "start") -> str:
    shown = said if len(said) <= 24 else said[:23] + "…"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(shown)}</text>'
