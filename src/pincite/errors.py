"""What can go wrong, and what a caller can do about it.

PinciteError
├── OptionError          an option is impossible; nothing was read
├── ReadError            a document could not be read; the others go on
│   ├── MissingError     there is nothing at that path, or it may not be opened
│   ├── EncryptedError   it needs a password
│   ├── CorruptError     it is damaged beyond repair
│   ├── FormatError      nothing here reads that format
│   │   └── MismatchError  its content is not what its name says
│   └── LimitError       it is larger, slower or deeper than a limit allows
├── DependencyError      an optional package or program is not installed
├── EmbeddingError       a text could not be embedded; nothing was stored for it
│   ├── OversizeError    a text has more tokens than the model accepts
│   └── PartialError     some texts of a call could not be embedded, others could
├── StoreError           the store refused; it is as it was before
│   └── ModelMismatchError  the store was filled by another model
├── RemoteError          an endpoint did not give what was asked
│   ├── UnreachableError no connection, or no reply in time
│   ├── BusyError        it is busy or out of order, still after all tries
│   ├── RefusedError     it refuses the request; trying again will not help
│   └── ReplyError       its reply is broken: half of it, no JSON, too large
├── QueryError           there is nothing to search for
└── EvaluationError      a release could not be judged; that is never a pass
    └── GoldenError      a golden set or a rule is impossible; nothing was asked

Each class has a `code`, stable and fit for machines; the message is for people.
A document that was read with doubts is no error: see `document.Diagnostic`.
"""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "BusyError",
    "CorruptError",
    "DependencyError",
    "EmbeddingError",
    "EncryptedError",
    "EvaluationError",
    "FormatError",
    "GoldenError",
    "LimitError",
    "MismatchError",
    "MissingError",
    "ModelMismatchError",
    "OptionError",
    "OversizeError",
    "PartialError",
    "PinciteError",
    "QueryError",
    "ReadError",
    "RefusedError",
    "RemoteError",
    "ReplyError",
    "StoreError",
    "UnreachableError",
]


class PinciteError(Exception):
    """The root: catching it catches all that this package raises on purpose."""

    code: ClassVar[str] = "error"


class OptionError(PinciteError):
    """An option is impossible, whatever the document."""

    code = "invalid_option"

    def __init__(self, name: str, value: object, wanted: str) -> None:
        super().__init__(f"{name} is {value!r}; it must be {wanted}")
        self.name, self.value, self.wanted = name, value, wanted

    def __reduce__(self) -> tuple[type[OptionError], tuple[str, object, str]]:
        return type(self), (self.name, self.value, self.wanted)


class ReadError(PinciteError):
    """A document could not be read.

    `uri` names the document, `reason` says what was found and `advice` what to do next.
    """

    code = "unreadable_file"

    def __init__(self, uri: str, reason: str, advice: str = "") -> None:
        super().__init__(f"{uri}: {reason}" + (f"; {advice}" if advice else ""))
        self.uri, self.reason, self.advice = uri, reason, advice

    def __reduce__(self) -> tuple[type[ReadError], tuple[str, str, str]]:
        return type(self), (self.uri, self.reason, self.advice)


class MissingError(ReadError):
    """There is no readable file or folder at that path."""

    code = "missing_file"


class EncryptedError(ReadError):
    """The document is locked, and the password is missing or wrong."""

    code = "encrypted"


class CorruptError(ReadError):
    """The document is damaged beyond repair."""

    code = "corrupt_file"


class FormatError(ReadError):
    """No parser reads this format."""

    code = "unsupported_file"


class MismatchError(FormatError):
    """The content of the file is of another format than its name says."""

    code = "type_mismatch"


class LimitError(ReadError):
    """The document exceeds a limit on size, time, memory or nesting."""

    code = "limit_exceeded"


class DependencyError(PinciteError):
    """Something optional is needed and not installed."""

    code = "missing_dependency"

    def __init__(self, what: str, install: str) -> None:
        super().__init__(f"{what} is not installed; {install}")
        self.what, self.install = what, install

    def __reduce__(self) -> tuple[type[DependencyError], tuple[str, str]]:
        return type(self), (self.what, self.install)


class EmbeddingError(PinciteError):
    """A text could not be embedded."""

    code = "embedder_failed"


class OversizeError(EmbeddingError):
    """A text has more tokens than the model accepts; it is never cut in silence."""

    code = "oversize_text"

    def __init__(self, name: str, tokens: int, limit: int, model: str) -> None:
        super().__init__(
            f"{name} has {tokens} tokens and {model} accepts {limit}; "
            f"chunk with counter 'model' and max_tokens of at most {limit}"
        )
        self.name, self.tokens, self.limit, self.model = name, tokens, limit, model

    def __reduce__(self) -> tuple[type[OversizeError], tuple[str, int, int, str]]:
        return type(self), (self.name, self.tokens, self.limit, self.model)


class PartialError(EmbeddingError):
    """Some texts of a call could not be embedded; `rows` holds the vectors of the others, so that they are kept."""

    code = "embedder_failed"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.failures: dict[int, EmbeddingError] = {}
        self.rows: dict[int, Any] = {}

    @property
    def first(self) -> EmbeddingError:
        """What the first text failed by."""
        return next(iter(self.failures.values()), self)

    @classmethod
    def of(cls, failures: dict[int, EmbeddingError], rows: dict[int, Any]) -> EmbeddingError:
        """The error of these failures, by the place of the text in the call; a text that failed alone is its own error."""
        first = next(iter(failures.values()))
        if not rows and len(failures) == 1:
            return first
        more = f" (and {len(failures) - 1} more texts failed)" if len(failures) > 1 else ""
        made = cls(f"{first}{more}")
        made.failures, made.rows = failures, rows
        return made


class StoreError(PinciteError):
    """The store refused; it is as it was before the call."""

    code = "store_failed"


class ModelMismatchError(StoreError):
    """The vectors in the store come from another model; they are never mixed."""

    code = "model_mismatch"


class RemoteError(PinciteError):
    """An endpoint did not give what was asked.

    `url` is what was asked, `status` the HTTP status where there was one, `reason` what went wrong
    and `advice` what to do next. No secret is in any of them.
    """

    code = "endpoint_failed"

    def __init__(self, url: str, reason: str, advice: str = "", status: int | None = None) -> None:
        super().__init__(f"{url}: {reason}" + (f"; {advice}" if advice else ""))
        self.url, self.reason, self.advice, self.status = url, reason, advice, status

    def __reduce__(self) -> tuple[type[RemoteError], tuple[str, str, str, int | None]]:
        return type(self), (self.url, self.reason, self.advice, self.status)


class UnreachableError(RemoteError):
    """There is no connection, or no reply within the time limits."""

    code = "endpoint_unreachable"


class BusyError(RemoteError):
    """The endpoint asked to wait or failed, and still did after all tries."""

    code = "endpoint_busy"


class RefusedError(RemoteError):
    """The endpoint refuses the request; the same request will be refused again."""

    code = "endpoint_refused"


class ReplyError(RemoteError):
    """The reply is not what was asked for: cut off, no JSON, too large, of another form."""

    code = "endpoint_reply"


class QueryError(PinciteError):
    """The question holds nothing to search for."""

    code = "empty_query"


class EvaluationError(PinciteError):
    """A release could not be judged, which is never a pass."""

    code = "evaluation_failed"


class GoldenError(EvaluationError):
    """A golden set, or a rule in it or beside it, is impossible.

    `path` names the file, `line` (from 1), `row` (its id) and `field` the place, as far as there is
    one; `reason` says what was expected.
    """

    code = "invalid_dataset"

    def __init__(
        self, path: str, reason: str, *, line: int | None = None, row: str | None = None, field: str | None = None
    ) -> None:
        place = f"{path}:{line}" if line else path
        inside = " ".join(filter(None, (f"row {row!r}:" if row else "", field or "")))
        super().__init__(": ".join(filter(None, (place, f"{inside} {reason}".strip()))))
        self.path, self.reason, self.line, self.row, self.field = path, reason, line, row, field

    def __reduce__(self) -> tuple[Any, ...]:
        return _golden_error, (self.path, self.reason, self.line, self.row, self.field)


def _golden_error(path: str, reason: str, line: int | None, row: str | None, field: str | None) -> GoldenError:
    return GoldenError(path, reason, line=line, row=row, field=field)
