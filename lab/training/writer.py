"""The writer: a small decoder that says an answer in words copied from question and passage, or from a closed list.

Words of the source are copied whole, each from one place (a pointer network; Vinyals and others, 2015), so that the writer
knows where to go on.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

from encoder import HEADS, INNER, WIDTH

PAD, END, UNKNOWN, PART, QUOTE, ANSWER = range(6)
LONGEST = 52
# What a word of the source is: of the question, of the passage, of a sentence that the answer touches, of the answer.
KINDS = 4


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.both, self.out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x, memory, mask):
        split = lambda each: each.unflatten(-1, (HEADS, -1)).transpose(1, 2)
        keys, values = self.both(memory).chunk(2, -1)
        found = F.scaled_dot_product_attention(split(self.query(x)), split(keys), split(values), attn_mask=mask)
        return self.out(found.transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Attends to itself, then to the source if there is one."""

    def __init__(self, dropout, crosses):
        super().__init__()
        self.own, self.cross = Attention(), Attention() if crosses else None
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3 if crosses else 2))
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask, memory=None, memory_mask=None):
        normed = self.norms[0](x)
        x = x + self.drop(self.own(normed, normed, mask))
        if self.cross is not None:
            x = x + self.drop(self.cross(self.norms[2](x), memory, memory_mask))
        return x + self.drop(self.down(F.gelu(self.up(self.norms[1](x)))))


class Writer(nn.Module):
    def __init__(self, encoder, closed, layers=3, dropout=0.15, tuned=True):
        super().__init__()
        self.encoder, self.tuned = encoder, tuned
        self.token_kinds = nn.Embedding(KINDS, WIDTH)
        self.word_kinds = nn.Embedding(KINDS, WIDTH)
        self.mix = Block(dropout, crosses=False)
        self.closed = nn.Embedding(closed, WIDTH)
        self.copied = nn.Linear(WIDTH, WIDTH)
        self.places = nn.Embedding(LONGEST, WIDTH)
        self.layers = nn.ModuleList(Block(dropout, crosses=True) for _ in range(layers))
        self.norm, self.source_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.point, self.pointed = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.gate = nn.Linear(WIDTH, 1)
        self.drop = nn.Dropout(dropout)
        for table in (self.word_kinds, self.closed, self.places):
            nn.init.normal_(table.weight, std=0.02)
        nn.init.zeros_(self.token_kinds.weight)
        encoder.requires_grad_(tuned)
        encoder.words.requires_grad_(False)

    def read(self, batch):
        """A vector for each word of the source."""
        if self.tuned:
            tokens = self.encode(batch)
        else:
            self.encoder.eval()
            with torch.no_grad():
                tokens = self.encode(batch)
        at = batch.word_of[..., None].expand_as(tokens)
        shape = (*batch.words.shape, WIDTH)
        sums = tokens.float().new_zeros(shape).scatter_add_(1, at, tokens.float() * batch.token_mask[..., None])
        counts = sums.new_zeros(batch.words.shape).scatter_add_(1, batch.word_of, batch.token_mask.float())
        words = sums / counts.clamp(min=1)[..., None] + self.word_kinds(batch.kinds)
        return self.source_norm(self.mix(words, batch.word_mask[:, None, None]))

    def encode(self, batch):
        encoder, mask = self.encoder, batch.token_mask
        bounds = F.pad(mask.sum(1).cumsum(0), (1, 0)).int()
        longest = mask.shape[1]
        places = torch.arange(longest, device=mask.device).expand_as(mask)[mask]
        x = encoder.words(batch.tokens[mask]) + encoder.positions(places) + encoder.types(batch.types[mask])
        if self.tuned:
            x = x + self.token_kinds(batch.kinds.gather(1, batch.word_of)[mask])
        x = F.dropout(encoder.norm(x), encoder.dropout, encoder.training)
        for layer in encoder.layers:
            x = layer(x, bounds, longest)
        padded = x.new_zeros(*mask.shape, WIDTH)
        padded[mask] = x
        return padded

    def write(self, source, word_mask, said, said_at):
        """For each place, given the words before it: closed words, places of the source, both of them probabilities."""
        length = said.shape[1]
        before = source.gather(1, said_at[..., None].expand(-1, -1, WIDTH)) * (said_at > 0)[..., None]
        x = self.closed(said) + self.copied(before) + self.places.weight[:length]
        causal = torch.ones(length, length, dtype=torch.bool, device=said.device).tril()
        x = self.drop(x)
        for layer in self.layers:
            x = layer(x, causal, source, word_mask[:, None, None])
        x = self.norm(x)
        scores = (self.point(x) @ self.pointed(source).transpose(1, 2)).float() / math.sqrt(WIDTH)
        # The first word stands for tokens between the texts.
        open_places = word_mask.clone()
        open_places[:, 0] = False
        copies = scores.masked_fill(~open_places[:, None], -1e4).softmax(-1)
        makes = self.gate(x).float().sigmoid()
        return (x @ self.closed.weight.T).float().softmax(-1) * makes, copies * (1 - makes)

    def loss(self, batch, source):
        """The mean of -log p over the words of the target."""
        start = batch.start[:, None]
        shown = torch.where(batch.target < self.closed.num_embeddings, batch.target, UNKNOWN)
        if self.training:
            # Some words before are hidden: the writer must not only go on as the training answers do.
            hidden = torch.rand(shown.shape, device=shown.device) < 0.1
            shown = torch.where(hidden, UNKNOWN, shown)
        said = torch.cat([start, shown[:, :-1]], 1)
        said_at = F.pad(batch.target_at[:, :-1], (1, 0))
        made, copies = self.write(source, batch.word_mask, said, said_at)
        # What is copied must come from its own place: it says where to go on.
        known = torch.where(batch.target_at > 0, UNKNOWN, batch.target.clamp(max=self.closed.num_embeddings - 1))
        chance = torch.where(
            batch.target_at > 0,
            copies.gather(2, batch.target_at[..., None])[..., 0],
            made.gather(2, known[..., None])[..., 0],
        )
        counted = (batch.target != PAD) & (batch.target != UNKNOWN)
        return -((chance + 1e-8).log() * counted).sum() / counted.sum().clamp(min=1)


@torch.no_grad()
def generate(model, batch, beams=1, longest=44):
    """Strings and places of the best answer for each row."""
    source = model.read(batch)
    rows, closed = len(source), model.closed.num_embeddings
    repeat = lambda each: each.repeat_interleave(beams, 0)
    source, mask, words = repeat(source), repeat(batch.word_mask), repeat(batch.words)
    device = source.device
    said = torch.full((rows * beams, 1), ANSWER, device=device)
    said_at = torch.zeros_like(said)
    strings = said
    scores = torch.full((rows, beams), -1e4, device=device)
    scores[:, 0] = 0
    scores = scores.view(-1)
    ended = torch.zeros(rows * beams, dtype=torch.bool, device=device)
    lengths = torch.ones(rows * beams, device=device)
    for _ in range(longest):
        made, copies = model.write(source, mask, said, said_at)
        made[:, :, [PAD, UNKNOWN, PART, QUOTE, ANSWER]] = 0
        chances = torch.cat([made[:, -1], copies[:, -1]], 1)
        logs = (chances + 1e-9).log()
        # An ended answer stays as it is.
        logs[ended] = -1e4
        logs[ended, PAD] = 0
        best, picks = (scores[:, None] + logs).view(rows, -1).topk(beams, 1)
        parent = (picks // logs.shape[1] + torch.arange(rows, device=device)[:, None] * beams).view(-1)
        slot = (picks % logs.shape[1]).view(-1)
        scores = best.view(-1)
        at = (slot - closed).clamp(min=0)
        string = torch.where(slot < closed, slot, words[parent].gather(1, at[:, None])[:, 0])
        said = torch.cat([said[parent], torch.where(string < closed, string, UNKNOWN)[:, None]], 1)
        said_at = torch.cat([said_at[parent], at[:, None]], 1)
        strings = torch.cat([strings[parent], string[:, None]], 1)
        lengths = lengths[parent] + (~ended[parent]).float()
        ended = ended[parent] | (slot == END)
        if ended.all():
            break
    best = (scores / lengths).view(rows, beams).argmax(1) + torch.arange(rows, device=device) * beams
    return strings[best, 1:].tolist(), said_at[best, 1:].tolist()
