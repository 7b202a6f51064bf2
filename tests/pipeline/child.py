"""What a process that is to be killed does: `python -m tests.pipeline.child DOCS INDEX [BYTES]`.

It says when it is ready and waits for a line. BYTES limits the size of the files that it may
write, as a full disk would.
"""

from __future__ import annotations

import sys

from pincite.errors import StoreError
from pincite.options import ChunkOptions, EmbedOptions, IndexOptions, Options
from pincite.pipeline import Index

OPTIONS = Options(
    chunk=ChunkOptions(counter="chars", max_tokens=400),
    embed=EmbedOptions(model="hash-16", batch_size=8),
    index=IndexOptions(workers=1),
)


def main(docs: str, path: str, limit: str = "") -> None:
    index = Index(path, OPTIONS)
    assert index.embedder.dimensions == 16
    if limit:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        report = index.sync(docs)
    except StoreError as error:
        print("refused", error)
    else:
        print(report.added, report.changed, report.unchanged, report.failed, report.chunks_embedded, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
