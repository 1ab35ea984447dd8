// node lab/training/make-vocabulary.ts <data folder> <word lists> <output file>: adds pieces for other languages to the
// English vocabulary. The word lists are one file a language (`de.txt`), the most usual word first;
// `en-rare.txt` is a whole English dictionary.
// The English pieces keep their numbers, and English words stay cut as they were. Needs SentencePiece's `spm_train`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTokenizer, plainWords } from '../../server/src/inference/wordpiece.ts'
import { readJsonLines, readLines, readVocabulary } from './tokens.ts'

/** Token numbers are kept in 16 bits. */
const MOST_PIECES = 65_472
/** Each language's share of the new pieces. Those of related languages overlap. */
const SHARES: Record<string, number> = {
  de: 16,
  fr: 13,
  es: 13,
  it: 12,
  pt: 12,
  nl: 13,
  sv: 12,
  pl: 13,
  tr: 13,
  ar: 13,
  ja: 12,
  zh: 1,
  ko: 10,
  ru: 10,
  cs: 8,
  uk: 6,
  da: 6,
  no: 6,
  fi: 9,
  id: 6,
  vi: 6,
  hi: 7,
}
/** A word that is up to so many times more usual in another language may be English. */
const MAYBE_ENGLISH = 10
/** A new piece may cut English words in another way if it is so usual elsewhere, and so many times more usual. */
const USUAL = 2e-5
const FAR_MORE = 1000
const SPACE = '\u2581'

const [dataDir = '', listDir = '', outFile = ''] = process.argv.slice(2)
const english = readVocabulary(join(dataDir, 'base/tokenizer.json'))
const counts = countWords()
const englishPieces = new Set(english)
const barredPieces = new Set<string>()
const candidates = rankPieces()
const elsewhere = usesElsewhere([...english, ...candidates.slice(0, MOST_PIECES - english.length)])
const ours = [...englishWords()]
let vocabulary: string[] = []
// A new piece may cut an English word in another way: leave such pieces out, which lets others move up.
for (let round = 1; ; round++) {
  vocabulary = [
    ...english,
    ...candidates.filter((piece) => !barredPieces.has(piece)).slice(0, MOST_PIECES - english.length),
  ]
  const cuttingPieces = piecesOfEnglishWords(vocabulary)
  console.log(`round ${round}: ${vocabulary.length} pieces, ${cuttingPieces.length} of them cut an English word`)
  if (cuttingPieces.length === 0) break
  for (const piece of cuttingPieces) barredPieces.add(piece)
}
writeFileSync(outFile, vocabulary.join('\n'))
report()

/** How often each word occurs, by language. */
function countWords(): Map<string, Map<string, number>> {
  const wordsByLanguage = new Map<string, Map<string, number>>()
  const count = (language: string, text: string) => {
    const words = wordsByLanguage.get(language) ?? new Map<string, number>()
    wordsByLanguage.set(language, words)
    for (const word of plainWords(text)) words.set(word, (words.get(word) ?? 0) + 1)
  }
  for (const row of readJsonLines<string[]>(join(dataDir, 'parallel'), 'parallel.jsonl')) {
    count(row[0] ?? '', row.slice(row[0] === 'en' ? 1 : 2).join('\n'))
  }
  for (const { t, s } of readJsonLines<{ t: string; s: string[][] }>(join(dataDir, 'docs'), 'docs.jsonl')) {
    count('en', [t, ...s.flat()].join('\n'))
  }
  for (const file of readdirSync(join(dataDir, 'data'))) {
    for (const line of readLines(join(dataDir, 'data'), basename(file, '.xz'))) {
      count(
        'en',
        Object.values(JSON.parse(line) as object)
          .flat()
          .filter((each) => typeof each === 'string')
          .join('\n'),
      )
    }
  }
  for (const [language, words] of wordsByLanguage) addEverydayWords(language, words)
  count('en', [...readLines(listDir, 'en-rare.txt'), ...readLines(listDir, 'en-rare.txt')].join('\n'))
  return wordsByLanguage
}

/** Documentation lacks everyday words: a list of the most usual ones, and our written questions, make up for it. */
function addEverydayWords(language: string, words: Map<string, number>): void {
  const total = [...words.values()].reduce((a, b) => a + b, 0)
  for (const [rank, line] of readLines(listDir, `${language}.txt`).entries()) {
    // In all about half as many as there are in the documentation.
    const count = Math.ceil((0.08 * total) / (rank + 20))
    for (const word of plainWords(line)) words.set(word, (words.get(word) ?? 0) + count)
  }
  const folder = fileURLToPath(new URL(`./questions/${language}`, import.meta.url))
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    for (const word of plainWords(readFileSync(join(folder, file), 'utf8'))) words.set(word, (words.get(word) ?? 0) + 5)
  }
}

/** New pieces, best first: characters of all languages, then each language's pieces in turn. */
function rankPieces(): string[] {
  const rankedPieces = new Set<string>()
  const add = (piece: string) => {
    if (!englishPieces.has(piece) && !/^(?:##)?[\d!-/:-@[-`{-~]+$/.test(piece)) rankedPieces.add(piece)
  }
  for (const language of Object.keys(SHARES)) for (const piece of characters(language)) add(piece)
  const lists = Object.entries(SHARES).map(([language, share]) => ({ share, pieces: trainPieces(language), at: 0 }))
  const most = 2 * MOST_PIECES
  while (rankedPieces.size < most && lists.some(({ pieces, at }) => at < pieces.length)) {
    for (const list of lists) {
      for (const piece of list.pieces.slice(list.at, list.at + list.share)) add(piece)
      list.at += list.share
    }
  }
  return [...rankedPieces]
}

/** Characters a word of this language begins or goes on with, so that no word is unknown for a single letter. */
function characters(language: string): string[] {
  const characterCounts = new Map<string, number>()
  for (const [word, count] of counts.get(language) ?? []) {
    for (const [at, character] of [...word].entries()) {
      const piece = at === 0 ? character : `##${character}`
      characterCounts.set(piece, (characterCounts.get(piece) ?? 0) + count)
    }
  }
  const orderedCounts = [...characterCounts].filter(([, count]) => count > 2).sort(([, a], [, b]) => b - a)
  return [...orderedCounts.map(([piece]) => piece), ...(language === 'zh' ? commonHan() : [])]
}

/** The first level of GB 2312: the characters of everyday Chinese. */
function commonHan(): string[] {
  const decode = new TextDecoder('gb2312')
  const rows = Array.from({ length: 0xd7 - 0xb0 + 1 }, (_, row) => 0xb0 + row)
  return rows
    .flatMap((row) => Array.from({ length: 94 }, (_, at) => decode.decode(Uint8Array.of(row, 0xa1 + at))))
    .filter((text) => /^\p{Script=Han}$/u.test(text))
}

function trainPieces(language: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pieces-'))
  const words = [...(counts.get(language) ?? [])].filter(
    ([word, count]) => count > 1 && word.length > 1 && word.length <= 40 && /^[\p{L}\p{M}]+$/u.test(word),
  )
  writeFileSync(join(folder, 'words.tsv'), words.map(([word, count]) => `${word}\t${count}\n`).join(''))
  const alphabet = new Set(words.flatMap(([word]) => [...word])).size
  const size = Math.min(9000, Math.floor(words.length / 3)) + alphabet
  try {
    execFileSync('spm_train', [
      `--input=${join(folder, 'words.tsv')}`,
      '--input_format=tsv',
      `--model_prefix=${join(folder, 'm')}`,
      '--model_type=bpe',
      `--vocab_size=${size}`,
      '--hard_vocab_limit=false',
      '--character_coverage=1.0',
      '--normalization_rule_name=identity',
      '--num_threads=1',
      '--split_by_unicode_script=false',
      '--minloglevel=2',
      '--max_sentence_length=100000',
      '--max_sentencepiece_length=20',
    ])
    return readFileSync(join(folder, 'm.vocab'), 'utf8')
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '')
      .filter((piece) => piece !== '' && piece !== SPACE && !piece.startsWith('<'))
      .map((piece) => (piece.startsWith(SPACE) ? piece.slice(1) : `##${piece}`))
      .filter((piece) => piece.replace(/^##/, '').length > 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How often each new piece is used in another language, as a share of its words. */
function usesElsewhere(pieces: string[]): Map<string, number> {
  const tokenize = makeTokenizer(pieces)
  const most = new Map<string, number>()
  for (const language of Object.keys(SHARES)) {
    const words = counts.get(language) ?? new Map<string, number>()
    const total = [...words.values()].reduce((a, b) => a + b, 0)
    const uses = new Map<string, number>()
    for (const [word, count] of words) {
      if (englishPieces.has(word)) continue
      for (const id of tokenize(word).ids) {
        if (id >= english.length) uses.set(pieces[id] as string, (uses.get(pieces[id] as string) ?? 0) + count / total)
      }
    }
    for (const [piece, share] of uses) most.set(piece, Math.max(most.get(piece) ?? 0, share))
  }
  return most
}

/** English words that the English pieces alone cut into several, with their share of all. */
function* englishWords(): Generator<{ word: string; share: number; cut: string }> {
  const before = makeTokenizer(english)
  const totals = new Map(
    [...counts].map(([language, words]) => [language, [...words.values()].reduce((a, b) => a + b, 0)]),
  )
  const share = (language: string, word: string) => (counts.get(language)?.get(word) ?? 0) / (totals.get(language) ?? 1)
  for (const [word, count] of counts.get('en') ?? []) {
    if (count < 2 || englishPieces.has(word) || !/^[\x20-\x7e]+$/.test(word)) continue
    const ours = share('en', word)
    if (Object.keys(SHARES).some((language) => share(language, word) > ours * MAYBE_ENGLISH)) continue
    yield { word, share: ours, cut: before(word).ids.join() }
  }
}

/** New pieces that cut English words in another way, unless they are far more usual elsewhere. */
function piecesOfEnglishWords(pieces: string[]): string[] {
  const tokenize = makeTokenizer(pieces)
  const uses = new Map<string, number>()
  for (const { word, share, cut: before } of ours) {
    const { ids } = tokenize(word)
    if (ids.join() === before) continue
    for (const id of ids) {
      if (id >= english.length) uses.set(pieces[id] as string, (uses.get(pieces[id] as string) ?? 0) + share)
    }
  }
  return [...uses].flatMap(([piece, share]) =>
    Math.max(USUAL, share * FAR_MORE) > (elsewhere.get(piece) ?? 0) ? [piece] : [],
  )
}

function report(): void {
  const [before, now] = [makeTokenizer(english), makeTokenizer(vocabulary)]
  for (const [language, words] of counts) {
    let [total, pieceCount, pieceCountBefore, unknown] = [0, 0, 0, 0]
    for (const [word, count] of words) {
      total += count
      const { ids } = now(word)
      pieceCount += count * ids.length
      pieceCountBefore += count * before(word).ids.length
      if (ids.includes(vocabulary.indexOf('[UNK]'))) unknown += count
    }
    const of = (value: number) => (value / total).toFixed(3)
    console.log(
      `${language}: ${of(pieceCount)} tokens a word (before ${of(pieceCountBefore)}), unknown ${((unknown / total) * 100).toFixed(3)} %`,
    )
  }
}
