"""Free checks of an answer, one module a family. They come before anything that costs money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final

from pincite.errors import GoldenError
from pincite.evaluation.rules import containing, grounding, pattern, presence, schema
from pincite.evaluation.rules.rule import Finding, Reader, Rule

__all__ = ["RULES", "Finding", "Rule", "rule_of", "rules_of"]

RULES: Final[Mapping[str, Reader]] = {
    "citation_correct": grounding.grounding,
    "citation_present": grounding.grounding,
    "contains_all": containing.contains,
    "contains_any": containing.contains,
    "contains_none": containing.contains,
    "ends_with": containing.edge,
    "exact": containing.exact,
    "json_schema": schema.schema,
    "language": grounding.language,
    "length": presence.length,
    "non_empty": presence.non_empty,
    "numbers_grounded": grounding.grounding,
    "regex": pattern.pattern,
    "starts_with": containing.edge,
}


def rule_of(spec: str | Mapping[str, Any]) -> Rule:
    """The rule that a configuration names: `non_empty`, or `{contains_all: [24, days]}`.

    Raises GoldenError, whose `field` names the rule and the setting.
    """
    if isinstance(spec, str):
        spec = {spec: True}
    if not isinstance(spec, Mapping) or len(spec) != 1:
        raise GoldenError("rules", "a rule is a name, or a mapping of one name to its settings")
    ((name, value),) = spec.items()
    if name not in RULES:
        near = get_close_matches(str(name), RULES, 1)
        meant = f"did you mean {near[0]}?" if near else f"known are {', '.join(RULES)}"
        raise GoldenError("rules", f"is no rule; {meant}", field=str(name))
    return RULES[name](name, value)


def rules_of(specs: Iterable[str | Mapping[str, Any]]) -> list[Rule]:
    """The rules of a list, in order."""
    return [rule_of(each) for each in specs]
