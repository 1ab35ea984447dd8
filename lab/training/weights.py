"""Weights as a folder of small files: half precision, the word vectors as bytes with a scale a row."""

import json
import lzma
from pathlib import Path

import numpy as np

LARGEST_FILE = 15 * 2**20


def save_weights(model, folder, name, skip=()):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    index, data = [], bytearray()
    for key, tensor in model.state_dict().items():
        if key in skip:
            continue
        values = tensor.detach().float().cpu().numpy()
        if key.endswith("words.weight"):
            scales = np.abs(values).max(1, keepdims=True).clip(1e-8) / 127
            put(index, data, key + ".scales", scales.astype(np.float32))
            put(index, data, key + ".codes", np.round(values / scales).astype(np.int8))
        else:
            put(index, data, key, values.astype(np.float16))
    (folder / f"{name}.json").write_text(json.dumps(index))
    for part, start in enumerate(range(0, len(data), LARGEST_FILE)):
        (folder / f"{name}.{part}").write_bytes(data[start : start + LARGEST_FILE])


def put(index, data, key, values):
    index.append([key, str(values.dtype), list(values.shape), len(data)])
    data += values.tobytes()


def load_weights(folder, name):
    folder = Path(folder)
    parts = sorted(folder.glob(f"{name}.[0-9]*"), key=lambda path: int(path.suffix[1:]))
    data = b"".join(path.read_bytes() for path in parts)
    raw = {}
    for key, kind, shape, start in json.loads((folder / f"{name}.json").read_text()):
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        raw[key] = np.frombuffer(data[start : start + size], dtype=kind).reshape(shape)
    found = {}
    for key, values in raw.items():
        if key.endswith(".codes"):
            found[key[: -len(".codes")]] = values.astype(np.float32) * raw[key[: -len(".codes")] + ".scales"]
        elif not key.endswith(".scales"):
            found[key] = values.astype(np.float32)
    return found


def load_onnx(path):
    """The weights of an encoder in a file that export_onnx.py wrote, in the order in which it writes them."""
    import onnx
    from onnx import numpy_helper

    tensors = iter([numpy_helper.to_array(each) for each in onnx.load(str(path)).graph.initializer])
    codes, scales, *_ = (next(tensors) for _ in range(5))
    found = {"words.weight": codes.astype(np.float32) * scales}
    for name in ("positions.weight", "types.weight", "norm.weight", "norm.bias"):
        found[name] = np.array(next(tensors))
    layer = 0
    for zero in tensors:
        if zero.dtype != np.int8:
            break  # A reader's heads.
        for part in ("qkv", "out", "norm1", "up", "down", "norm2"):
            name = f"layers.{layer}.{part}"
            if part.startswith("norm"):
                found[name + ".weight"], found[name + ".bias"] = np.array(next(tensors)), np.array(next(tensors))
                continue
            if part != "qkv":
                next(tensors)
            codes, scales, bias = (next(tensors) for _ in range(3))
            found[name + ".weight"] = (codes.astype(np.float32) * scales).T
            found[name + ".bias"] = np.array(bias)
        layer += 1
    return found


def load_base_words(folder):
    raw = lzma.open(Path(folder) / "minilm.bin.xz", "rb").read()
    rows = json.loads((Path(folder) / "minilm.json").read_text())
    _, shape, _, start, length = next(row for row in rows if row[0] == ".model.embeddings.word_embeddings.weight")
    return np.frombuffer(raw[start : start + length], dtype=np.float16).reshape(shape).astype(np.float32)
