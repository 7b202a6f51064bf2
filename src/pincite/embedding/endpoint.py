"""`openai:MODEL@URL`: any endpoint that speaks OpenAI's embeddings protocol.

Nothing is ever cut. Some servers cut what is too long and say nothing, so a text that may be over the
limit is not sent; one that the endpoint finds too long all the same is an OversizeError too. A request that is refused is halved until the text is found that it was refused for,
so that one text costs itself only. Limit and length of vectors are asked for when they are first
needed, so that loading opens no connection.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pincite.counting import Counter, count
from pincite.counting.bound import bound_counter
from pincite.counting.endpoint import EndpointCounter
from pincite.counting.models import prefixed_counter
from pincite.embedding.discovery import discovered_limit
from pincite.embedding.wire import fault, read_rows, unit
from pincite.errors import EmbeddingError, OptionError, OversizeError, PartialError, RefusedError, RemoteError
from pincite.options import EmbedOptions
from pincite.remote.client import Client
from pincite.remote.endpoint import Endpoint, Limits, usual_key
from pincite.remote.refusals import is_oversize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["EndpointEmbedder", "endpoint_embedder"]

PATH: Final = "/embeddings"
CONCURRENT: Final = 4
FORM: Final = "openai:MODEL@URL, such as openai:bge-m3@http://localhost:11434/v1"
HOPELESS: Final = (401, 403, 404)
"""Statuses that no smaller request changes."""


def endpoint_embedder(options: EmbedOptions) -> EndpointEmbedder:
    """The model and the endpoint that the option names; nothing is asked yet."""
    model, at, url = options.model.removeprefix("openai:").rpartition("@")
    if not (model and at and url):
        raise OptionError("embed.model", options.model, FORM)
    limits = Limits(total=options.endpoint_timeout, concurrent=options.threads or CONCURRENT)
    key = options.key_variable or usual_key(url)
    return EndpointEmbedder(options, model, Client(Endpoint(url, key, limits, "embed.model")))


class EndpointEmbedder:
    """An embedder whose model runs elsewhere; safe to share between threads."""

    def __init__(self, options: EmbedOptions, model: str, client: Client) -> None:
        self.options, self.model, self.client = options, model, client
        self.name = options.model
        self.asking = threading.Lock()
        self.measured: int | None = None

    @property
    def fingerprint(self) -> str:
        """All that the vectors depend on, as far as it can be known from here."""
        said = (self.options.dimensions, self.options.passage_prefix, self.options.query_prefix)
        return f"openai:{self.model}@{self.client.endpoint.url}#{json.dumps(said, ensure_ascii=False)}"

    @property
    def dimensions(self) -> int:
        """What the option says, or the length of a first vector."""
        with self.asking:
            if self.measured is None:
                self.measured = self.options.dimensions or self.probed()
            return self.measured

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self.client.close()

    def probed(self) -> int:
        try:
            (row,) = read_rows(self.request(["pincite"]), 1, self.client.endpoint.url + PATH)
        except RemoteError as error:
            raise EmbeddingError(f"{self.name}: {error}") from error
        if not row.size:
            raise EmbeddingError(f"{self.name} gave a vector without numbers")
        return row.size

    @cached_property
    def limit(self) -> int:
        return self.options.text_limit or discovered_limit(self.client, self.model)

    @cached_property
    def counter(self) -> Counter:
        """The tokenizer that the option names, or a bound that holds for all."""
        kind, prefix = self.options.tokenizer, self.options.passage_prefix
        if kind == "endpoint":
            return EndpointCounter(self.client, self.model, prefix)
        if kind.startswith("hf:"):
            return prefixed_counter(Path(kind.removeprefix("hf:")), prefix)
        if kind == "bytes":
            return bound_counter(prefix)
        raise OptionError("embed.tokenizer", kind, "bytes, endpoint or hf:FILE")

    def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> Array:
        """One row a text. Where some failed, a PartialError that holds the others."""
        import numpy as np

        called = names or [f"text {number}" for number in range(1, len(texts) + 1)]
        sizes = [count(self.counter, text) for text in texts]
        for name, size in zip(called, sizes, strict=True):
            if size > self.limit:
                raise OversizeError(name, size, self.limit, self.name)
        sent = [self.options.passage_prefix + text for text in texts]
        found = self.outcomes(sent, called, sizes)
        wrong = {at: each for at, each in enumerate(found) if isinstance(each, EmbeddingError)}
        if wrong:
            raise PartialError.of(wrong, {at: each for at, each in enumerate(found) if at not in wrong})
        made: Array = np.stack(found) if found else np.zeros((0, self.dimensions), np.float32)
        return made

    def embed_query(self, text: str) -> Array:
        """A question is rarely near the limit, and is refused by the endpoint where it is over."""
        found: Array | EmbeddingError
        (found,) = self.outcomes([self.options.query_prefix + text], ["the question"], [1])
        if isinstance(found, EmbeddingError):
            raise found
        return found

    # Requests

    def outcomes(self, texts: Sequence[str], names: Sequence[str], sizes: Sequence[int]) -> list[Any]:
        """A vector or an EmbeddingError for each text, in order."""
        dimensions = self.dimensions if texts else 0
        batches = list(self.batches(sizes))

        def one(batch: range) -> list[Any]:
            return self.embed(texts[batch.start : batch.stop], names[batch.start : batch.stop], dimensions)

        if len(batches) < 2:
            return [each for batch in batches for each in one(batch)]
        with ThreadPoolExecutor(min(len(batches), self.client.limits.concurrent)) as pool:
            return [each for found in pool.map(one, batches) for each in found]

    def batches(self, sizes: Sequence[int]) -> Iterator[range]:
        """Runs of texts, bounded in number and in tokens; a text over the bound goes alone."""
        start = tokens = 0
        for at, size in enumerate(sizes):
            full = at - start == self.options.batch_size or tokens + size > self.options.batch_tokens
            if full and at > start:
                yield range(start, at)
                start, tokens = at, 0
            tokens += size
        if start < len(sizes):
            yield range(start, len(sizes))

    def embed(self, texts: Sequence[str], names: Sequence[str], dimensions: int) -> list[Any]:
        """Outcomes of one request, or of its halves where it was refused."""
        try:
            rows = read_rows(self.request(texts), len(texts), self.client.endpoint.url + PATH)
        except RefusedError as error:
            if error.status in HOPELESS:
                raise EmbeddingError(f"{self.name}: {error}") from error
            if len(texts) == 1:
                return [self.refused(texts[0], names[0], error)]
            half = len(texts) // 2
            return [
                *self.embed(texts[:half], names[:half], dimensions),
                *self.embed(texts[half:], names[half:], dimensions),
            ]
        except RemoteError as error:
            raise EmbeddingError(f"{self.name} failed at {names[0]}: {error}") from error
        return [self.checked(row, name, dimensions) for row, name in zip(rows, names, strict=True)]

    def checked(self, row: Array, name: str, dimensions: int) -> Array | EmbeddingError:
        wrong = fault(row, dimensions)
        return EmbeddingError(f"{self.name} {wrong} for {name}; nothing was stored for it") if wrong else unit(row)

    def refused(self, text: str, name: str, error: RefusedError) -> EmbeddingError:
        """Why one text alone was refused; the tokens of one that is too long are counted or bounded here."""
        if is_oversize(error):
            return OversizeError(name, count(self.counter, text), self.limit, self.name)
        return EmbeddingError(f"{self.name} refused {name}: {error}")

    def request(self, texts: Sequence[str]) -> Any:
        more: dict[str, Any] = {"dimensions": self.options.dimensions} if self.options.dimensions else {}
        body = {"model": self.model, "input": list(texts), "encoding_format": self.options.vector_format, **more}
        return self.client.post(PATH, body)
