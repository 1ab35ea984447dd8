"""Writes a trained model as one small ONNX file: fused attention, weights as bytes, words as bytes with a scale a row.

python3 export_onnx.py reader|embedder <weights folder> <output file> [<base folder>]

An embedder of train_embedder.py keeps the words of the base model, so it needs that, too.

Weights keep seven bits: with eight, processors without VNNI overflow while they add products of bytes.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from weights import load_base_words, load_weights

HEADS, LARGEST = 12, 64


class Graph:
    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, values, name=None):
        name = name or f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(values, order="C"), name))
        return name

    def add(self, op, inputs, outputs=1, domain="", **attributes):
        self.count += 1
        names = [f"{op}{self.count}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def fused(self, op, inputs, outputs=1, **attributes):
        return self.add(op, inputs, outputs, domain="com.microsoft", **attributes)


def as_bytes(graph, weight):
    """A linear layer's weight, one scale a column."""
    columns = weight.T
    scales = np.abs(columns).max(0).clip(1e-8) / LARGEST
    codes = np.round(columns / scales).clip(-LARGEST, LARGEST).astype(np.int8)
    zero = graph.constant(np.zeros(len(scales), dtype=np.int8))
    return graph.constant(codes), graph.constant(scales.astype(np.float32)), zero


def linear(graph, x, weights, name):
    codes, scales, zero = as_bytes(graph, weights[name + ".weight"])
    return graph.fused("DynamicQuantizeMatMul", [x, codes, scales, zero, graph.constant(weights[name + ".bias"])])


def attention(graph, x, weights, name):
    codes, scales, zero = as_bytes(graph, weights[name + ".weight"])
    values, scale, offset = graph.add("DynamicQuantizeLinear", [x], 3)
    bias = graph.constant(weights[name + ".bias"])
    return graph.fused("QAttention", [values, codes, bias, scale, scales, "mask", offset, zero], num_heads=HEADS)


def skip_norm(graph, x, residual, weights, name):
    gamma, beta = (graph.constant(weights[f"{name}.{part}"]) for part in ("weight", "bias"))
    return graph.fused("SkipLayerNormalization", [x, residual, gamma, beta], epsilon=1e-12)


def encoder(graph, weights, prefix):
    of = lambda name: weights[prefix + name]
    words = of("words.weight")
    scales = np.abs(words).max(1, keepdims=True).clip(1e-8) / 127
    codes = graph.constant(np.round(words / scales).astype(np.int8))
    row = graph.add("Cast", [graph.add("Gather", [codes, "input_ids"])], to=TensorProto.FLOAT)
    x = graph.add("Mul", [row, graph.add("Gather", [graph.constant(scales.astype(np.float32)), "input_ids"])])
    length = graph.add("Gather", [graph.add("Shape", ["input_ids"]), graph.constant(np.int64(1))])
    places = graph.add("Range", [graph.constant(np.int64(0)), length, graph.constant(np.int64(1))])
    x = graph.add("Add", [x, graph.add("Gather", [graph.constant(of("positions.weight")), places])])
    x = graph.add("Add", [x, graph.add("Gather", [graph.constant(of("types.weight")), "token_type_ids"])])
    x = graph.add("LayerNormalization", [x, graph.constant(of("norm.weight")), graph.constant(of("norm.bias"))], epsilon=1e-12)
    layer = 0
    while f"{prefix}layers.{layer}.qkv.weight" in weights:
        at = f"{prefix}layers.{layer}."
        attended = linear(graph, attention(graph, x, weights, at + "qkv"), weights, at + "out")
        x = skip_norm(graph, attended, x, weights, at + "norm1")
        inner = graph.fused("Gelu", [linear(graph, x, weights, at + "up")])
        x = skip_norm(graph, linear(graph, inner, weights, at + "down"), x, weights, at + "norm2")
        layer += 1
    return x


def reader(graph, weights):
    hidden = encoder(graph, weights, "encoder.")
    first = graph.add("Gather", [hidden, graph.constant(np.int64(0))], axis=1)
    both = [np.concatenate([weights[f"{head}.{part}"] for head in ("relevance", "polarity")]) for part in ("weight", "bias")]
    scores = graph.add("Gemm", [first, graph.constant(both[0]), graph.constant(both[1])], transB=1)
    span = graph.add("MatMul", [hidden, graph.constant(weights["span.weight"].T)])
    span = graph.add("Add", [span, graph.constant(weights["span.bias"])])
    return {"scores": (scores, ["batch", 2]), "span": (span, ["batch", "length", 2])}


def embedder(graph, weights):
    hidden = encoder(graph, weights, "")
    mask = graph.add("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    mask = graph.add("Unsqueeze", [mask, graph.constant(np.array([2], dtype=np.int64))])
    total = graph.add("ReduceSum", [graph.add("Mul", [hidden, mask]), graph.constant(np.array([1], dtype=np.int64))], keepdims=0)
    return {"vectors": (graph.add("LpNormalization", [total], axis=1, p=2), ["batch", 384])}


def export(kind, folder, path, base=None):
    graph = Graph()
    weights = load_weights(folder, kind)
    if base:
        weights["words.weight"] = load_base_words(base)
    graph.nodes.append(helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.INT32))
    outputs = {"reader": reader, "embedder": embedder}[kind](graph, weights)
    for output, (inner, _) in outputs.items():
        graph.nodes.append(helper.make_node("Identity", [inner], [output]))
    names = ("input_ids", "token_type_ids", "attention_mask")
    whole = helper.make_graph(
        graph.nodes, f"docent-{kind}",
        [helper.make_tensor_value_info(each, TensorProto.INT64, ["batch", "length"]) for each in names],
        [helper.make_tensor_value_info(each, TensorProto.FLOAT, shape) for each, (_, shape) in outputs.items()],
        graph.constants,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(whole, opset_imports=opsets, producer_name="docent", ir_version=8)
    onnx.save(model, path)


if __name__ == "__main__":
    export(*sys.argv[1:])
