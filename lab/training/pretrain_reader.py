"""Prepares the reader's encoder on documentation in all languages, before train_reader.py.

python3 pretrain_reader.py --base <folder/name> --docs <folder> --out <folder> --seconds 180

Which of four sections does this heading or sentence belong to, also across languages, and what was masked?
"""

import argparse
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from doc_pairs import DocPairs, pair_losses
from encoder import WIDTH, load_encoder
from laid import Store, autocast
from sections import Sections
from train_reader import Reader
from weights import save_weights

WEIGHTS = {"rank": 1.0, "each": 0.5, "masked": 0.5, "first": 0.0}


class Masked(nn.Module):
    """Tells the masked words, with the encoder's own word vectors."""

    def __init__(self, words):
        super().__init__()
        self.words = words
        self.dense, self.norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH)
        self.bias = nn.Parameter(torch.zeros(words))

    def forward(self, hidden, words):
        return F.linear(self.norm(F.gelu(self.dense(hidden))), words, self.bias)


def train(options):
    began = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    say = lambda *text: print(f"[{time.time() - began:6.1f}]", *text, flush=True)
    store = Store(device)
    sections = Sections(options.docs, store)
    store.close()
    pairs = DocPairs(sections, store, np.random.default_rng(options.seed))
    model = Reader(load_encoder(options.base, options.dropout)).to(device)
    masked = Masked(len(model.encoder.words.weight)).to(device)
    parameters = [*model.parameters(), *masked.parameters()]
    fused = {"fused": True} if device.type == "cuda" else {}
    optimizer = torch.optim.AdamW(parameters, lr=options.rate, betas=(0.9, 0.98), weight_decay=0.02, **fused)
    say(int(sections.present.sum()), "sections")
    model.train()
    started, step, sums, tokens = time.time(), 0, {}, 0
    while (share := (time.time() - started) / options.seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 300) * max(0.05, 1 - share)
        laid = pairs.batch(options.groups)
        with autocast(device):
            parts = pair_losses(model, laid, options.groups, masked)
        loss = sum(WEIGHTS[name] * value for name, value in parts.items())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        step, tokens = step + 1, tokens + len(laid.ids)
        if step % 25 == 0:
            for name, value in parts.items():
                sums.setdefault(name, []).append(value.item())
        if step % options.report == 0:
            say(step, {name: round(float(np.mean(values)), 3) for name, values in sums.items()}, tokens // step, "tokens a step")
            sums = {}
    say("trained", step, "steps,", round(tokens / 1e6), "million tokens")
    save_weights(model, options.out, options.name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True, help="weights of an encoder, as folder/name")
    parser.add_argument("--docs", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default="prepared")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--dropout", type=float, default=0.05)
    parser.add_argument("--groups", type=int, default=256)
    parser.add_argument("--report", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())
