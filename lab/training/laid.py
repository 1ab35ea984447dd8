"""Texts made of ranges of one long list of tokens, laid end to end on the device: nothing is padded or copied before."""

import numpy as np
import torch
import torch.nn.functional as F

EARLIER, BODY, CLS, SEP, MASK, FULL_STOP, GREATER = 1, 2, 101, 102, 103, 1012, 1028
SPECIAL = (EARLIER, BODY, CLS, SEP, MASK, FULL_STOP, GREATER)


class Store:
    """All tokens of a run in one tensor. Special tokens are kept there, too, so that they are ranges like all others."""

    def __init__(self, device):
        self.device, self.parts, self.size = device, [], 0
        start = self.add(np.array(SPECIAL, dtype=np.uint16))
        self.special = {token: start + at for at, token in enumerate(SPECIAL)}

    def add(self, tokens):
        """Returns where they begin."""
        self.parts.append(tokens.astype(np.int32))
        self.size += len(tokens)
        return self.size - len(tokens)

    def close(self):
        self.tokens = torch.from_numpy(np.concatenate(self.parts)).to(self.device)
        self.parts = None


class Laid:
    """Token numbers, types and places of texts that lie end to end, and the text of each token."""

    def __init__(self, store, pieces):
        """A piece is (starts, lengths, type): one range for each text; a special token is (token, type)."""
        rows = len(next(piece[0] for piece in pieces if len(piece) == 3))
        starts, lengths = (np.empty((rows, len(pieces)), dtype=np.int64) for _ in range(2))
        for column, piece in enumerate(pieces):
            starts[:, column] = piece[0] if len(piece) == 3 else store.special[piece[0]]
            lengths[:, column] = piece[1] if len(piece) == 3 else 1
        kinds = torch.tensor([piece[-1] for piece in pieces], device=store.device)
        ends = lengths.sum(1).cumsum()
        total, self.rows, self.longest = int(ends[-1]), rows, int(lengths.sum(1).max())
        to = lambda values: torch.from_numpy(np.ascontiguousarray(values)).to(store.device, non_blocking=True)
        flat = to(np.stack([starts.ravel(), lengths.ravel(), lengths.ravel().cumsum() - lengths.ravel()]))
        self.bounds = to(np.concatenate([[0], ends]).astype(np.int32))
        self.piece = torch.repeat_interleave(torch.arange(flat.shape[1], device=store.device), flat[1], output_size=total)
        at = torch.arange(total, device=store.device)
        self.ids = store.tokens[(flat[0] - flat[2])[self.piece] + at].long()
        self.row = torch.div(self.piece, len(pieces), rounding_mode="floor")
        self.column = self.piece - self.row * len(pieces)
        self.types = kinds[self.column]
        self.places = at - self.bounds[self.row]

    def encode(self, encoder):
        return encoder.end_to_end(self.ids, self.types, self.places, self.bounds, self.longest)


def autocast(device):
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")


def embed(encoder, store, starts, lengths):
    """A vector of length one for each range: the mean of its tokens' vectors."""
    laid = Laid(store, [(CLS, 0), (starts, lengths, 0), (SEP, 0)])
    with autocast(store.device):
        hidden = laid.encode(encoder).float()
    return F.normalize(hidden.new_zeros(laid.rows, hidden.shape[1]).index_add_(0, laid.row, hidden), dim=-1)


@torch.no_grad()
def embed_ranges(encoder, store, starts, lengths, tokens=500_000):
    """Many ranges, those of like length together."""
    encoder.eval()
    order = np.argsort(lengths, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff((lengths[order] + 2).cumsum() // tokens)) + 1)
    out = torch.zeros(len(starts), encoder.words.weight.shape[1], device=store.device)
    for part in parts:
        if len(part):
            out[torch.from_numpy(part).to(store.device)] = embed(encoder, store, starts[part], lengths[part])
    return out
