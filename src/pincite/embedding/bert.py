"""Writes a BERT encoder as an ONNX graph, from weights in any form, without the library that trained it.

The graph takes word vectors, not ids: the table of words is the largest part of a small model,
and its rows are read from the weights' own file for the few words of a text. It gives
the mean of the last layer's vectors over the text (mean pooling), one row a text.

A matrix goes into the graph in one of three ways:

- `Float`: 32 bits;
- `Packed`: blocks of 4 bits as they stand in the file, opened up while multiplying: nothing is lost;
- `Rounded`: 7 bits a weight and one scale a column, multiplied with inputs that are
  rounded to 8 bits on the fly. Seven, since many processors add two products of 8 bits in a
  register of 16, which overflows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pincite.embedding.runtime import require

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["Encoder", "Float", "Layer", "Matrix", "Norm", "Packed", "Rounded", "encoder_model"]

STANDARD_SET: Final = 20
IR_VERSION: Final = 9
MICROSOFT: Final = "com.microsoft"
BLOCK: Final = 32
LARGEST_WEIGHT: Final = 63


@dataclass(frozen=True, slots=True)
class Float:
    """A matrix of 32-bit numbers."""

    weight: Array
    """Rows are outputs."""

    bias: Array


@dataclass(frozen=True, slots=True)
class Rounded:
    """A matrix that is to be rounded to 7 bits."""

    weight: Array
    """Rows are outputs."""

    bias: Array


@dataclass(frozen=True, slots=True)
class Packed:
    """A matrix of 4-bit blocks."""

    nibbles: NDArray[np.uint8]
    """By output, block and pair of weights: the first of a pair in the low half; each is 8 too large."""

    scales: Array
    """By output and block."""

    bias: Array


Matrix = Float | Rounded | Packed


@dataclass(frozen=True, slots=True)
class Norm:
    """A layer normalisation."""

    weight: Array
    bias: Array


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the encoder."""

    query: Matrix
    key: Matrix
    value: Matrix
    out: Matrix
    out_norm: Norm
    inner: Matrix
    outer: Matrix
    outer_norm: Norm


@dataclass(frozen=True, slots=True)
class Encoder:
    """A whole encoder but for its words."""

    positions: Array
    """By position: its vector, that of the first token type added."""

    norm: Norm
    layers: tuple[Layer, ...]
    heads: int
    epsilon: float


@dataclass(slots=True)
class Graph:
    """A graph under construction."""

    helper: Any
    numpy_helper: Any
    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def constant(self, value: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(self.numpy_helper.from_array(value, name))
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Adds an operation and gives the name of its only output."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(self.helper.make_node(kind, list(inputs), [name], domain=domain, **attributes))
        return name


def encoder_model(encoder: Encoder) -> bytes:
    """The encoder as an ONNX file: inputs `words` (texts, tokens, width) and `mask`, output `pooled`."""
    onnx = require("onnx")
    graph = Graph(require("onnx.helper"), require("onnx.numpy_helper"))
    width = encoder.positions.shape[1]
    pooled = pool(graph, encoded(graph, encoder))
    graph.nodes.append(graph.helper.make_node("Identity", [pooled], ["pooled"]))
    number, whole = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
    described = graph.helper.make_tensor_value_info
    made = graph.helper.make_graph(
        graph.nodes,
        "encoder",
        [described("words", number, ["texts", "tokens", width]), described("mask", whole, ["texts", "tokens"])],
        [described("pooled", number, ["texts", width])],
        graph.constants,
    )
    sets = [graph.helper.make_opsetid("", STANDARD_SET), graph.helper.make_opsetid(MICROSOFT, 1)]
    model: bytes = graph.helper.make_model(made, opset_imports=sets, ir_version=IR_VERSION).SerializeToString()
    return model


def encoded(graph: Graph, encoder: Encoder) -> str:
    """Words to the last layer's vectors."""
    import numpy as np

    def normed(value: str, norm: Norm) -> str:
        weight, bias = graph.constant(norm.weight), graph.constant(norm.bias)
        return graph.node("LayerNormalization", value, weight, bias, axis=-1, epsilon=encoder.epsilon)

    zero, one, two = (graph.constant(np.array([n], np.int64)) for n in range(3))
    tokens = graph.node("Slice", graph.node("Shape", "mask"), one, two)
    positions = graph.node("Slice", graph.constant(encoder.positions), zero, tokens, zero)
    mask = graph.node("Cast", "mask", to=require("onnx").TensorProto.INT32)
    state = normed(graph.node("Add", "words", positions), encoder.norm)
    for layer in encoder.layers:
        inputs = [multiplied(graph, state, matrix) for matrix in (layer.query, layer.key, layer.value)]
        mixed = graph.node("MultiHeadAttention", *inputs, "", mask, domain=MICROSOFT, num_heads=encoder.heads)
        state = normed(graph.node("Add", state, multiplied(graph, mixed, layer.out)), layer.out_norm)
        inner = graph.node("Gelu", multiplied(graph, state, layer.inner))
        state = normed(graph.node("Add", state, multiplied(graph, inner, layer.outer)), layer.outer_norm)
    return state


def pool(graph: Graph, state: str) -> str:
    """The mean over the text's own tokens."""
    import numpy as np

    one, last = graph.constant(np.array([1], np.int64)), graph.constant(np.array([-1], np.int64))
    mask = graph.node("Unsqueeze", graph.node("Cast", "mask", to=require("onnx").TensorProto.FLOAT), last)
    total = graph.node("ReduceSum", graph.node("Mul", state, mask), one, keepdims=0)
    return graph.node("Div", total, graph.node("ReduceSum", mask, one, keepdims=0))


def multiplied(graph: Graph, value: str, matrix: Matrix) -> str:
    """`value` times the matrix, and its bias added."""
    import numpy as np

    bias = graph.constant(matrix.bias)
    if isinstance(matrix, Packed):
        outputs, blocks, _ = matrix.nibbles.shape
        packed, scales = graph.constant(matrix.nibbles), graph.constant(matrix.scales.reshape(-1))
        size = {"K": blocks * BLOCK, "N": outputs, "bits": 4, "block_size": BLOCK}
        return graph.node("MatMulNBits", value, packed, scales, "", "", bias, domain=MICROSOFT, **size)
    columns = np.ascontiguousarray(matrix.weight.T)
    if isinstance(matrix, Float):
        return graph.node("Add", graph.node("MatMul", value, graph.constant(columns)), bias)
    scale = np.maximum(np.abs(columns).max(axis=0) / LARGEST_WEIGHT, np.finfo(np.float32).tiny).astype(np.float32)
    weight, scales = graph.constant(np.rint(columns / scale).astype(np.int8)), graph.constant(scale)
    return graph.node("DynamicQuantizeMatMul", value, weight, scales, "", bias, domain=MICROSOFT)


Words = Callable[["NDArray[np.int64]"], "Array"]
"""The word vectors of a row of ids."""


def runner(model: bytes, name: str, words: Words) -> Callable[[Sequence[int]], Array]:
    """What a TextEmbedder calls: the ids of a text to its vector."""
    import numpy as np

    from pincite.embedding.runtime import session

    run = session(model, name).run

    def vector(ids: Sequence[int]) -> Array:
        found = words(np.array(ids, np.int64))
        pooled: Array = run(["pooled"], {"words": found[None], "mask": np.ones((1, len(ids)), np.int64)})[0][0]
        return pooled

    return vector
