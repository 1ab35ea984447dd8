"""Trains the sentence model for other languages: a translation gets the vector that the English model gives the original.

python3 train_multilingual.py --teacher <model.onnx> --vocabulary <file> --docs <folder> --pack <folder> --out <folder>

The English pieces and their vectors stay; pieces of other languages are added (Reimers and Gurevych, 2020). The last
part of the time also brings questions and the passages that answer them together, as train_embedder.py does.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from encoder import WIDTH, load_encoder
from laid import BODY, EARLIER, FULL_STOP, Store, embed, embed_ranges
from pairs import Groups, mine_wrong
from sections import Sections, draw
from weights import save_weights

QUESTION_TOKENS, PASSAGE_TOKENS = 56, 160
TEMPERATURE = 0.05
BLOCKED = -1e4
# How fast each part learns, times --rate.
ENGLISH_WORDS, NEW_WORDS, LOWER_LAYER = 0.5, 5.0, 0.85


class Words(nn.Module):
    """English pieces and new ones, which learn at different rates."""

    def __init__(self, english, new):
        super().__init__()
        self.english, self.new = nn.Parameter(english.clone()), nn.Parameter(new.clone())

    @property
    def weight(self):
        return torch.cat([self.english, self.new])

    def forward(self, ids):
        return F.embedding(ids, self.weight)


class Texts:
    """Questions or passages of a pack, as ranges of the store."""

    def __init__(self, folder, name, store, longest):
        lengths = np.fromfile(Path(folder) / f"{name}.lengths.u16", dtype=np.uint16).astype(np.int64)
        tokens = np.fromfile(Path(folder) / f"{name}.u16", dtype=np.uint16)
        # The reader's separator between heading and text becomes a full stop: this model sees plain text.
        tokens[tokens == BODY] = FULL_STOP
        self.starts = store.add(tokens) + lengths.cumsum() - lengths
        self.lengths = lengths.clip(max=longest)
        at = self.starts - self.starts[:1].sum()
        self.follows = np.array([(tokens[a : a + n] == EARLIER).any() for a, n in zip(at, lengths)], dtype=bool)

    def of(self, rows):
        return self.starts[rows], self.lengths[rows]


def extend_words(encoder, vocabulary):
    """Vectors for new pieces: the mean of the English pieces they consist of."""
    pieces = Path(vocabulary).read_text().split("\n")
    count = encoder.words.weight.shape[0]
    numbers = {piece: number for number, piece in enumerate(pieces[:count])}
    old = encoder.words.weight.detach().numpy()
    # What has no English parts begins near the mean of all, but not at the same point.
    rng = np.random.default_rng(0)
    new = old.mean(0) + rng.standard_normal((len(pieces) - count, WIDTH), dtype=np.float32) * old.std(0) * 0.3
    for row, piece in enumerate(pieces[count:]):
        parts = cut(piece, numbers)
        if parts:
            new[row] = old[parts].mean(0)
    return torch.from_numpy(new)


def cut(piece, numbers):
    word, first = (piece[2:], False) if piece.startswith("##") and len(piece) > 2 else (piece, True)
    found, at = [], 0
    while at < len(word):
        for end in range(len(word), at, -1):
            name = word[at:end] if first and at == 0 else "##" + word[at:end]
            if name in numbers:
                found.append(numbers[name])
                at = end
                break
        else:
            at += 1
    return found


def parameter_groups(student):
    rates = {"words.english": ENGLISH_WORDS, "words.new": NEW_WORDS}
    groups = {}
    for name, parameter in student.named_parameters():
        if name.startswith("layers."):
            rate = LOWER_LAYER ** (len(student.layers) - 1 - int(name.split(".")[1]))
        else:
            rate = rates.get(name, LOWER_LAYER ** len(student.layers))
        groups.setdefault(rate, []).append(parameter)
    return [{"params": parameters, "share": rate} for rate, parameters in groups.items()]


class Run:
    def __init__(self, options):
        self.options, self.began = options, time.time()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(options.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        self.rng = np.random.default_rng(options.seed)
        self.store = Store(self.device)
        self.sections = Sections(options.docs, self.store)
        self.groups = Groups(options.pack)
        self.questions = Texts(options.pack, "questions", self.store, QUESTION_TOKENS)
        self.passages = Texts(options.pack, "passages", self.store, PASSAGE_TOKENS)
        self.read_retrieval()
        self.store.close()
        self.teacher = load_encoder(options.teacher, 0.0)
        self.student = load_encoder(options.teacher, 0.05)
        new = extend_words(self.teacher, options.vocabulary)
        # English text may hold a new piece now and then.
        self.teacher.words = nn.Embedding.from_pretrained(torch.cat([self.teacher.words.weight.detach(), new]))
        self.student.words = Words(self.student.words.weight.detach(), new)
        self.teacher.to(self.device).eval().requires_grad_(False)
        self.student.to(self.device)
        self.say("sections", int(self.sections.present.sum()), "groups", len(self.groups), "pieces", len(self.teacher.words.weight))

    def say(self, *text):
        print(f"[{time.time() - self.began:6.1f}]", *text, flush=True)

    def read_retrieval(self):
        """Evaluation sets to measure on: questions, passages and which is right."""
        self.retrieval = {}
        folder = Path(self.options.retrieval or "none")
        for path in sorted(folder.iterdir()) if folder.exists() else []:
            texts = [Texts(path, name, self.store, 224) for name in ("questions", "passages")]
            self.retrieval[path.name] = (*texts, np.array(json.loads((path / "right.json").read_text())))

    def teach(self, model, ranges):
        """Vectors of several lists of ranges, from one pass of the model."""
        starts, lengths = (np.concatenate(each) for each in zip(*ranges))
        return embed(model, self.store, starts, lengths).split([len(each[0]) for each in ranges])

    def prepare(self):
        sections, groups = self.sections, self.groups
        self.pools = {}
        for name, english, phrases in (("translated", False, False), ("english", True, False), ("phrases", False, True)):
            rows = sections.rows(english, phrases)
            self.pools[name] = (rows, sections.weights(rows) if len(rows) else None)
        self.is_foreign = groups.language != "en"
        self.foreign_passages = np.zeros(len(self.passages.starts), dtype=bool)
        self.foreign_passages[groups.passage[self.is_foreign]] = True
        foreign_questions = np.zeros(len(self.questions.starts), dtype=bool)
        foreign_questions[groups.question[self.is_foreign]] = True
        self.english_questions, self.english_passages = np.flatnonzero(~foreign_questions), np.flatnonzero(~self.foreign_passages)
        self.taught = [embed_ranges(self.teacher, self.store, each.starts, each.lengths) for each in (self.questions, self.passages)]
        self.say("teacher done")

    def mine(self, vectors, only=None):
        """Wrong passages that look right, and the rows to learn from and to measure."""
        groups = self.groups
        wrong = mine_wrong(groups, *vectors, seed=self.options.seed)
        self.wrong = wrong if only is None else np.where(only[:, None], wrong, self.wrong)
        usable = (groups.answers == 1) & ~self.questions.follows[groups.question] & (self.wrong[:, 0] >= 0)
        self.rows = {}
        for name, chosen in (("english", ~self.is_foreign), ("foreign", self.is_foreign)):
            rows = np.flatnonzero(usable & chosen & (groups.held_out == 0))
            self.rows[name] = np.repeat(rows, np.minimum(groups.repeat[rows], 2))
        self.held = np.flatnonzero(usable & (groups.held_out == 1))
        self.say("mined", {name: len(rows) for name, rows in self.rows.items()})

    def translation_losses(self):
        o, sections, rng = self.options, self.sections, self.rng
        translated = draw(rng, *self.pools["translated"], o.batch)
        english = draw(rng, *self.pools["english"], o.batch // 2)
        phrases = draw(rng, *self.pools["phrases"], o.batch // 5) if len(self.pools["phrases"][0]) else translated[:1]
        short, short_original, distinct = sections.short(translated, rng)
        long, long_original = sections.long(translated, rng)
        phrase, phrase_original, _ = sections.short(phrases, rng)
        english_short, _, _ = sections.short(english, rng)
        english_long, _ = sections.long(english, rng)
        q, p = rng.choice(self.english_questions, o.batch // 2), rng.choice(self.english_passages, o.batch // 4)
        ours = [short, long, phrase, english_short, english_long, self.questions.of(q), self.passages.of(p)]
        ours = self.teach(self.student, ours)
        with torch.no_grad():
            theirs = self.teach(self.teacher, [short_original, long_original, phrase_original, english_short, english_long])
        theirs = [*theirs, self.taught[0][torch.from_numpy(q).to(self.device)], self.taught[1][torch.from_numpy(p).to(self.device)]]
        away = [(2 - 2 * (a * b).sum(1)).mean() for a, b in zip(ours, theirs)]
        same = torch.from_numpy(sections.original[translated][:, None] == sections.original[translated][None])
        same = (same & ~torch.eye(len(translated), dtype=torch.bool)).to(self.device)
        # The section among others, the section to a heading or sentence, and the English section to the same.
        right = torch.arange(len(translated), device=self.device)
        told = torch.from_numpy(distinct).to(self.device)
        rank = lambda left, others: F.cross_entropy((left @ others.T / TEMPERATURE).masked_fill(same, BLOCKED), right, reduction="none")
        apart = rank(ours[1], theirs[1]).mean()
        asked = (rank(ours[0], ours[1]) + rank(ours[0], theirs[1]))[told].sum() / told.sum().clamp(min=1)
        return {
            "short": away[0], "long": away[1], "phrase": away[2], "english": away[3] + away[4], "pack": away[5] + away[6],
            "apart": apart, "asked": asked,
        }

    def question_losses(self):
        """Questions find their passages; in English all other pairs stay as near as the teacher has them."""
        groups, rng = self.groups, self.rng
        ranges, batches = [], []
        for name, size in (("english", self.options.batch), ("foreign", self.options.batch // 2)):
            if len(self.rows[name]) < size:
                continue
            chosen = rng.choice(self.rows[name], size, replace=False)
            hard = self.wrong[chosen, rng.integers(0, 3, size)]
            hard = np.where(hard >= 0, hard, self.wrong[chosen, 0])
            q, p = groups.question[chosen], np.concatenate([groups.passage[chosen], hard])
            ranges += [self.questions.of(q), self.passages.of(p)]
            batches.append((name, q, p))
        vectors = iter(self.teach(self.student, ranges)) if ranges else iter(())
        parts = {}
        for name, q, p in batches:
            ours = next(vectors) @ next(vectors).T
            same = torch.from_numpy(p[None] == p[: len(q), None]).to(self.device)
            same &= ~torch.eye(len(q), len(p), dtype=torch.bool, device=self.device)
            logits = (ours / TEMPERATURE).masked_fill(same, BLOCKED)
            parts[f"found {name}"] = F.cross_entropy(logits, torch.arange(len(q), device=self.device))
            if name == "english":
                theirs = self.taught[0][torch.from_numpy(q).to(self.device)] @ self.taught[1][torch.from_numpy(p).to(self.device)].T
                parts["kept"] = F.kl_div(
                    F.log_softmax(ours.T / TEMPERATURE, 1), F.softmax(theirs.T / TEMPERATURE, 1), reduction="batchmean"
                )
        return parts

    def train(self):
        o, student = self.options, self.student
        fused = {"fused": True} if self.device.type == "cuda" else {}
        optimizer = torch.optim.AdamW(parameter_groups(student), lr=o.rate, betas=(0.9, 0.98), weight_decay=0.0, **fused)
        started, step, sums, asks = time.time(), 0, {}, False
        while (share := (time.time() - started) / o.seconds) < 1:
            if share > 1 - o.questions and not asks:
                asks = True
                # The teacher's view of other languages is no help.
                self.mine(self.pack_vectors(student), self.is_foreign)
                started += time.time() - started - share * o.seconds
            for group in optimizer.param_groups:
                group["lr"] = o.rate * group["share"] * min(1, (step + 1) / 200) * max(0.02, 1 - share)
            student.train()
            parts = self.translation_losses()
            if asks:
                parts.update(self.question_losses())
            loss = sum(WEIGHTS[name] * value for name, value in parts.items())
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(student.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 20 == 0:
                for name, value in parts.items():
                    sums.setdefault(name, []).append(value.item())
            if step % o.report == 0:
                self.say(step, " ".join(f"{name} {np.mean(values):.3f}" for name, values in sums.items()))
                sums = {}
        passes = step * o.batch / max(1, len(self.pools["translated"][0]))
        self.say("trained", step, "steps,", round(passes, 2), "passes")

    def pack_vectors(self, model):
        return [embed_ranges(model, self.store, each.starts, each.lengths) for each in (self.questions, self.passages)]

    def measure(self, name, model):
        sections = self.sections
        vectors = lambda ranges: embed_ranges(model, self.store, *ranges)
        hit = lambda q, p: ((q @ p.T).argmax(1) == torch.arange(len(q), device=self.device)).float().mean().item()
        same, across = [], []
        held = np.concatenate([sections.rows(english, held=True) for english in (True, False)])
        held = held[~sections.common[held] & (sections.heading[held] >= 2) & (sections.heading[sections.original[held]] > 0)]
        for number, language in enumerate(sections.languages):
            rows = held[sections.language[held] == number][:300]
            if len(rows) < 20:
                continue
            headings = vectors(sections.headings(rows)[0])
            texts = [vectors(each) for each in sections.part(rows, np.zeros_like(rows), sections.cuts[rows])]
            same.append(f"{language} {hit(headings, texts[0]):.2f}")
            across.append(f"{language} {hit(headings, texts[1]):.2f}")
        self.say(name, "heading to section of", 300, "| same language:", " ".join(same), "| English section:", " ".join(across))
        for each, (questions, passages, right) in self.retrieval.items():
            q, p = (embed_ranges(model, self.store, texts.starts, texts.lengths) for texts in (questions, passages))
            first = ((q @ p.T).argmax(1).cpu().numpy() == right).mean()
            self.say(name, each, "right passage first of", len(p), "%.3f" % first)
        self.measure_questions(name, self.pack_vectors(model))

    def measure_questions(self, name, vectors):
        """Held-out questions: the right passage among nine, and among all of its company."""
        groups, held = self.groups, self.held
        q, p = vectors[0][torch.from_numpy(groups.question[held]).to(self.device)], vectors[1]
        at = lambda values: torch.from_numpy(np.ascontiguousarray(values)).to(self.device)
        right = (q * p[at(groups.passage[held])]).sum(1)
        rivals = self.wrong[held][:, :8]
        others = (p[at(rivals.clip(min=0))] @ q[:, :, None])[..., 0].masked_fill(at(rivals < 0), -1)
        nine = (right > others.max(1).values).cpu().numpy()
        whole = np.zeros(len(held), dtype=bool)
        family = groups.families[groups.passage[held]]
        for each in np.unique(family):
            rows, members = np.flatnonzero(family == each), np.flatnonzero(groups.families == each)
            best = (q[at(rows)] @ p[at(members)].T).max(1).values
            whole[rows] = (right[at(rows)] >= best - 1e-6).cpu().numpy()
        for language in np.unique(groups.language[held]):
            rows = groups.language[held] == language
            self.say(name, "held out", language, int(rows.sum()), "first of nine %.3f, of the company %.3f" % (nine[rows].mean(), whole[rows].mean()))


WEIGHTS = {
    "short": 1.0, "long": 1.0, "phrase": 0.5, "english": 1.5, "pack": 1.0, "apart": 0.15, "asked": 0.08,
    "found english": 0.2, "found foreign": 0.1, "kept": 0.2,
}


def main(options):
    run = Run(options)
    run.prepare()
    run.mine(run.taught)
    run.measure("teacher", run.teacher)
    if options.measure_before:
        run.measure("before", run.student)
    rivals, held = run.wrong, run.held
    run.train()
    run.student.words = nn.Embedding.from_pretrained(run.student.words.weight.detach())
    save_weights(run.student, options.out, "embedder")
    run.say("saved")
    run.wrong, run.held = rivals, held
    run.measure("after", run.student)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--docs", required=True)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--retrieval", help="evaluation sets to measure on")
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--questions", type=float, default=0.3, help="share of the time that also has questions and passages")
    parser.add_argument("--rate", type=float, default=2.5e-4)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--report", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure-before", action="store_true")
    main(parser.parse_args())
