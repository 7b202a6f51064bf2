"""A HAR file (version 1.2), as browsers save it from their network panel."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from pincite.errors import EvaluationError
from pincite.evaluation.importing.captured import Captured, request_of

__all__ = ["from_har", "read_json"]

LARGEST: Final = 256_000_000


def read_json(path: Path | str, what: str) -> Any:
    """The JSON of a file. Raises EvaluationError."""
    try:
        if Path(path).stat().st_size > LARGEST:
            raise EvaluationError(f"{path}: {what} has more than {LARGEST // 1_000_000} MB; save the one request alone")
        return json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EvaluationError(f"{path}: {what} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise EvaluationError(f"{path}: {what} is no JSON") from None


def from_har(data: Any, url: str | None = None) -> Captured:
    """The request of a HAR file whose address holds `url`, or the only one that sends something."""
    try:
        entries = [entry["request"] for entry in data["log"]["entries"]]
    except (KeyError, TypeError):
        raise EvaluationError("the file is no HAR: it has no log with entries") from None
    return captured(chosen(entries, url))


def chosen(entries: Sequence[Mapping[str, Any]], url: str | None) -> Mapping[str, Any]:
    """The one request that is meant. Raises EvaluationError, which lists the addresses."""
    if url is not None:
        found = [each for each in entries if url in str(each.get("url"))]
    else:
        found = [each for each in entries if str(each.get("method")).upper() in ("POST", "PUT", "PATCH")] or list(
            entries
        )
    if len({(str(each.get("method")), str(each.get("url"))) for each in found}) == 1:
        return found[-1]
    if not found:
        raise EvaluationError(
            f"no request of the file has {url!r} in its address" if url else "the file has no request"
        )
    shown = "\n  ".join(dict.fromkeys(f"{each.get('method')} {str(each.get('url'))[:100]}" for each in found))
    raise EvaluationError(f"the file has several requests; say which one with --url:\n  {shown}")


def captured(request: Mapping[str, Any]) -> Captured:
    try:
        headers = [(str(each["name"]), str(each["value"])) for each in request.get("headers", ())]
        sent = request.get("postData") or {}
        body = sent.get("text")
        if not body and sent.get("params"):
            body = urlencode([(each["name"], each.get("value", "")) for each in sent["params"]])
        if sent.get("mimeType") and not any(name.lower() == "content-type" for name, _ in headers):
            headers.append(("Content-Type", str(sent["mimeType"])))
        if "multipart" in str(sent.get("mimeType")):
            raise EvaluationError("a form with parts (multipart) is not supported; send the fields as JSON")
        return request_of(str(request["method"]), str(request["url"]), headers, body)
    except (KeyError, TypeError, AttributeError) as error:
        raise EvaluationError(f"the request in the HAR file is damaged: {error}") from None
