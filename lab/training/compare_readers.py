"""Measures trained readers side by side, and the one whose weights are their mean.

python3 compare_readers.py --base <folder> --pack <folder> [--visitors <folder>] [--average <folder>] <folder/name>…
"""

import argparse
import time

import torch

from encoder import load_base
from measures import measure_held_out, measure_visitors
from pairs import Groups, Texts, embed_all, mine_wrong
from train_reader import load_embedder, load_reader
from weights import save_weights


def compare(options):
    began = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    say = lambda *text: print(f"[{time.time() - began:6.1f}]", *text, flush=True)
    groups = Groups(options.pack)
    questions, passages = Texts(options.pack, "questions", device), Texts(options.pack, "passages", device)
    miner = load_embedder(options.miner, options.base, device) if options.miner else load_base(options.base).to(device)
    wrong = mine_wrong(groups, embed_all(miner, questions), embed_all(miner, passages), seed=1)
    readers = {path: load_reader(path, device) for path in options.readers}
    if options.average:
        mean = load_reader(options.readers[0], device)
        states = [reader.state_dict() for reader in readers.values()]
        mean.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]})
        save_weights(mean, options.average, "reader")
        readers["mean"] = mean
    for name, reader in readers.items():
        say(name)
        measure_held_out(reader, groups, questions, passages, wrong, device, say)
        if options.visitors:
            measure_visitors(reader, options.visitors, device, say)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--miner")
    parser.add_argument("--visitors")
    parser.add_argument("--average", help="where to put the mean of all")
    parser.add_argument("readers", nargs="+")
    compare(parser.parse_args())
