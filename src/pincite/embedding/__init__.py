"""Texts to vectors: one module a source of models."""

from __future__ import annotations

from pincite.counting.models import E5, KNOWN, MINILM
from pincite.embedding.embedder import Embedder
from pincite.errors import OptionError
from pincite.options import EmbedOptions

__all__ = ["Embedder", "load_embedder"]


def load_embedder(options: EmbedOptions) -> Embedder:
    """The embedding model that the options name, ready to use; its libraries are imported here and not before."""
    if options.model == E5:
        from pincite.embedding.e5 import e5_embedder

        return e5_embedder(options)
    if options.model == MINILM:
        from pincite.embedding.minilm import minilm_embedder

        return minilm_embedder(options)
    if options.model.startswith("onnx:"):
        from pincite.embedding.folder import folder_embedder

        return folder_embedder(options)
    if options.model.startswith("hf:"):
        from pincite.embedding.hub import hub_embedder

        return hub_embedder(options)
    if options.model.startswith("sentence-transformers:"):
        from pincite.embedding.sentences import sentence_embedder

        return sentence_embedder(options)
    if options.model.startswith("openai:"):
        from pincite.embedding.endpoint import endpoint_embedder

        return endpoint_embedder(options)
    if options.model.startswith("hash-"):
        from pincite.embedding.hashing import hash_embedder

        return hash_embedder(options.model)
    raise OptionError("embed.model", options.model, KNOWN)
