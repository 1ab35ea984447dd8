"""MiniLM: the encoder under both models, in plain PyTorch, and the base weights it starts from."""

import json
import lzma
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from weights import load_onnx, load_weights

try:
    from torch.nn.attention.varlen import varlen_attn
except ImportError:
    varlen_attn = None  # An old PyTorch does for a processor.

WIDTH, HEADS, INNER, VOCABULARY, POSITIONS = 384, 12, 1536, 30522, 512


class Layer(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = dropout

    def forward(self, x, bounds, longest: int):
        q, k, v = self.qkv(x).view(-1, 3, HEADS, WIDTH // HEADS).unbind(1)
        a = self.out(attend(q, k, v, bounds, longest).reshape(-1, WIDTH))
        x = self.norm1(x + F.dropout(a, self.dropout, self.training))
        h = self.down(F.gelu(self.up(x)))
        return self.norm2(x + F.dropout(h, self.dropout, self.training))


def attend(q, k, v, bounds, longest):
    """Each text attends to itself; texts lie end to end, so nothing is padded."""
    if q.is_cuda:
        return varlen_attn(q, k, v, bounds, bounds, longest, longest)
    parts = []
    for start, end in zip(bounds.tolist(), bounds.tolist()[1:]):
        one = [each[start:end].transpose(0, 1) for each in (q, k, v)]
        weights = (one[0] @ one[1].transpose(-1, -2) / math.sqrt(WIDTH // HEADS)).softmax(-1)
        parts.append((weights @ one[2]).transpose(0, 1))
    return torch.cat(parts)


class Encoder(nn.Module):
    def __init__(self, layers=6, dropout=0.1, words=VOCABULARY):
        super().__init__()
        self.words = nn.Embedding(words, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.types = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.dropout = dropout

    def forward(self, ids, types, mask):
        longest = ids.shape[1]
        bounds = F.pad(mask.sum(1).cumsum(0), (1, 0)).int()
        places = torch.arange(longest, device=ids.device).expand_as(ids)[mask]
        x = self.end_to_end(ids[mask], types[mask], places, bounds, longest)
        padded = x.new_zeros(*ids.shape, WIDTH)
        padded[mask] = x
        return padded

    def end_to_end(self, ids, types, places, bounds, longest):
        """Texts that lie end to end, each from one bound to the next."""
        x = self.words(ids) + self.positions(places) + self.types(types)
        x = F.dropout(self.norm(x), self.dropout, self.training)
        for layer in self.layers:
            x = layer(x, bounds, longest)
        return x


def load_encoder(path, dropout=0.1):
    """An encoder trained before: an exported model (.onnx), or weights named as folder/name."""
    path = Path(path)
    weights = load_onnx(path) if path.suffix == ".onnx" else load_weights(path.parent, path.name)
    # A reader's encoder has a prefix.
    state = {name.removeprefix("encoder."): torch.tensor(values) for name, values in weights.items()}
    layers = len([name for name in state if name.endswith("qkv.weight")])
    encoder = Encoder(layers, dropout, len(state["words.weight"]))
    missing, _ = encoder.load_state_dict(state, strict=False)
    assert not missing, missing
    return encoder


def load_base(folder, layers=6, dropout=0.1):
    """The sentence model all-MiniLM-L6-v2, from the 4-bit blocks of its ONNX file; or what load_encoder takes."""
    folder = Path(folder)
    if not (folder / "minilm.json").exists():
        return load_encoder(folder, dropout)
    raw = lzma.open(folder / "minilm.bin.xz", "rb").read()
    types = {"f32": np.float32, "f16": np.float16, "u8": np.uint8}
    tensors = {
        name: np.frombuffer(raw[start : start + length], dtype=types[kind]).reshape(shape)
        for name, shape, kind, start, length in json.loads((folder / "minilm.json").read_text())
    }

    def weight(name):
        blocks = tensors[name + ".MatMul.weight_Q4"]
        rows, count, _ = blocks.shape
        halves = [(blocks & 15).astype(np.int8) - 8, (blocks >> 4).astype(np.int8) - 8]
        values = np.stack(halves, -1).reshape(rows, count, 32).astype(np.float32)
        scales = tensors[name + ".MatMul.weight_scales"].reshape(rows, count, 1)
        return (values * scales).reshape(rows, count * 32)

    state = {}

    def put(name, value):
        state[name] = torch.tensor(np.array(value, dtype=np.float32))

    for ours, theirs in {"words": "word", "positions": "position", "types": "token_type"}.items():
        put(f"{ours}.weight", tensors[f".model.embeddings.{theirs}_embeddings.weight"])
    for part in ("weight", "bias"):
        put(f"norm.{part}", tensors[f"model.layers.-1.embeddings_norm_layernorm.{part}"])
    # A shallower model starts from layers spread over the deep one.
    chosen = {6: range(6), 4: (0, 1, 3, 5), 3: (0, 2, 4)}[layers]
    for to, source in enumerate(chosen):
        at = f"model.layers.{source}."
        projections = [at + f"attn.{name}_proj" for name in "qkv"]
        put(f"layers.{to}.qkv.weight", np.concatenate([weight(name) for name in projections]))
        put(f"layers.{to}.qkv.bias", np.concatenate([tensors[name + ".Add.bias"] for name in projections]))
        for ours, theirs in {"out": "attn.o_proj", "up": "mlp.fc1", "down": "mlp.fc2"}.items():
            put(f"layers.{to}.{ours}.weight", weight(at + theirs))
            put(f"layers.{to}.{ours}.bias", tensors[at + theirs + ".Add.bias"])
        for ours, theirs in {"norm1": "attention_output_norm", "norm2": "mlp_output_norm"}.items():
            for part in ("weight", "bias"):
                put(f"layers.{to}.{ours}.{part}", tensors[f"{at}{theirs}_layernorm.{part}"])
    encoder = Encoder(layers, dropout)
    encoder.load_state_dict(state)
    return encoder
