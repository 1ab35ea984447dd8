"""Trains the writer: a short answer in words of question and passage, given the marked part.

python3 train_writer.py --encoder <folder/name> --pack <folder> --out <folder> --seconds 400

First it learns to copy the marked part, or the sentences around it, from all questions; then from short answers
written for them. Several settings share the time; the best on the answers for choosing is measured on those held out and saved.
"""

import argparse
import json
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn

from encoder import load_encoder
from weights import save_weights
from writer import ANSWER, END, LONGEST, PAD, PART, QUOTE, Writer, generate
from written_answers import compose, measure

COPYING, TRAINING, CHOOSING, HELD_OUT = range(4)
# Layers, dropout, the encoder's rate as a share of the decoder's (0: frozen), the share of the time spent on copying.
SETTINGS = {
    "tuned": (3, 0.15, 0.1, 0.5),
    "frozen": (3, 0.15, 0.0, 0.5),
    "no copying first": (3, 0.15, 0.1, 0.0),
    "two layers": (2, 0.15, 0.1, 0.5),
    "tuned faster": (3, 0.15, 0.4, 0.5),
    "more dropout": (3, 0.3, 0.1, 0.5),
    "more copying": (3, 0.15, 0.1, 0.75),
}


class Examples:
    """All examples on the device."""

    def __init__(self, folder, device, every=1):
        lists = {name: read_lists(Path(folder), name) for name in ("tokens", "word-of", "words", "targets", "targets-at")}
        to = lambda values: torch.from_numpy(values.astype(np.int32)).to(device)
        self.tokens, self.token_counts = (to(each) for each in lists["tokens"])
        self.words, self.word_counts = (to(each) for each in lists["words"])
        self.word_of, self.targets, self.targets_at = (to(lists[name][0]) for name in ("word-of", "targets", "targets-at"))
        rows = np.fromfile(Path(folder) / "rows.i32", dtype=np.int32).reshape(-1, 8)
        self.set, self.rows, self.device = rows[:, 0], to(rows), device
        meta = json.loads((Path(folder) / "writer.json").read_text())
        self.closed = meta["closed"]
        self.shown = {each["row"]: each for each in meta["shown"]}
        self.signs = torch.tensor([[PAD, PAD], *[[self.closed.index(word), self.closed.index(",")] for word in ("yes", "no")]], device=device)
        self.every = every

    def of(self, which):
        return np.flatnonzero(self.set == which)[:: self.every]

    def batch(self, rows, start):
        """Sources, and targets of the kind that the start says."""
        rows = torch.from_numpy(np.ascontiguousarray(rows)).to(self.device)
        tokens, words = (int(each[rows].max()) for each in (self.token_counts, self.word_counts))
        _, passage_token, passage_word, *ranges, polarity = self.rows[rows].long().unbind(1)
        part, quote = ranges[:2], ranges[2:]
        place = torch.arange(words, device=self.device)
        inside = lambda pair: (place >= pair[0][:, None]) & (place < pair[1][:, None])
        token_mask = torch.arange(tokens, device=self.device) < self.token_counts[rows][:, None]
        batch = SimpleNamespace(
            tokens=self.tokens[rows, :tokens].long(),
            word_of=self.word_of[rows, :tokens].long(),
            words=self.words[rows, :words].long(),
            token_mask=token_mask,
            word_mask=place < self.word_counts[rows][:, None],
            types=(torch.arange(tokens, device=self.device) >= passage_token[:, None]).long() * token_mask,
            kinds=(place >= passage_word[:, None]).long() + inside(quote) + inside(part),
            start=torch.full((len(rows),), start, device=self.device),
        )
        if start == ANSWER:
            batch.target, batch.target_at = self.targets[rows].long(), self.targets_at[rows].long()
        else:
            self.add_copies(batch, part if start == PART else quote, polarity if start == PART else polarity * 0)
        length = int((batch.target != PAD).sum(1).max())
        batch.target, batch.target_at = batch.target[:, :length], batch.target_at[:, :length]
        return batch

    def add_copies(self, batch, pair, polarity):
        """A part of the source as target, after "yes," or "no," where that is known. What is too long has no end."""
        at = torch.arange(LONGEST - 2, device=self.device)[None]
        at = at - 2 * (polarity > 0).long()[:, None]
        length = (pair[1] - pair[0])[:, None]
        copied = (at >= 0) & (at < length)
        places = torch.where(copied, pair[0][:, None] + at, 0)
        target = torch.where(copied, batch.words.gather(1, places), PAD)
        sign = self.signs[polarity].gather(1, (at + 2).clamp(0, 1))
        batch.target = torch.where(at == length, END, torch.where(at < 0, sign, target))
        batch.target_at = places


def read_lists(folder, name):
    """Lists of different lengths as a padded array, and the lengths."""
    lengths = np.fromfile(folder / f"{name}.lengths.u16", dtype=np.uint16).astype(np.int64)
    padded = np.zeros((len(lengths), lengths.max()), dtype=np.uint16)
    padded[np.arange(padded.shape[1]) < lengths[:, None]] = np.fromfile(folder / f"{name}.u16", dtype=np.uint16)
    return padded, lengths


def autocast(device):
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")


def batches(rows, size, rng):
    while True:
        yield from np.array_split(rng.permutation(rows), max(1, len(rows) // size))


def fit(model, draw, optimizer, rate, seconds, passes, per_pass, device, say, after_pass=None):
    """Until the time is up or all passes are done; the rate falls to zero."""
    started, step, seen = time.time(), 0, []
    while (share := max((time.time() - started) / seconds, step / (passes * per_pass))) < 1:
        for group in optimizer.param_groups:
            group["lr"] = rate * group["share"] * min(1, (step + 1) / 50) * (1 - share)
        with autocast(device):
            loss = sum(model.loss(batch, model.read(batch)) for batch in draw())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 10 == 0:
            seen.append(loss.item())
        if after_pass and step % (2 * per_pass) == 0:
            after_pass(f"pass {step // per_pass}, loss {np.mean(seen or [loss.item()]):.3f}")
            seen = []
    say(f"{step} steps, {step / per_pass:.1f} passes, loss {np.mean(seen or [0]):.3f}, {time.time() - started:.0f} s")


def train(examples, setting, options, seconds, device, say):
    layers, dropout, encoder_share, copying = setting
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    encoder = load_encoder(options.encoder, dropout=0.1)
    model = Writer(encoder, len(examples.closed), layers, dropout, tuned=encoder_share > 0).to(device)
    own = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
    tuned = [p for p in model.encoder.parameters() if p.requires_grad]
    say(f"{sum(p.numel() for p in own) / 1e6:.1f}M parameters of its own")
    groups = [{"params": own, "share": 1.0}, *([{"params": tuned, "share": encoder_share}] if tuned else [])]
    optimizer = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), weight_decay=0.05)
    written, all_rows = examples.of(TRAINING), np.concatenate([examples.of(COPYING), examples.of(TRAINING)])
    answers, copies = batches(written, options.batch // 2, rng), batches(all_rows, options.batch, rng)
    few = batches(all_rows, options.batch // 4, rng)
    model.train()
    if copying:
        draw = lambda: [examples.batch(next(copies), PART if rng.random() < 0.5 else QUOTE)]
        fit(model, draw, optimizer, options.rate, seconds * copying, 20, len(all_rows) // options.batch + 1, device, say)
    best = {"rouge": -1.0}

    def keep_best(text):
        figures = measure_rows(model, examples, examples.of(CHOOSING), 1, device)[0]
        model.train()
        say(text, figures)
        if figures["rouge"] > best["rouge"]:
            best.update(figures, state={name: value.detach().clone() for name, value in model.state_dict().items()})

    draw = lambda: [examples.batch(next(answers), ANSWER), *([examples.batch(next(few), PART if rng.random() < 0.5 else QUOTE)] if copying else [])]
    per_pass = max(1, len(written) // (options.batch // 2))
    fit(model, draw, optimizer, options.rate * 0.6, seconds * (1 - copying), options.passes, per_pass, device, say, keep_best)
    keep_best("end")
    model.load_state_dict(best.pop("state"))
    return model, best


def measure_rows(model, examples, rows, beams, device):
    model.eval()
    answers = []
    for part in np.array_split(rows, len(rows) // 400 + 1):
        with autocast(device):
            strings, places = generate(model, examples.batch(part, ANSWER), beams)
        for row, string, place in zip(part, strings, places):
            shown = examples.shown[row]
            answers.append(compose(string, place, examples.closed, shown["words"], shown["spaced"]))
    shown = [examples.shown[row] for row in rows]
    figures, wrong, against = measure(answers, shown)
    kept = ("id", "question", "passage", "marked", "quote", "written")
    lines = [
        {**{name: each[name] for name in kept}, "generated": answer, "invented": new, "passes": not new, "contradicts": other}
        for each, answer, new, other in zip(shown, answers, wrong, against)
    ]
    return figures, lines


def run(options):
    began = time.time()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    log = (out / "log.txt").open("w")

    def say(*text):
        line = " ".join([f"[{time.time() - began:6.1f}]", *map(str, text)])
        print(line, flush=True)
        print(line, file=log, flush=True)

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    examples = Examples(options.pack, device, options.every)
    held = examples.of(HELD_OUT)
    say(device, {name: len(examples.of(which)) for which, name in enumerate(("copying", "training", "choosing", "held out"))})
    shown = [examples.shown[row] for row in held]
    results = {name: measure([each[name] for each in shown], shown)[0] for name in ("written", "marked", "quote")}
    for name, figures in results.items():
        say("for comparison,", name, figures)
    best = -1.0
    names = options.settings or list(SETTINGS)
    for number, name in enumerate(names):
        # Reading the held-out answers and saving take some seconds of each setting's share.
        seconds = (options.seconds - (time.time() - began)) / (len(names) - number) - options.reserve
        if seconds < 5:
            say("no time for", name)
            break
        say(f"== {name}: {seconds:.0f} s")
        model, chosen = train(examples, SETTINGS[name], options, seconds, device, say)
        results[name] = {"chosen by": chosen}
        for beams in (1, 3):
            figures, lines = measure_rows(model, examples, held, beams, device)
            results[name][f"beam {beams}"] = figures
            say(f"{name}, held out, beam {beams}:", figures)
            if beams == 3 and chosen["rouge"] > best:
                best = chosen["rouge"]
                results["best"] = name
                (out / "held-out.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
                skip = [key for key in model.state_dict() if key.startswith("encoder.") and (not model.tuned or "words" in key)]
                for old in out.glob("writer.*"):
                    old.unlink()
                save_weights(model, out, "writer", skip)
        (out / "results.json").write_text(json.dumps(results, indent=1))
    say("best:", results.get("best"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=400, help="for everything, from the start")
    parser.add_argument("--reserve", type=float, default=4, help="seconds of each setting for measuring and saving")
    parser.add_argument("--settings", nargs="*", choices=SETTINGS)
    parser.add_argument("--passes", type=int, default=24, help="over the short answers, at most")
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="take every n-th example only, to try the script")
    run(parser.parse_args())
