"""Documentation as prepare-docs.ts writes it: English sections, their translations, and phrases."""

import json
from pathlib import Path

import numpy as np

HELD_OUT = 40


class Sections:
    """A section's tokens are `title > heading. text`; its cuts are the ends of parts that a translation shares."""

    def __init__(self, folder, store):
        folder = Path(folder)
        read = lambda name, kind: np.fromfile(folder / name, dtype=kind)
        column = lambda name, kind: read(name, kind).astype(np.int64)
        self.languages = json.loads((folder / "languages.json").read_text())
        self.length, self.title, self.heading = column("length.u16", "u2"), column("title.u8", "u1"), column("heading.u8", "u1")
        self.language, self.original = column("language.u8", "u1"), column("original.u32", "i4")
        self.common, self.cuts = read("common.u8", "u1") == 1, column("cuts.u8", "u1")
        self.cut_from = self.cuts.cumsum() - self.cuts
        self.own, self.english = column("cut_own.u8", "u1"), column("cut_english.u8", "u1")
        self.start = store.add(read("tokens.u16", "u2")) + self.length.cumsum() - self.length
        present = self.length > 0
        last = self.cut_from + self.cuts - 1
        self.text_length = np.where(present, self.own[last.clip(min=0)], 0)
        self.text = self.start + self.length - self.text_length
        self.heading_start = self.start + np.where((self.title > 0) & (self.heading > 0), self.title + 1, 0)
        self.heading_length = np.where(self.heading > 0, self.heading, self.title)
        number = np.arange(len(self.length))
        self.is_english = self.original == number
        self.present = present & present[self.original]
        self.held = self.original % HELD_OUT == 0
        self.has_head = self.title + self.heading > 0

    def rows(self, english, phrases=False, held=False):
        return np.flatnonzero(self.present & (self.is_english == english) & (self.has_head != phrases) & (self.held == held))

    def weights(self, rows, power=0.6):
        """Languages with little text are seen more often. Returns running sums, to draw from."""
        share = np.bincount(self.language[rows]).clip(min=1) ** (power - 1.0)
        sums = share[self.language[rows]].cumsum()
        return sums / sums[-1]

    def part(self, rows, first, last):
        """From cut `first` (0: the beginning of the text) to cut `last`: the section's range, and the original's."""
        ends = self.cut_from[rows] + last - 1
        begins = self.cut_from[rows] + first - 1
        at = lambda cuts: np.where(first > 0, cuts[begins.clip(min=0)], 0)
        original = self.original[rows]
        own = (self.text[rows] + at(self.own), self.own[ends] - at(self.own))
        english = (self.text[original] + at(self.english), self.english[ends] - at(self.english))
        return own, english

    def headings(self, rows):
        original = self.original[rows]
        return [(self.heading_start[each], self.heading_length[each]) for each in (rows, original)]

    def short(self, rows, rng):
        """A heading or one sentence of each, and whether it can be told from those of other sections."""
        last = 1 + (rng.random(len(rows)) * self.cuts[rows]).astype(np.int64)
        parts, headings = self.part(rows, last - 1, last), self.headings(rows)
        use = (rng.random(len(rows)) < 0.5) & (headings[0][1] > 0) & (headings[1][1] > 0)
        # A part can be empty in the original where that was cut off.
        use |= (parts[0][1] == 0) | (parts[1][1] == 0)
        chosen = [tuple(np.where(use, h, p) for h, p in zip(*pair)) for pair in zip(headings, parts)]
        return *chosen, ~(use & self.common[rows])

    def long(self, rows, rng):
        """The section with its headings, without them, or several sentences of it."""
        count, kind = self.cuts[rows], rng.random(len(rows))
        some = kind > 0.75
        first = np.where(some, (rng.random(len(rows)) * count).astype(np.int64), 0)
        last = np.where(some, first + 1 + (rng.random(len(rows)) * (count - first)).astype(np.int64), count)
        pairs = self.part(rows, first, last)
        empty = (pairs[0][1] == 0) | (pairs[1][1] == 0)
        whole = self.part(rows, np.zeros_like(count), count)
        pairs = [tuple(np.where(empty, w, p) for w, p in zip(*pair)) for pair in zip(whole, pairs)]
        headed = (kind < 0.45) & self.has_head[rows] & self.has_head[self.original[rows]]
        out = []
        for each, (start, length) in zip((rows, self.original[rows]), pairs):
            head = np.where(headed, self.text[each] - self.start[each], 0)
            out.append((start - head, length + head))
        return out


def draw(rng, rows, sums, count):
    return rows[np.searchsorted(sums, rng.random(count), side="right").clip(max=len(rows) - 1)]
