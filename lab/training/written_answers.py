"""Written answers as text, what is in them that must not be invented, and how near they are to an answer by hand."""

import re

WORD = re.compile(r"[^\W_]+(?:['’.,:/_@-](?=[^\W_])[^\W_]+)*|\S")
NUMBER = re.compile(
    r".*\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|half|quarter|third|once|twice|double)$"
)
UNIT = re.compile(
    r"(?:second|minute|hour|day|night|week|month|quarter|year|working|business|calendar|percent|euro|dollar|pound|cent|crown"
    r"|franc|metre|meter|mile|kilometre|kilometer|gram|kilo|tonne|litre|liter|degree|pixel|inche|inch|foot|feet|user|seat"
    r"|person|people|word|page|character|time|item|credit|point)s?$|(?:mm|cm|m|km|g|kg|ml|l|kb|mb|gb|tb|kwh|kw|w|v|px|dpi|am"
    r"|pm|a\.m|p\.m|€|\$|£|%|°)$"
)
NEGATION = re.compile(r"(?:no|not|never|none|nothing|nobody|neither|nor|without|cannot|\w+n't)$")
GLUED_BEFORE, GLUED_AFTER = set(",.;:!?)%’'\"”]"), set("(“[/")
CURRENCIES = set("€$£")


def compose(strings, places, closed, words, spaced):
    """Text from strings and the places they were copied from."""
    text, last, joined, before = "", "", False, 0
    for string, at in zip(strings, places):
        if string < 2:
            break
        word = words[at] if at else closed[string]
        if not at and len(word) > 1 and word[0] in "+-":
            if word[0] == "+":
                text += word[1:]
            elif text.endswith(word[1:]):
                text = text[: 1 - len(word)]
            before = 0
            continue
        goes_on = before and at == before + 1
        joined = not spaced[at] if goes_on else word[0] in GLUED_BEFORE or last in GLUED_AFTER or (last in CURRENCIES and word[0].isdigit())
        is_first = not text or (last in ".!?" and not joined)
        if is_first and word == word.lower():
            word = word[:1].upper() + word[1:]
        text += word if joined or not text else " " + word
        last, before = word, at
    return text


def lower_words(text):
    return [word.lower().replace("’", "'") for word in WORD.findall(text)]


def invented(answer, source):
    """Numbers, names, units and negations of an answer that do not stand in the passage or the question."""
    known = set(lower_words(source))
    known |= {part for word in known for part in re.split(r"[-/]", word)}
    has = lambda word: word in known or word + "s" in known or (word.endswith("s") and word[:-1] in known)
    found, opens = [], True
    denied = any(NEGATION.match(word) for word in known)
    for index, word in enumerate(WORD.findall(answer)):
        lower = word.lower().replace("’", "'")
        is_name = word != lower and (not opens or word[1:] != word[1:].lower()) and lower != "i"
        if (NUMBER.match(lower) or UNIT.match(lower) or is_name) and not has(lower):
            found.append(word)
        if index and NEGATION.match(lower) and not denied:
            found.append(word)
        opens = word in ".!?:"
    return found


def contradicts(answer, marked, source):
    """A number beside another unit than in the source, or a negation of the marked part that is lost."""
    pairs = lambda words: {(a, b) for a, b in zip(words, words[1:]) if NUMBER.match(a) and UNIT.match(b) or a in CURRENCIES and NUMBER.match(b)}
    one = lambda words: [re.sub(r"(?<=\w\w)s$", "", word) for word in words]
    said, known = pairs(one(lower_words(answer))), pairs(one(lower_words(source.replace("-", " "))))
    denies = lambda text: any(NEGATION.match(word) for word in lower_words(text))
    return bool(said - known) or (denies(marked) and not denies(answer))


def rouge(one, other):
    """ROUGE-L, the harmonic mean."""
    a, b = ([word for word in lower_words(text) if re.match(r"\w|[€$£%]", word)] for text in (one, other))
    row = [0] * (len(b) + 1)
    for word in a:
        above = row[:]
        for index, match in enumerate(b):
            row[index + 1] = above[index] + 1 if word == match else max(above[index + 1], row[index])
    return 2 * row[-1] / max(1, len(a) + len(b))


def measure(answers, shown):
    """Figures over all, and what each answer invents."""
    whole = [f"{each['question']} {each['passage']}" for each in shown]
    wrong = [invented(answer, source) for answer, source in zip(answers, whole)]
    against = [contradicts(a, each["marked"], source) for a, each, source in zip(answers, shown, whole)]
    count, plain = len(shown), lambda text: " ".join(lower_words(text)).rstrip(" .")
    sign = lambda text: (re.match(r"yes|no\b", text.lower()) or [""])[0]
    signed = [(sign(a), sign(each["written"])) for a, each in zip(answers, shown) if sign(each["written"])]
    figures = {
        "exact": sum(plain(a) == plain(each["written"]) for a, each in zip(answers, shown)) / count,
        "rouge": sum(rouge(a, each["written"]) for a, each in zip(answers, shown)) / count,
        "nothing invented": sum(not each for each in wrong) / count,
        "nor contradicted": sum(not a and not b for a, b in zip(wrong, against)) / count,
        "yes or no": sum(a == b for a, b in signed) / max(1, len(signed)),
        "needless yes or no": sum(bool(sign(a)) and not sign(each["written"]) for a, each in zip(answers, shown)) / count,
        "words": sorted(len(a.split()) for a in answers)[count // 2],
    }
    return {name: round(value, 3) for name, value in figures.items()}, wrong, against
