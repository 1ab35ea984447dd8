"""Saves the encoder of an exported model with those word vectors only that prepared examples need.

python3 cut_encoder.py <model.onnx> <pack> <weights folder>
"""

import sys
from pathlib import Path

import numpy as np

from encoder import load_encoder
from weights import save_weights


def cut(model, pack, out):
    encoder = load_encoder(model)
    pieces = np.fromfile(Path(pack) / "pieces.i32", dtype=np.int32)
    encoder.words.weight.data = encoder.words.weight.data[pieces]
    save_weights(encoder, out, "encoder")


if __name__ == "__main__":
    cut(*sys.argv[1:])
