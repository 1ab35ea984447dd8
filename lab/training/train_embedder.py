"""Trains the sentence model: questions and the passages that answer them come to lie close together.

python3 train_embedder.py --base <folder> --pack <folder> --out <folder> --seconds 80
"""

import argparse
import copy
import time

import numpy as np
import torch
import torch.nn.functional as F

from encoder import load_base
from measures import auroc
from pairs import Groups, Texts, embed_all, embed_batch, mine_wrong, text_batch
from weights import save_weights

EARLIER, BODY, FULL_STOP = 1, 2, 1012
QUESTION_TOKENS, PASSAGE_TOKENS = 56, 160
TEMPERATURE = 0.05


def train(options):
    began = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    groups = Groups(options.pack)
    questions, passages = Texts(options.pack, "questions", device), Texts(options.pack, "passages", device)
    # The reader's separator between heading and text becomes a full stop: this model sees plain text.
    passages.tokens[passages.tokens == BODY] = FULL_STOP
    model = load_base(options.base, dropout=0.05).to(device)
    # Freeze word embeddings, so that untrained words keep their meaning.
    model.words.weight.requires_grad_(False)
    base = copy.deepcopy(model).eval()
    wrong = mine_wrong(groups, embed_all(base, questions), embed_all(base, passages), seed=options.seed)
    follows = np.zeros(len(questions), dtype=bool)
    tokens, starts, lengths = (values.cpu().numpy() for values in (questions.tokens, questions.starts, questions.lengths))
    for index, (start, length) in enumerate(zip(starts, lengths)):
        follows[index] = (tokens[start : start + length] == EARLIER).any()
    usable = (groups.answers == 1) & ~follows[groups.question] & (wrong[:, 0] >= 0)
    rows = np.flatnonzero(usable & (groups.held_out == 0))
    rows = np.repeat(rows, np.minimum(groups.repeat[rows], 2))
    held = np.flatnonzero(usable & (groups.held_out == 1))
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=options.rate, weight_decay=0.01)
    say = lambda *text: print(f"[{time.time() - began:6.1f}]", *text, flush=True)
    measure(base, groups, held, wrong, questions, passages, device, say)
    started, step = time.time(), 0
    while (share := (time.time() - started) / options.seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, step / 100) * max(0.02, 1 - share)
        chosen = rng.choice(rows, options.batch, replace=False)
        hard = wrong[chosen, rng.integers(0, 3, len(chosen))]
        hard = np.where(hard >= 0, hard, wrong[chosen, 0])
        q = torch.from_numpy(groups.question[chosen]).to(device)
        p = torch.from_numpy(np.concatenate([groups.passage[chosen], hard])).to(device)
        model.train()
        ours = similarities(model, questions, passages, q, p, device)
        with torch.no_grad():
            theirs = similarities(base, questions, passages, q, p, device)
        # A passage that occurs twice in a batch is not a negative.
        same = (p[None] == p[: len(q), None]) & ~torch.eye(len(q), len(p), dtype=torch.bool, device=device)
        logits = (ours / TEMPERATURE).masked_fill(same, -1e4)
        found = F.cross_entropy(logits, torch.arange(len(q), device=device))
        # Stay close to the base model on all other pairs, so that other subjects lose nothing.
        kept = F.kl_div(F.log_softmax(ours.T / TEMPERATURE, 1), F.softmax(theirs.T / TEMPERATURE, 1), reduction="batchmean")
        loss = found + options.keep * kept
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        step += 1
        if step % 200 == 0:
            say(step, "found %.3f kept %.3f" % (found.item(), kept.item()))
    say("trained", step, "steps,", round(step * options.batch / len(rows), 2), "passes")
    model.eval()
    measure(model, groups, held, wrong, questions, passages, device, say)
    save_weights(model, options.out, "embedder", skip=("words.weight",))


def similarities(model, questions, passages, q, p, device):
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        left = embed_batch(model, *text_batch(questions, q, QUESTION_TOKENS))
        right = embed_batch(model, *text_batch(passages, p, PASSAGE_TOKENS))
    return left @ right.T


def measure(model, groups, held, wrong, questions, passages, device, say):
    q, p = embed_all(model, questions)[groups.question[held]], embed_all(model, passages)
    right = (q * p[groups.passage[held]]).sum(1)
    rivals = torch.from_numpy(np.maximum(wrong[held][:, :8], 0)).to(device)
    others = (p[rivals] @ q[:, :, None])[..., 0].masked_fill(torch.from_numpy(wrong[held][:, :8] < 0).to(device), -1)
    say("HELD OUT", len(held), "first of nine %.3f" % (right > others.max(1).values).float().mean().item(),
        "AUROC %.3f" % auroc(right.cpu().numpy(), others[:, 0].cpu().numpy()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=80)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--keep", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())
