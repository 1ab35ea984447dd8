"""Questions made from documentation: which of four sections does this heading or sentence belong to?

The section is in the question's language, in English, or in another language.
"""

import numpy as np
import torch
import torch.nn.functional as F

from laid import BODY, CLS, MASK, SEP, Laid
from sections import draw

WRONG = 3
QUESTION_TOKENS, HEAD_TOKENS = 56, 40
FIRST_WORD = 1000
# The columns of a pair that hold the section's text.
TEXT_COLUMNS = (6, 7)


class DocPairs:
    def __init__(self, sections, store, rng):
        self.sections, self.store, self.rng = sections, store, rng
        self.pools = {}
        for name, english in (("translated", False), ("english", True)):
            rows = sections.rows(english)
            self.pools[name] = (rows, sections.weights(rows))
        self.usable = sections.present & sections.has_head & ~sections.held
        translated = self.pools["translated"][0]
        # The section of each language that was made from an English one.
        self.translations = np.full((sections.original[translated].max() + 1, len(sections.languages)), -1, dtype=np.int64)
        self.translations[sections.original[translated], sections.language[translated]] = translated

    def batch(self, count):
        """The pairs laid end to end, four to a question, the right one first."""
        sections, rng = self.sections, self.rng
        asked = np.concatenate([draw(rng, *self.pools["translated"], count * 2 // 3), draw(rng, *self.pools["english"], count - count * 2 // 3)])
        right = self.choose_language(asked)
        question, title, taken = self.questions(asked, right)
        pairs = np.concatenate([right[:, None], self.rivals(right)], 1)
        shows = np.where(taken[2], rng.random(count) < 0.15, rng.random(count) < 0.7)
        repeat = lambda values: np.repeat(values, 1 + WRONG)
        each = pairs.ravel()
        head = np.where(repeat(shows), sections.text[each] - sections.start[each] - 1, sections.title[each])
        head = np.where(head > 0, head, sections.text[each] - sections.start[each] - 1).clip(max=HEAD_TOKENS)
        # The sentence that is the question is taken out of its section.
        first, last = (np.full(pairs.shape, -1, dtype=np.int64) for _ in range(2))
        first[:, 0], last[:, 0] = taken[0], taken[1]
        length = sections.text_length[each]
        whole = first.ravel() < 0
        before = np.where(whole, length, first.ravel())
        after = np.where(whole, length, last.ravel()).clip(max=length)
        return Laid(self.store, [
            (CLS, 0),
            (repeat(title[0]), repeat(title[1]), 0),
            (repeat(question[0]), repeat(question[1]), 0),
            (SEP, 0),
            (sections.start[each], head, 1),
            (BODY, 1),
            (sections.text[each], before, 1),
            (sections.text[each] + after, length - after, 1),
            (SEP, 1),
        ])

    def choose_language(self, asked):
        """The section itself, its English original, or another translation of it."""
        sections, kind = self.sections, self.rng.random(len(asked))
        original = sections.original[asked]
        language = self.rng.integers(0, len(sections.languages), len(asked))
        other = self.translations[original.clip(max=len(self.translations) - 1), language]
        other = np.where((original < len(self.translations)) & (other >= 0), other, original)
        chosen = np.where(kind < 0.5, asked, np.where(kind < 0.75, original, other))
        return np.where(self.usable[chosen], chosen, asked)

    def questions(self, asked, right):
        """A heading, now and then after the page's title, or a sentence or some words of it, and what to take out."""
        sections, rng = self.sections, self.rng
        last = 1 + (rng.random(len(asked)) * sections.cuts[asked]).astype(np.int64)
        own, english = sections.part(asked, last - 1, last)
        heading, _ = sections.headings(asked)
        can_head = (sections.heading[asked] > 0) | (sections.title[asked] > 0)
        can_sentence = (own[1] >= 5) & (own[1] <= 60) & (sections.cuts[asked] >= 3)
        is_heading = can_head & ((rng.random(len(asked)) < 0.5) | ~can_sentence)
        start, length = own
        # A part of the sentence, as someone types keywords.
        words = (rng.random(len(asked)) < 0.4) & (length > 10)
        kept = np.where(words, 4 + (rng.random(len(asked)) * (length - 4)).astype(np.int64), length)
        moved = np.where(words, (rng.random(len(asked)) * (length - kept + 1)).astype(np.int64), 0)
        start, length = start + moved, kept
        start, length = np.where(is_heading, heading[0], start), np.where(is_heading, heading[1], length)
        length = length.clip(max=QUESTION_TOKENS - 18)
        # A heading that many sections have says little without its page's title.
        titled = is_heading & (sections.heading[asked] > 0) & (sections.common[asked] | (rng.random(len(asked)) < 0.3))
        title = (sections.start[asked], np.where(titled, sections.title[asked], 0))
        keeps = rng.random(len(asked)) < 0.1
        takes = ~is_heading & ~keeps
        is_own, is_original = right == asked, (right == sections.original[asked]) & (right != asked)
        at = np.where(is_own, own[0] - sections.text[asked], english[0] - sections.text[sections.original[asked]])
        end = at + np.where(is_own, own[1], english[1])
        takes &= is_own | (is_original & (rng.random(len(asked)) < 0.5))
        # Something must be left to read.
        takes &= end - at < sections.text_length[right]
        return (start, length), title, (np.where(takes, at, -1), np.where(takes, end, -1), is_heading)

    def rivals(self, right):
        """Other sections of the page or of pages near it: sections are stored by language and page."""
        sections, rng = self.sections, self.rng
        tries = 16
        reach = np.where(rng.random((len(right), tries)) < 0.6, 6, 60)
        offset = 1 + (rng.random((len(right), tries)) * reach).astype(np.int64)
        offset *= rng.integers(0, 2, offset.shape) * 2 - 1
        found = (right[:, None] + offset) % len(sections.length)
        good = self.usable[found] & (sections.language[found] == sections.language[right][:, None])
        good &= sections.original[found] != sections.original[right][:, None]
        order = np.argsort(~good, axis=1, kind="stable")[:, :WRONG]
        found, good = (np.take_along_axis(each, order, 1) for each in (found, good))
        # Where there are too few, any English section.
        return np.where(good, found, rng.choice(self.pools["english"][0], found.shape))


def pair_losses(model, laid, groups, masks=None):
    """Which section is right, as a choice and one by one; and which words were masked."""
    device = laid.ids.device
    target = None
    if masks is not None:
        target = mask_words(laid, masks.words)
    hidden = laid.encode(model.encoder)
    scores = model.relevance(hidden[laid.bounds[:-1].long()]).float().view(groups, 1 + WRONG)
    first = torch.zeros(groups, dtype=torch.long, device=device)
    parts = {
        "rank": F.cross_entropy(scores, first),
        "each": F.binary_cross_entropy_with_logits(scores, F.one_hot(first, 1 + WRONG).float() * 0.96 + 0.02),
        "first": (scores.argmax(1) == 0).float().mean(),
    }
    if target is not None:
        at, words = target
        parts["masked"] = F.cross_entropy(masks(hidden[at], model.encoder.words.weight).float(), words)
    return parts


def mask_words(laid, count, rows=0.35, share=0.18):
    """Hides some words of some sections; returns where, and what was there."""
    device = laid.ids.device
    hides = torch.rand(laid.rows, device=device) < rows
    is_text = (laid.column == TEXT_COLUMNS[0]) | (laid.column == TEXT_COLUMNS[1])
    at = (hides[laid.row] & is_text & (torch.rand(len(laid.ids), device=device) < share)).nonzero()[:, 0]
    words = laid.ids[at]
    kind = torch.rand(len(at), device=device)
    shown = torch.where(kind < 0.9, torch.randint(FIRST_WORD, count, words.shape, device=device), words)
    laid.ids[at] = torch.where(kind < 0.8, torch.full_like(words, MASK), shown)
    return at, words
