"""What embedding costs beside the bare runtime: `python -m benchmarks.embedding`.

Both sides run the same ONNX session over the same texts, longest first. The bare side is given the
tokens and keeps what comes; ours tokenizes, checks each vector and makes it as long as one. Sides take
turns, and processor time counts, so that other work on the machine changes little.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from pincite.embedding import load_embedder
from pincite.embedding.runner import TextEmbedder
from pincite.options import EmbedOptions
from pincite.pipeline import chunk

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
TEXTS = 32
ROUNDS = 5


def texts() -> list[str]:
    """Chunks of the sample documents in three languages."""
    names = ("handbook.pdf", "handbook-vi.pdf", "handbook-ko.pdf", "manual.md")
    found = [each.embedding_text for name in names for each in chunk(SAMPLES / name)]
    return sorted(found, key=len, reverse=True)[:: max(1, len(found) // TEXTS)][:TEXTS]


def spent(work: Callable[[], object]) -> float:
    """Processor seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measured(model: str) -> tuple[float, int, int]:
    """Throughput of ours over that of the bare runtime; texts and tokens."""
    made = load_embedder(EmbedOptions(model=model, threads=1))
    assert isinstance(made, TextEmbedder)
    passages = texts()
    rows = [made.tokenize(made.passage_prefix + text)[: made.limit] for text in passages]
    fitting = [text for text, row in zip(passages, rows, strict=True) if len(row) < made.limit]
    rows = sorted((row for row in rows if len(row) < made.limit), key=len, reverse=True)
    made.embed_passages(fitting[:1])
    bare, ours = [], []
    for _ in range(ROUNDS):
        bare.append(spent(lambda: [made.run(row) for row in rows]))
        ours.append(spent(lambda: made.embed_passages(fitting)))
    return min(bare) / min(ours), len(rows), sum(map(len, rows))


def main() -> None:
    import onnxruntime

    print(f"onnxruntime {onnxruntime.__version__}, one thread, least of {ROUNDS} rounds")
    for model in ("multilingual-e5-small", "all-MiniLM-L6-v2"):
        ratio, count, tokens = measured(model)
        print(f"{model}: {ratio:.3f} of the bare runtime's throughput ({count} texts, {tokens} tokens)")


if __name__ == "__main__":
    main()
