"""The prepared questions on the device, and batches of question-passage pairs cut from them there."""

import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

CLS, SEP, LONGEST = 101, 102, 256


class Texts:
    """Lists of token numbers, laid end to end."""

    def __init__(self, folder, name, device):
        lengths = np.fromfile(Path(folder) / f"{name}.lengths.u16", dtype=np.uint16).astype(np.int64)
        tokens = np.fromfile(Path(folder) / f"{name}.u16", dtype=np.uint16).astype(np.int32)
        self.lengths = torch.from_numpy(lengths).to(device)
        self.starts = torch.from_numpy(np.concatenate([[0], np.cumsum(lengths)[:-1]])).to(device)
        self.tokens = torch.from_numpy(tokens).to(device)

    def __len__(self):
        return len(self.lengths)


class Groups:
    """One row a question: its passage, whether that answers it and where, and what else is known."""

    def __init__(self, folder):
        rows = [json.loads(line) for line in open(Path(folder) / "groups.jsonl")]
        columns = list(zip(*rows))
        names = ("question", "passage", "answers", "start", "end", "polarity", "repeat", "held_out")
        for name, column in zip(names, columns):
            setattr(self, name, np.array(column))
        self.wrong = columns[8]
        self.set = np.array(columns[9])
        # Sets of written questions in another language are named "written de/01".
        self.language = np.array([name.split()[-1].split("/")[0] if "/" in name else "en" for name in columns[9]])
        # Answered, or known to have no answer: the family's other passages are negatives.
        self.has_rivals = (self.answers == 1) | (np.array(columns[10]) == 1)
        self.families = np.array(json.load(open(Path(folder) / "families.json")))

    def __len__(self):
        return len(self.question)


def pair_batch(questions, passages, q, p):
    """Token numbers, types and mask of [CLS] question [SEP] passage [SEP], and where the passage begins."""
    question_length = questions.lengths[q]
    passage_length = torch.minimum(passages.lengths[p], LONGEST - 3 - question_length)
    # Attention is faster when the length is divisible by eight.
    longest = (int((question_length + passage_length).max()) + 10) // 8 * 8
    at = torch.arange(longest, device=q.device)[None]
    in_question = at - 1
    passage_from = question_length + 2
    in_passage = at - passage_from[:, None]
    is_question = (in_question >= 0) & (in_question < question_length[:, None])
    is_passage = (in_passage >= 0) & (in_passage < passage_length[:, None])
    last = (passage_from + passage_length)[:, None]
    ids = torch.zeros(len(q), longest, dtype=torch.long, device=q.device)
    ids[:, 0] = CLS
    ids = ids.masked_fill((at == passage_from[:, None] - 1) | (at == last), SEP)
    ids[is_question] = questions.tokens[(questions.starts[q][:, None] + in_question)[is_question]].long()
    ids[is_passage] = passages.tokens[(passages.starts[p][:, None] + in_passage)[is_passage]].long()
    return ids, (at >= passage_from[:, None]).long() * (at <= last), at <= last, passage_from, is_passage


def text_batch(texts, which, longest):
    lengths = texts.lengths[which].clamp(max=longest)
    at = torch.arange(int(lengths.max()) + 2, device=which.device)[None]
    inside = (at >= 1) & (at <= lengths[:, None])
    ids = torch.zeros(len(which), at.shape[1], dtype=torch.long, device=which.device)
    ids[:, 0] = CLS
    ids = ids.masked_fill(at == lengths[:, None] + 1, SEP)
    ids[inside] = texts.tokens[(texts.starts[which][:, None] + at - 1)[inside]].long()
    return ids, at <= lengths[:, None] + 1


def embed_batch(encoder, ids, mask):
    """The mean of the token vectors, of length one."""
    hidden = encoder(ids, torch.zeros_like(ids), mask).float()
    return F.normalize((hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=-1)


@torch.no_grad()
def embed_all(encoder, texts, longest=160, batch=4096):
    encoder.eval()
    device = texts.tokens.device
    out = torch.zeros(len(texts), encoder.words.weight.shape[1], device=device)
    for part in texts.lengths.argsort().split(batch):
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            out[part] = embed_batch(encoder, *text_batch(texts, part, longest))
    return out


def mine_wrong(groups, question_vectors, passage_vectors, keep=12, near=8, seed=0):
    """For each question, passages that look right: of the same family, then of the same set; -1 where there are none."""
    rng = np.random.default_rng(seed)
    mined = np.full((len(groups), keep), -1, dtype=np.int64)
    for row in np.flatnonzero(groups.has_rivals):
        named = groups.wrong[row][:keep]
        mined[row, : len(named)] = named
    open_rows = np.flatnonzero(groups.has_rivals & (mined[:, 0] < 0))
    mine_siblings(groups, open_rows, question_vectors.cpu().numpy(), passage_vectors.cpu().numpy(), mined, near)
    for name in np.unique(groups.set):
        rows = open_rows[groups.set[open_rows] == name]
        members = np.unique(groups.passage[groups.set == name])
        pool = passage_vectors[torch.from_numpy(members).to(passage_vectors.device)]
        for part in np.array_split(rows, len(rows) // 2048 + 1):
            q = question_vectors[torch.from_numpy(groups.question[part]).to(question_vectors.device)]
            nearest = members[(q @ pool.T).topk(min(24, len(members)), dim=1).indices.cpu().numpy()]
            for row, others in zip(part, nearest):
                known = set(mined[row]) | {groups.passage[row]}
                # The nearest passages of other pages may be right, too.
                others = [p for p in others[4:] if p not in known]
                rng.shuffle(others)
                free = np.flatnonzero(mined[row] < 0)
                mined[row, free[: len(others)]] = others[: len(free)]
    return mined


def mine_siblings(groups, rows, question_vectors, passage_vectors, mined, near):
    order = np.argsort(groups.families, kind="stable")
    numbers, firsts = np.unique(groups.families[order], return_index=True)
    members = dict(zip(numbers, np.split(order, firsts[1:])))
    family = groups.families[groups.passage[rows]]
    for number in np.unique(family):
        own, siblings = rows[family == number], members[number]
        if len(siblings) < 2:
            continue
        for part in np.array_split(own, len(own) * len(siblings) // 10_000_000 + 1):
            scores = question_vectors[groups.question[part]] @ passage_vectors[siblings].T
            scores[groups.passage[part][:, None] == siblings[None]] = -np.inf
            count = min(near, len(siblings) - 1)
            mined[part, :count] = siblings[np.argsort(-scores, axis=1)[:, :count]]
