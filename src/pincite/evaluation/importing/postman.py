"""A Postman collection (version 2.0 or 2.1): folders nest, variables stand in double braces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from pincite.errors import EvaluationError
from pincite.evaluation.importing.captured import Captured, request_of

__all__ = ["from_postman"]

VARIABLE: Final = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


def from_postman(data: Any, name: str | None = None) -> Captured:
    """The request of a collection whose name or folder holds `name`, or the only one. Raises EvaluationError."""
    if not isinstance(data, Mapping) or not isinstance(data.get("item"), list):
        raise EvaluationError("the file is no Postman collection: it has no list of items")
    known = variables(data)
    found = [
        (path, request) for path, request in requests(data["item"], ()) if name is None or name in " / ".join(path)
    ]
    if len(found) != 1:
        shown = "\n  ".join(" / ".join(path) for path, _ in found or requests(data["item"], ()))
        what = "several requests" if found else f"no request named {name!r}"
        raise EvaluationError(f"the collection has {what}; say which one with --url:\n  {shown}")
    return captured(found[0][1], known, data.get("auth"))


def variables(data: Mapping[str, Any]) -> dict[str, str]:
    return {
        str(each.get("key") or each.get("id")): str(each.get("value", ""))
        for each in data.get("variable") or ()
        if isinstance(each, Mapping)
    }


def requests(items: list[Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for each in items:
        if isinstance(each, Mapping):
            below = (*path, str(each.get("name", "")))
            if isinstance(each.get("item"), list):
                yield from requests(each["item"], below)
            elif each.get("request") is not None:
                yield below, each["request"]


def captured(request: Any, known: Mapping[str, str], inherited: Any) -> Captured:
    if isinstance(request, str):
        request = {"url": request}

    def fill(text: Any) -> str:
        """Variables of the collection by their values; others by the environment, but for the place of the question."""
        return VARIABLE.sub(lambda found: filled(found, known), str(text))

    try:
        url = request["url"]
        address = url if isinstance(url, str) else url.get("raw") or built(url)
        headers = [
            (fill(each["key"]), fill(each.get("value", "")))
            for each in request.get("header") or ()
            if isinstance(each, Mapping) and not each.get("disabled")
        ]
        headers += list(authorised(request.get("auth", inherited), fill))
        body, kind = body_of(request.get("body") or {}, fill)
        if kind and not any(name.lower() == "content-type" for name, _ in headers):
            headers.append(("Content-Type", kind))
        return request_of(request.get("method", "GET"), fill(address), headers, body)
    except (KeyError, TypeError, AttributeError) as error:
        raise EvaluationError(f"the request in the collection is damaged: {error}") from None


def filled(found: re.Match[str], known: Mapping[str, str]) -> str:
    name = found[1]
    if known.get(name):
        return VARIABLE.sub(lambda inner: known.get(inner[1], inner[0]), known[name])
    return found[0] if name == "input" else "${TARGET_" + re.sub(r"\W+", "_", name).upper() + "}"


def built(url: Mapping[str, Any]) -> str:
    host = url.get("host", "")
    path = url.get("path", "")
    address = f"{url.get('protocol', 'https')}://{host if isinstance(host, str) else '.'.join(host)}"
    address += "/" + (path if isinstance(path, str) else "/".join(map(str, path))).lstrip("/")
    query = [(each["key"], each.get("value") or "") for each in url.get("query") or () if not each.get("disabled")]
    return address + ("?" + urlencode(query) if query else "")


def authorised(auth: Any, fill: Any) -> Iterator[tuple[str, str]]:
    """The header of an authorisation that Postman would add."""
    if not isinstance(auth, Mapping):
        return
    kind = auth.get("type")
    given = auth.get(str(kind)) or ()
    values = given if isinstance(given, Mapping) else {each["key"]: each.get("value") for each in given}
    if kind == "bearer":
        yield "Authorization", f"Bearer {fill(values.get('token', ''))}"
    elif kind == "basic":
        import base64

        pair = f"{fill(values.get('username', ''))}:{fill(values.get('password', ''))}"
        yield "Authorization", "Basic " + base64.b64encode(pair.encode()).decode()
    elif kind == "apikey" and values.get("in", "header") == "header":
        yield fill(values.get("key", "")), fill(values.get("value", ""))


def body_of(body: Mapping[str, Any], fill: Any) -> tuple[str | None, str]:
    """The body as it is sent, and its type."""
    mode = body.get("mode")
    if mode == "raw":
        language = ((body.get("options") or {}).get("raw") or {}).get("language", "")
        return fill(body.get("raw", "")), "application/json" if language == "json" else ""
    if mode in ("urlencoded", "formdata"):
        fields = [each for each in body.get(mode) or () if not each.get("disabled")]
        if mode == "formdata":
            raise EvaluationError(
                "a form with parts (form-data) is not supported; send the fields urlencoded or as JSON"
            )
        pairs = [(fill(each["key"]), fill(each.get("value") or "")) for each in fields]
        return urlencode(pairs), "application/x-www-form-urlencoded"
    if mode == "graphql":
        said = body.get("graphql") or {}
        variables = said.get("variables") or "{}"
        try:
            given = json.loads(fill(variables)) if isinstance(variables, str) else variables
        except ValueError:
            raise EvaluationError("the variables of the GraphQL request are no JSON") from None
        return json.dumps({"query": fill(said.get("query", "")), "variables": given}), "application/json"
    return None, ""
