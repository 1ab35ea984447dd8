// node lab/training/prepare-writer.ts <output folder> <short answers .tsv>…: examples for train_writer.py.
// A short answer is `file:number<TAB>answer`, numbers from 0 in lab/training/questions. Every other answered English question
// becomes an example for copying. Words, not pieces, are copied, so no number or name can come out in parts.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { CLS, LONGEST_INPUT, passageTokens, questionTokens, SEP } from '../../server/src/inference/reader-input.ts'
import { makeTokenizer } from '../../server/src/inference/wordpiece.ts'
import { expandChatSpelling } from '../../server/src/language/chat-spelling.ts'
import { sentences } from '../../server/src/language/sentences.ts'
import { textOfBlocks } from '../../server/src/sources/documents/document-blocks.ts'
import { parseMarkdown } from '../../server/src/sources/documents/parse-markdown.ts'
import { findAnswer } from './find-answer.ts'
import { readLines, readVocabulary, writeTokens } from './tokens.ts'

interface Word {
  /** As written inside a sentence. */
  text: string
  start: number
  end: number
  spaced: boolean
  startsSentence: boolean
}

interface Example {
  id: string
  company: string
  question: string
  earlier: string[]
  names: string[]
  text: string
  answer: { start: number; end: number }
  polarity: number
  written?: string
}

interface Source {
  ids: number[]
  /** The word of each token; 0 for tokens between the texts. */
  wordOf: number[]
  /** Word 0 stands for the tokens between the texts. */
  words: Word[]
  passageToken: number
  passageWord: number
  part: [number, number]
  quote: [number, number]
  quoteText: string
}

const HELD_OUT = 300
const CHOOSING = 150
const LONGEST_ANSWER = 48
const SMALL_WORDS = 150
const SPECIAL = ['[PAD]', '[END]', '[UNK]', '[PART]', '[QUOTE]', '[ANSWER]']
const CHANGES = ['+s', '+es', '+ed', '+d', '+ing', '-s', '-es', '-ed', '-d', '-ing']
const NUMBERS =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|quarter|third|once|twice|double)$/
const UNITS =
  /^(?:(?:second|minute|hour|day|night|week|month|year|percent|euro|dollar|pound|cent|crown|metre|meter|mile|kilometre|gram|kilo|tonne|litre|liter|degree|pixel|inch|inche|point|credit)s?|foot|feet|[ap]\.m|am|pm|kr|dpi|px|[kmgt]b|[kmc]?m|k?g|m?l|k?wh?|[vp])$/
const WORD_PATTERN = /[\p{L}\p{N}]+(?:['’.,:/_@-](?=[\p{L}\p{N}])[\p{L}\p{N}]+)*|\S/gu

const [outDir = '', ...answerFiles] = process.argv.slice(2)
if (outDir === '' || answerFiles.length === 0) {
  console.error('Usage: node lab/training/prepare-writer.ts <output folder> <short answers .tsv>…')
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })
const folder = fileURLToPath(new URL('./questions', import.meta.url))
const tokenize = makeTokenizer(readVocabulary(fileURLToPath(new URL('./vocabulary.txt', import.meta.url))))

const writtenAnswers = new Map(
  answerFiles.flatMap((file) =>
    readLines('', file).map((line): [string, string] => {
      const [id = '', answer = ''] = line.split('\t')
      return [id, answer.replaceAll('’', "'").trim()]
    }),
  ),
)
const examples = readdirSync(folder)
  .filter((file) => /^w\d+\.tsv$/.test(file))
  .flatMap((file) => [...readExamples(basename(file, '.tsv'))])
const isUsuallyLower = learnCase(examples)
const setOf = splitCompanies(examples)
const rows = examples.flatMap((example) => {
  const source = readSource(example)
  return source ? [{ example, source, set: setOf(example) }] : []
})
const vocabulary = chooseVocabulary(rows.filter(({ set }) => set === 1))
const strings = new Map(vocabulary.map((text, number) => [text, number]))
const isClosed = new Set(vocabulary)
const isSmall = new Set(vocabulary.slice(0, SMALL_WORDS))
const pieces = new Map<number, number>()
let [unreachable, total] = [0, 0]

const targets = rows.map(({ example, source }) => align(example, source))
writeTokens(
  outDir,
  'tokens',
  rows.map(({ source }) => source.ids.map((id) => numberOf(pieces, id))),
)
writeTokens(
  outDir,
  'word-of',
  rows.map(({ source }) => source.wordOf),
)
writeTokens(
  outDir,
  'words',
  rows.map(({ source }) => source.words.map(({ text }) => numberOf(strings, text.toLowerCase()))),
)
writeTokens(
  outDir,
  'targets',
  targets.map((target) => target.map(({ string }) => string)),
)
writeTokens(
  outDir,
  'targets-at',
  targets.map((target) => target.map(({ at }) => at)),
)
if (strings.size >= 2 ** 16) throw new Error('Too many strings for 16 bits')
const numbers = rows.map(({ example, source, set }) => [
  set,
  source.passageToken,
  source.passageWord,
  ...source.part,
  ...source.quote,
  example.polarity,
])
writeFileSync(join(outDir, 'rows.i32'), Int32Array.from(numbers.flat()))
writeFileSync(join(outDir, 'pieces.i32'), Int32Array.from(pieces.keys()))
const heldOutRows = rows.flatMap(({ example, source, set }, row) =>
  set < 2
    ? []
    : {
        row,
        id: example.id,
        company: example.company,
        question: [...example.earlier, example.question].join(' ||| '),
        passage: [example.names.join(' > '), example.text].join('\n'),
        marked: example.text.slice(example.answer.start, example.answer.end),
        quote: source.quoteText,
        written: example.written,
        words: source.words.map(({ text }) => text),
        spaced: source.words.map(({ spaced }) => (spaced ? 1 : 0)),
      },
)
writeFileSync(join(outDir, 'writer.json'), JSON.stringify({ closed: vocabulary, shown: heldOutRows }))
const counts = [0, 1, 2, 3].map((set) => rows.filter((row) => row.set === set).length)
console.log(
  `${examples.length} examples, ${rows.length} within the window: ${counts} (copying, training, choosing, held out)`,
)
console.log(`${vocabulary.length} closed words, ${strings.size} words, ${pieces.size} pieces`)
console.log(`${unreachable} of ${total} words of short answers are neither there nor closed`)

function* readExamples(name: string): Generator<Example> {
  const polarity = new Map(readLines(folder, 'polarity.tsv').map((line) => line.split('\t') as [string, string]))
  const pages = new Map(
    readLines(folder, `${name}.jsonl`).map((line) => {
      const page = JSON.parse(line) as Record<string, string>
      return [page.id, { ...page, text: textOfBlocks(parseMarkdown(page.text ?? '')) } as Record<string, string>]
    }),
  )
  for (const [number, line] of readLines(folder, `${name}.tsv`).entries()) {
    const [pageId = '', question = '', copiedText = ''] = line.split('\t')
    const page = pages.get(pageId)
    if (!page || ['', '-', '--'].includes(copiedText)) continue
    const answer = findAnswer(page.text ?? '', copiedText)
    if (!answer) continue
    const turns = question.split('|||').map((turn) => turn.trim())
    const id = `${name}:${number}`
    const headings = [page.title ?? '', ...(page.heading ?? '').split(' > ')].map((each) => each.trim())
    yield {
      id,
      company: page.company ?? name,
      question: expandChatSpelling(turns.at(-1) ?? '', 'en'),
      earlier: turns.slice(0, -1),
      names: [...new Set(headings.filter(Boolean))],
      text: page.text ?? '',
      answer,
      polarity: { y: 1, n: 2 }[polarity.get(id) ?? ''] ?? 0,
      ...(writtenAnswers.has(id) ? { written: writtenAnswers.get(id) as string } : {}),
    }
  }
}

function splitWords(text: string): Word[] {
  const starts = new Set(sentences(text, 'en').map(({ start }) => start))
  let end = 0
  let opens = true
  return [...text.matchAll(WORD_PATTERN)].map(([word], index, all) => {
    const start = all[index]?.index ?? 0
    // Bullets and quotation marks open a sentence without being its first word.
    const startsSentence = opens || starts.has(start) || text.slice(end, start).includes('\n')
    opens = startsSentence && !/[\p{L}\p{N}]/u.test(word)
    const isSpaced = start > end
    end = start + word.length
    return { text: word, start, end, spaced: isSpaced, startsSentence }
  })
}

/** Words that stand in small letters within sentences at least as often as with a capital. */
function learnCase(all: Example[]): (word: string) => boolean {
  const counts = new Map<string, number>()
  for (const text of new Set(all.map(({ text }) => text))) {
    for (const { text: word, startsSentence } of splitWords(text)) {
      if (startsSentence) continue
      const lower = word.toLowerCase()
      counts.set(lower, (counts.get(lower) ?? 0) + (word === lower ? 1 : -1))
    }
  }
  return (word) => (counts.get(word.toLowerCase()) ?? -1) >= 0
}

/** 0 for copying, 1 for training, 2 for choosing a setting, 3 held out. No company stands in two of the last three. */
function splitCompanies(all: Example[]): (example: Example) => number {
  const companies = Map.groupBy(all, ({ company }) => company)
  const order = [...companies.keys()].sort((a, b) => crc32(a) - crc32(b))
  const sets = new Map<string, number>()
  const sizes = [0, 0, 0, 0]
  for (const company of order) {
    const size = (companies.get(company) ?? []).filter((example) => example.written).length
    if (size === 0) continue
    const set = (sizes[3] ?? 0) < HELD_OUT ? 3 : (sizes[2] ?? 0) < CHOOSING ? 2 : 1
    sets.set(company, set)
    sizes[set] = (sizes[set] ?? 0) + size
  }
  return ({ company, written: answer }) => {
    const set = sets.get(company) ?? 0
    // Questions of a company that is held out must not be learnt from in any way.
    return answer ? set : set >= 2 ? -1 : 0
  }
}

function readSource(example: Example): Source | undefined {
  if (setOf(example) < 0) return undefined
  const { question, earlier, names, text, answer } = example
  const questionIds = questionTokens({ text: question, earlier }, tokenize)
  const passage = passageTokens({ title: names[0] ?? '', headings: names.slice(1), text }, tokenize)
  const source = {
    ids: [CLS],
    wordOf: [0],
    words: [{ text: '', start: 0, end: 0, spaced: true, startsSentence: true }],
  }
  const inBody = splitWords(text)
  const spellings = new Map(inBody.map((word) => [word.text.toLowerCase(), surface(word)]))

  /** Adds tokens of a text, which may be cut at its front or its end, and the words they belong to. */
  function add(partText: string, ids: readonly number[], fromEnd: boolean, words = splitWords(partText)): number[] {
    const { starts, ids: all } = tokenize(partText)
    const skippedCount = fromEnd ? all.length - ids.length : 0
    const places: number[] = []
    for (const [index, id] of ids.entries()) {
      const start = starts[skippedCount + index] ?? 0
      const word = words.findIndex(({ end }) => end > start)
      if (places[word] === undefined) {
        places[word] = source.words.length
        const sourceWord = words[word] as Word
        // A visitor writes names in small letters: the passage knows better.
        source.words.push({ ...sourceWord, text: spellings.get(sourceWord.text.toLowerCase()) ?? surface(sourceWord) })
      }
      source.ids.push(id)
      source.wordOf.push(places[word] as number)
    }
    return places
  }
  const special = (id: number): void => {
    source.ids.push(id)
    source.wordOf.push(0)
  }

  const earlierAt = questionIds.indexOf(1)
  add(question, earlierAt < 0 ? questionIds : questionIds.slice(0, earlierAt), false)
  if (earlierAt >= 0) {
    special(1)
    add(earlier.slice(-2).join(' ; '), questionIds.slice(earlierAt + 1), true)
  }
  special(SEP)
  const [passageToken, passageWord] = [source.ids.length, source.words.length]
  if (passage.textFrom > 0) {
    add(names.join(' > '), passage.ids.slice(0, passage.textFrom - 1), false)
    special(2)
  }
  const room = LONGEST_INPUT - 1 - source.ids.length
  const places = add(text, passage.ids.slice(passage.textFrom).slice(0, room), false, inBody)
  special(SEP)
  const quotedSentences = sentences(text, 'en').filter(({ start, end }) => end > answer.start && start < answer.end)
  const [first, last] = [quotedSentences[0], quotedSentences.at(-1)]
  if (!first || !last) return undefined
  const range = (start: number, end: number): [number, number] | undefined => {
    const inside = inBody.flatMap((word, index) => (word.end > start && word.start < end ? [places[index]] : []))
    return inside.length === 0 || inside.includes(undefined)
      ? undefined
      : [inside[0] as number, (inside.at(-1) as number) + 1]
  }
  const part = range(answer.start, answer.end)
  const quote = range(first.start, last.end)
  if (!part) return undefined
  return {
    ...source,
    passageToken,
    passageWord,
    part,
    quote: quote ?? part,
    quoteText: text.slice(first.start, last.end),
  }
}

/** The word as it stands within a sentence. */
function surface({ text, startsSentence }: Word): string {
  const isPlain = text.slice(1) === text.slice(1).toLowerCase() && text !== 'I'
  return startsSentence && isPlain && isUsuallyLower(text) ? text.toLowerCase() : text
}

/** Small words and everyday verbs: whatever can be wrong as a fact must be copied. */
function chooseVocabulary(training: typeof rows): string[] {
  const counts = new Map<string, number>()
  for (const { example } of training) {
    for (const { text } of splitWords(example.written ?? '')) {
      const lower = text.toLowerCase()
      counts.set(lower, (counts.get(lower) ?? 0) + 1)
    }
  }
  const isSafe = ([word, count]: [string, number]): boolean =>
    count > 1 &&
    (/^[\p{L}'-]+$/u.test(word) || /^[.,;:()>'"–-]$/.test(word)) &&
    !NUMBERS.test(word) &&
    !UNITS.test(word) &&
    (isUsuallyLower(word) || /^(?:yes|no|you)$/.test(word))
  const words = [...counts].filter(isSafe).sort((a, b) => b[1] - a[1])
  return [...SPECIAL, ...CHANGES, ...words.map(([word]) => word)]
}

/** The words of a short answer as strings, and where each was copied from (0: nowhere). */
function align(example: Example, source: Source): { string: number; at: number }[] {
  if (example.written === undefined) return []
  const places = Map.groupBy(source.words.keys(), (at) =>
    at === 0 ? '' : (source.words[at]?.text ?? '').toLowerCase(),
  )
  const answer = splitWords(example.written).flatMap(({ text }) => {
    const lower = text.toLowerCase()
    return places.has(lower) || isClosed.has(lower) ? [lower] : (changed(lower, places) ?? [lower])
  })
  total += answer.length
  let before = 0
  const target = answer.slice(0, LONGEST_ANSWER).map((word, index) => {
    const positions = places.get(word) ?? []
    // Goes on where the last word stood, else where most of what follows stands, in the marked part, in the passage.
    const score = (at: number): number => {
      let run = 0
      while (run < 4 && (source.words[at + run]?.text ?? '').toLowerCase() === answer[index + run]) run++
      const isMarked = at >= source.part[0] && at < source.part[1]
      return (
        (before > 0 && at === before + 1 ? 10 : 0) + run + (isMarked ? 0.5 : 0) + (at >= source.passageWord ? 0.25 : 0)
      )
    }
    const nearest = positions.reduce((best, place) => (best === 0 || score(place) > score(best) ? place : best), 0)
    // Small words stand everywhere: they are copied only together with a neighbour.
    const at = isSmall.has(word) && score(nearest) < 2 ? 0 : nearest
    const isReachable = at > 0 || isClosed.has(word)
    if (!isReachable) unreachable++
    before = at
    return { string: isReachable ? numberOf(strings, word) : SPECIAL.indexOf('[UNK]'), at }
  })
  return [...target, { string: SPECIAL.indexOf('[END]'), at: 0 }]
}

/** The word as a copied one with another ending, such as "refund" "+s". */
function changed(word: string, places: Map<string, number[]>): string[] | undefined {
  for (const source of places.keys()) {
    if (!/^\p{L}{3,}$/u.test(source) || source.slice(0, 2) !== word.slice(0, 2)) continue
    for (const strip of ['', '-s', '-es', '-ed', '-d', '-ing']) {
      if (!source.endsWith(strip.slice(1))) continue
      const stem = source.slice(0, source.length - Math.max(0, strip.length - 1))
      for (const add of ['', '+s', '+es', '+ed', '+d', '+ing']) {
        if (stem.length > 2 && stem + add.slice(1) === word) return [source, strip, add].filter(Boolean)
      }
    }
  }
  return undefined
}

function numberOf<Key>(numbersByKey: Map<Key, number>, key: Key): number {
  const number = numbersByKey.get(key)
  if (number !== undefined) return number
  numbersByKey.set(key, numbersByKey.size)
  return numbersByKey.size - 1
}
