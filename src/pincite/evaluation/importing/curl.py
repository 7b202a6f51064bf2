"""A cURL command, as browsers copy it ("Copy as cURL", for bash or for cmd) and manuals print it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, urlencode

from pincite.errors import EvaluationError
from pincite.evaluation.importing.captured import Captured, request_of

__all__ = ["from_curl"]

ESCAPES: Final = {
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
}
DOLLAR_QUOTED: Final = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
ESCAPE: Final = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|(.))", re.DOTALL
)

VALUED: Final = """
-X -H -d -b -u -A -e -F -o -m -x -T -c -w -E -K -y -Y -C -r -z -D -U -t -Q -P
--request --header --data --data-raw --data-binary --data-ascii --data-urlencode --json --cookie --user
--user-agent --referer --form --form-string --url --output --max-time --connect-timeout --proxy --cert --key
--cacert --retry --retry-delay --resolve --write-out --cookie-jar --upload-file --url-query --oauth2-bearer
--limit-rate --interface --proxy-user --ciphers --tls-max --max-redirs --config --range --dump-header
"""
WITH_VALUE: Final = frozenset(VALUED.split())
"""Options that a value follows."""

DATA: Final = frozenset({"-d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--json", "--data-urlencode"})


@dataclass(slots=True)
class Command:
    """What the options of a command add up to."""

    url: str = ""
    method: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    query: list[str] = field(default_factory=list)
    get: bool = False
    json: bool = False
    head: bool = False


def from_curl(text: str) -> Captured:
    """The request of one cURL command. Raises EvaluationError, which names the option."""
    words = split(text)
    if not words or words[0].rsplit("/", 1)[-1].lower() not in ("curl", "curl.exe"):
        raise EvaluationError("the text is no cURL command: it does not begin with curl")
    command = Command()
    for option, value in options(words[1:]):
        apply(command, option, value)
    if not command.url:
        raise EvaluationError("the cURL command names no address")
    url = command.url if "://" in command.url else f"http://{command.url}"
    body = ("" if command.json else "&").join(command.data) if command.data else None
    added = [*command.query, *([body] if command.get and body is not None else [])]
    if added:
        url += ("&" if "?" in url else "?") + "&".join(added)
    if command.get:
        body = None
    default = "application/json" if command.json else "application/x-www-form-urlencoded"
    if body is not None and not any(name.lower() == "content-type" for name, _ in command.headers):
        command.headers.append(("Content-Type", default))
    method = command.method or ("POST" if body is not None else "GET")
    return request_of(method, url, command.headers, body)


def split(text: str) -> list[str]:
    """The words of a command in the shell's way of writing, or in that of cmd with carets."""
    text = text.strip().removeprefix("$ ")
    if re.search(r"\^\s*\n", text) or '^"' in text:
        text = re.sub(r"\^\s*\r?\n", " ", text)
        text = re.sub(r"\^(.)", r"\1", text, flags=re.DOTALL)
    text = re.sub(r"\\\r?\n", " ", text)
    text = DOLLAR_QUOTED.sub(lambda found: shlex.quote(ESCAPE.sub(unescaped, found[1])), text)
    try:
        return shlex.split(text)
    except ValueError as error:
        raise EvaluationError(f"the cURL command cannot be read: {str(error).lower()}") from None


def unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        return chr(min(int(code, 16), 0x10FFFF))
    return chr(int(found[4], 8)) if found[4] else ESCAPES.get(found[5], found[0])


def options(words: list[str]) -> Iterator[tuple[str, str]]:
    """Each option with its value; an address comes as the option `--url`."""
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        name, equals, given = word.partition("=") if word.startswith("--") else (word, "", "")
        if word.startswith("-") and not word.startswith("--") and len(word) > 2:
            name, given = word[:2], word[2:]
            if name not in WITH_VALUE:
                words.insert(at, "-" + word[2:])
                given = ""
            equals = given
        if not word.startswith("-") or word == "-":
            yield "--url", word
        elif name in WITH_VALUE and equals:
            yield name, given
        elif name in WITH_VALUE:
            if at >= len(words):
                raise EvaluationError(f"the cURL command ends after {name}, which needs a value")
            yield name, words[at]
            at += 1
        else:
            yield name, ""


def apply(command: Command, option: str, value: str) -> None:
    if option == "--url":
        command.url = command.url or value
    elif option in ("-X", "--request"):
        command.method = value.upper()
    elif option in ("-H", "--header"):
        name, _, said = value.partition(":")
        if said.strip():
            command.headers.append((name.strip(), said.strip()))
    elif option in DATA:
        command.json = command.json or option == "--json"
        command.data.append(data(option, value))
    elif option in ("-b", "--cookie"):
        command.headers.append(("Cookie", value))
    elif option in ("-u", "--user"):
        import base64

        command.headers.append(("Authorization", "Basic " + base64.b64encode(value.encode()).decode()))
    elif option == "--oauth2-bearer":
        command.headers.append(("Authorization", f"Bearer {value}"))
    elif option in ("-G", "--get"):
        command.get = True
    elif option == "--url-query":
        command.query.append(data("--data-urlencode", value))
    elif option in ("-F", "--form", "--form-string"):
        raise EvaluationError(
            "a form with parts (-F) is not supported; send the fields with --data-urlencode or as JSON"
        )
    elif option in ("-T", "--upload-file", "-K", "--config"):
        raise EvaluationError(f"{option} reads a file, which is not supported; put the request itself into the command")


def data(option: str, value: str) -> str:
    """The data of one option as it is sent."""
    if option in ("--data-raw", "--json") and not value.startswith("@"):
        return value
    if option == "--data-urlencode":
        name, equals, said = value.partition("=")
        if not equals:
            return quote(value, safe="")
        return urlencode({name: said}) if name else quote(said, safe="")
    if value.startswith("@") and option != "--data-raw":
        raise EvaluationError(f"{option} {value} reads a file; put its text into the command")
    return value
