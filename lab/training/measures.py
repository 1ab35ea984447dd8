"""How good a reader is: on written questions it has not seen, and on visitors' questions with the passages that were found."""

import json
from pathlib import Path

import numpy as np
import torch

from pairs import Texts, pair_batch


@torch.no_grad()
def score_pairs(model, questions, passages, q, p, device, batch=1024):
    """Relevance, polarity, the span's lead over no span, and the span, for each pair."""
    out = np.zeros((len(q), 5), dtype=np.float32)
    if not len(q):
        return out
    order = torch.from_numpy(np.argsort((passages.lengths[p] + questions.lengths[q]).cpu().numpy()))
    for part in order.to(device).split(batch):
        ids, types, mask, passage_from, is_passage = pair_batch(questions, passages, q[part], p[part])
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            relevance, polarity, start, end = model(ids, types, mask)
        start, end = start.float(), end.float()
        nothing = start[:, 0] + end[:, 0]
        start, end = start.masked_fill(~is_passage, -1e4), end.masked_fill(~is_passage, -1e4)
        first = start.argmax(1)
        at = torch.arange(ids.shape[1], device=device)[None]
        last = end.masked_fill((at < first[:, None]) | (at > first[:, None] + 40), -1e4).argmax(1)
        best = start.gather(1, first[:, None])[:, 0] + end.gather(1, last[:, None])[:, 0]
        rows = torch.stack(
            [relevance.float(), polarity.float(), best - nothing, (first - passage_from).float(), (last - passage_from).float()], 1
        )
        out[part.cpu().numpy()] = rows.cpu().numpy()
    return out


def auroc(positive, negative):
    if not len(positive) or not len(negative):
        return float("nan")
    ranks = np.concatenate([positive, negative]).argsort().argsort() + 1
    return float((ranks[: len(positive)].sum() - len(positive) * (len(positive) + 1) / 2) / (len(positive) * len(negative)))


def measure_held_out(model, groups, questions, passages, wrong, device, say):
    for language in np.unique(groups.language[groups.held_out == 1]):
        held = np.flatnonzero((groups.held_out == 1) & (groups.language == language))
        measure_rows(model, groups, held, questions, passages, wrong, device, lambda *text: say(language, *text))


def measure_rows(model, groups, held, questions, passages, wrong, device, say):
    to = lambda values: torch.from_numpy(np.ascontiguousarray(values)).to(device)
    answered, missed = held[groups.answers[held] == 1], held[groups.answers[held] == 0]
    right = score_pairs(model, questions, passages, to(groups.question[answered]), to(groups.passage[answered]), device)
    rivals = wrong[answered][:, :4]
    row, column = np.nonzero(rivals >= 0)
    scores = np.full(rivals.shape, -np.inf, dtype=np.float32)
    others = score_pairs(model, questions, passages, to(groups.question[answered[row]]), to(rivals[row, column]), device)
    scores[row, column] = others[:, 0]
    near = score_pairs(model, questions, passages, to(groups.question[missed]), to(groups.passage[missed]), device)
    marked = groups.start[answered] >= 0
    overlap = (right[:, 3] <= groups.end[answered]) & (right[:, 4] >= groups.start[answered])
    said = groups.polarity[answered]
    signs = (right[:, 1] > 0) == (said == 1)
    say("HELD OUT", len(answered), "answered,", len(missed), "near misses:",
        "first of five %.3f" % (right[:, 0] > scores.max(1)).mean(),
        "| AUROC siblings %.3f near misses %.3f" % (auroc(right[:, 0], others[:, 0]), auroc(right[:, 0], near[:, 0])),
        "by span %.3f" % auroc(right[:, 2], near[:, 2]),
        "by both %.3f" % auroc(right[:, 0] + right[:, 2] / 3, near[:, 0] + near[:, 2] / 3),
        "| span overlaps %.3f" % overlap[marked].mean(),
        "| yes or no %.3f of %d" % (signs[said >= 0].mean(), (said >= 0).sum()))


def measure_visitors(model, folder, device, say):
    for path in sorted(Path(folder).iterdir()):
        questions, passages = Texts(path, "questions", device), Texts(path, "passages", device)
        rows = json.loads((path / "rows.json").read_text())
        q = torch.tensor([i for i, row in enumerate(rows) for _ in row["passages"]], device=device)
        p = torch.tensor([k for row in rows for k in row["passages"]], device=device)
        scores = score_pairs(model, questions, passages, q, p, device)
        found, at, tops = {}, 0, {True: [], False: []}
        for row in rows:
            mine = scores[at : at + len(row["passages"])]
            at += len(row["passages"])
            if not len(mine):
                continue
            tops[row["answerable"]].append(mine[:12, 0].max())
            if not row["answerable"]:
                continue
            holds, engine = np.array(row["holds"], bool), np.array(row["scores"])
            for weight in (None, 0.0, 0.25, 0.5, 1.0, 2.0):
                for depth in (12,):
                    total = (mine[:, 0] if weight is None else engine * 10 + weight * mine[:, 0])[:depth]
                    order = np.argsort(-total, kind="stable")
                    found.setdefault((weight, depth), []).append([holds[order[0]], holds[order[:2]].any(), holds[:depth].any()])
        say("VISITORS", path.name, "AUROC %.3f" % auroc(tops[True], tops[False]),
            " ".join(f"{'reader' if w is None else w}@{d} " + "/".join("%.3f" % v for v in np.mean(rows_, 0)) for (w, d), rows_ in found.items()))
