"""Trains the reader: does this passage answer the question, where, and is it a yes or a no?

python3 train_reader.py --base <folder> --pack <folder> --out <folder> --seconds 300

The base is a folder with the English model, or weights trained before, named as folder/name.
"""

import argparse
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from doc_pairs import DocPairs, pair_losses
from encoder import WIDTH, Encoder, load_base, load_encoder
from laid import Store, autocast
from measures import measure_held_out, measure_visitors
from pairs import Groups, Texts, embed_all, mine_wrong, pair_batch
from sections import Sections
from weights import load_weights, save_weights

BLOCKED = -1e4


class Reader(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.relevance = nn.Linear(WIDTH, 1)
        self.polarity = nn.Linear(WIDTH, 1)
        self.span = nn.Linear(WIDTH, 2)
        for head in (self.relevance, self.polarity, self.span):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

    def forward(self, ids, types, mask):
        hidden = self.encoder(ids, types, mask)
        start, end = self.span(hidden).unbind(-1)
        first = hidden[:, 0]
        return self.relevance(first).squeeze(-1), self.polarity(first).squeeze(-1), start, end


def passes(groups, size, wrong, rng, device):
    """Endless batches of (question, passage, group, label, row): a right passage with three wrong ones, or near misses."""
    rows = np.flatnonzero(groups.held_out == 0)
    rows = np.repeat(rows, groups.repeat[rows])
    while True:
        rng.shuffle(rows)
        for batch in np.array_split(rows, max(1, len(rows) // size)):
            yield make_batch(groups, batch, wrong, rng, device)


def make_batch(groups, rows, wrong, rng, device):
    sought = rows[groups.has_rivals[rows]]
    candidates = wrong[sought]
    # One of the hardest two, one of the hardest six, one of any.
    picks = np.stack([rng.integers(0, most, len(sought)) for most in (2, 6, candidates.shape[1])], 1)
    chosen = np.take_along_axis(candidates, picks, 1)
    keep = chosen >= 0
    group_of = np.broadcast_to(sought[:, None], chosen.shape)
    row = np.concatenate([rows, group_of[keep]])
    passage = np.concatenate([groups.passage[rows], chosen[keep]])
    label = np.concatenate([groups.answers[rows], np.zeros(keep.sum(), dtype=np.int64)])
    number = np.searchsorted(np.sort(rows), row)
    to = lambda values: torch.from_numpy(np.ascontiguousarray(values)).to(device, non_blocking=True)
    return to(groups.question[row]), to(passage), to(number), to(label), row


def losses(model, batch, groups, questions, passages, device, teachers=()):
    q, p, number, label, row = batch
    right = label == 1
    ids, types, mask, passage_from, is_passage = pair_batch(questions, passages, q, p)
    places = span_places(groups, row, right, passage_from, is_passage, device)
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        relevance, polarity, start, end = (each.float() for each in model(ids, types, mask))
        with torch.no_grad():
            taught = [teacher(ids, types, mask)[0].float().sigmoid() for teacher in teachers]
    marked, none = span_losses(start, end, places, right, is_passage)
    target = label.float() * 0.96 + 0.02
    if taught:
        target = (target + sum(taught) / len(taught)) / 2
    total = torch.zeros(len(q), device=device).index_add_(0, number, relevance.clamp(-20, 20).exp())
    said = torch.from_numpy(groups.polarity[row]).to(device)
    known = right & (said >= 0)
    return {
        "found": F.binary_cross_entropy_with_logits(relevance, target),
        "listwise": (total[number[right]].log() - relevance[right]).mean(),
        "span": marked,
        "nothing": none,
        "sign": F.binary_cross_entropy_with_logits(polarity, said.float().clamp(min=0), reduction="none")[known].sum()
        / known.sum().clamp(min=1),
    }


def span_places(groups, rows, right, passage_from, is_passage, device):
    """Where the marked answer lies among the tokens; 0 where there is none, -1 where it is not known or was cut off."""
    last = passage_from + is_passage.sum(1)
    marks = [torch.from_numpy(values[rows]).to(device) for values in (groups.start, groups.end)]
    seen = right & (marks[0] >= 0) & (marks[1] + passage_from < last)
    unknown = torch.full_like(marks[0], -1)
    nothing = torch.zeros_like(marks[0])
    return [torch.where(seen, mark + passage_from, torch.where(right, unknown, nothing)) for mark in marks]


def span_losses(start, end, places, right, is_passage):
    """Of the answers that are marked, and of the passages that hold none, whose span points at [CLS]."""
    open_places = is_passage.clone()
    open_places[:, 0] = True
    each = sum(
        F.cross_entropy(logits.masked_fill(~open_places, BLOCKED), at.clamp(min=0), reduction="none") / 2
        for logits, at in zip((start, end), places)
    )
    marked = right & (places[0] >= 0)
    return [(each * chosen).sum() / chosen.sum().clamp(min=1) for chosen in (marked, ~right)]


WEIGHTS = {"found": 1.0, "listwise": 0.5, "span": 0.5, "nothing": 0.2, "sign": 0.2, "docs": 0.2}


class DocLoss:
    """Documentation beside the questions, so that languages without questions are not forgotten."""

    def __init__(self, folder, groups, rng, device):
        store = Store(device)
        sections = Sections(folder, store)
        store.close()
        self.pairs, self.groups, self.device = DocPairs(sections, store, rng), groups, device

    def __call__(self, model):
        laid = self.pairs.batch(self.groups)
        with autocast(self.device):
            parts = pair_losses(model, laid, self.groups)
        return parts["rank"] + parts["each"]


def load_reader(path, device):
    """A reader trained before, named as folder/name."""
    weights = {name: torch.tensor(values) for name, values in load_weights(*os.path.split(path)).items()}
    layers = len([name for name in weights if name.endswith("qkv.weight")])
    reader = Reader(Encoder(layers, words=len(weights["encoder.words.weight"])))
    reader.load_state_dict(weights)
    return reader.to(device).eval()


def load_heads(model, path):
    """Where the base is a reader, its heads, too."""
    if os.path.exists(path + ".json"):
        weights = {name: torch.tensor(values) for name, values in load_weights(*os.path.split(path)).items()}
        model.load_state_dict({name: values for name, values in weights.items() if not name.startswith("encoder.")}, strict=False)


def load_embedder(folder, base, device):
    """The sentence model that finds passages in service, to find wrong ones that look right."""
    weights = {name: torch.tensor(values) for name, values in load_weights(folder, "embedder").items()}
    if "words.weight" in weights:
        return load_encoder(os.path.join(folder, "embedder")).to(device)
    embedder = load_base(base)
    embedder.load_state_dict(weights, strict=False)
    return embedder.to(device)


def train(options):
    began = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    rng = np.random.default_rng(options.seed)
    groups = Groups(options.pack)
    questions, passages = Texts(options.pack, "questions", device), Texts(options.pack, "passages", device)
    encoder = load_base(options.base, options.layers, options.dropout).to(device)
    say = lambda *text: print(f"[{time.time() - began:6.1f}]", *text, flush=True)
    say(len(groups), "groups")
    miner = load_embedder(options.miner, options.base, device) if options.miner else encoder
    wrong = mine_wrong(groups, embed_all(miner, questions), embed_all(miner, passages), seed=options.seed)
    say("mined", (wrong >= 0).sum(1).mean())
    model = Reader(encoder).to(device)
    load_heads(model, options.base)
    docs = DocLoss(options.docs, options.doc_groups, rng, device) if options.docs else None
    teachers = [load_reader(path, device) for path in options.teachers]
    plain = [p for name, p in model.named_parameters() if "norm" in name or name.endswith("bias")]
    decayed = [p for name, p in model.named_parameters() if not ("norm" in name or name.endswith("bias"))]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.05}, {"params": plain, "weight_decay": 0.0}],
        lr=options.rate, betas=(0.9, 0.98),
    )
    batches = passes(groups, options.groups, wrong, rng, device)
    model.train()
    size = int(groups.repeat[groups.held_out == 0].sum())
    started, step, seen, sums = time.time(), 0, 0, {}
    # Until the time is up or all epochs are done, whichever comes first.
    while (share := max((time.time() - started) / options.seconds, seen / size / options.passes)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, step / 150) * max(0.02, 1 - share)
        batch = next(batches)
        parts = losses(model, batch, groups, questions, passages, device, teachers)
        if docs:
            parts["docs"] = docs(model)
        loss = sum(WEIGHTS[name] * value for name, value in parts.items())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step, seen = step + 1, seen + options.groups
        if step % 25 == 0:
            for name, value in parts.items():
                sums.setdefault(name, []).append(value.item())
        if step % 200 == 0:
            say(step, "groups", seen, {name: round(float(np.mean(values)), 4) for name, values in sums.items()})
            sums = {}
    say("trained", step, "steps,", round(seen / size, 2), "passes")
    model.eval()
    save_weights(model, options.out, options.name)
    measure_held_out(model, groups, questions, passages, wrong, device, say)
    if options.visitors:
        measure_visitors(model, options.visitors, device, say)
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default="reader")
    parser.add_argument("--visitors", help="candidates of evaluation questions, to measure on")
    parser.add_argument("--teachers", nargs="*", default=[], help="readers to learn from, as folder/name")
    parser.add_argument("--miner", help="folder with an embedder's weights, to find hard wrong passages with")
    parser.add_argument("--docs", help="documentation to go on with beside the questions")
    parser.add_argument("--doc-groups", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--passes", type=float, default=5)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--groups", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())
