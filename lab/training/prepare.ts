// node lab/training/prepare.ts <data folder> <output folder> [every n-th question only]: converts questions to token ids.
// For the data folder's layout see lab/training/README.md. Texts go through the service's own parser and tokenizer.
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { passageTokens, questionTokens, type ReaderPassage } from '../../server/src/inference/reader-input.ts'
import { makeTokenizer } from '../../server/src/inference/wordpiece.ts'
import { expandChatSpelling } from '../../server/src/language/chat-spelling.ts'
import { textOfBlocks } from '../../server/src/sources/documents/document-blocks.ts'
import { parseMarkdown } from '../../server/src/sources/documents/parse-markdown.ts'
import { makeEvaluationFilter } from './evaluation-filter.ts'
import { findAnswer } from './find-answer.ts'
import { type Mix, readMix } from './mix.ts'
import { readJsonLines, readLines, readVocabulary, writeTokens } from './tokens.ts'

interface Example {
  question: string
  earlier: string[]
  passage: ReaderPassage
  /** Absent when the passage does not answer the question. */
  answer?: { start: number; end: number } | 'whole'
  /** No passage of the family answers it. */
  isAnsweredNowhere?: boolean
  /** 1 yes, 0 no. */
  polarity?: number
  /** Examples of one unit are held out together; the passage, if absent. */
  unit?: string
  /** Passages of one family are each other's negatives. */
  family: string
  language: string
}

interface TrainingSet {
  name: string
  repeat: number
  examples: Example[]
  /** Hard negatives named by the set, per example. */
  wrong?: ReaderPassage[][]
}

const [dataDir = '', outDir = '', every = '1'] = process.argv.slice(2)
if (!existsSync(dataDir) || outDir === '') {
  console.error('Usage: node lab/training/prepare.ts <data folder> <output folder>')
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })

const tokenize = makeTokenizer(readVocabulary(process.env.VOCABULARY ?? join(dataDir, 'base/tokenizer.json')))
const isEvaluated = makeEvaluationFilter(process.env.EVALUATION_SETS ?? '')
const polarity = readPolarity(new URL('./questions/polarity.tsv', import.meta.url))

/** The columns of `translated.tsv`. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']

const questions: number[][] = []
const passages: { ids: number[]; textFrom: number; family: number }[] = []
const questionNumbers = new Map<string, number>()
const passageNumbers = new Map<string, number>()
const families = new Map<string, number>()
const groups = createWriteStream(join(outDir, 'groups.jsonl'))

for (const set of readSets(readMix())) {
  let usedCount = 0
  for (const [index, example] of set.examples.entries()) {
    if (index % Number(every) !== 0) continue
    if (isEvaluated(example.question, example.passage.text)) continue
    const family = numberOf(families, `${set.name}:${example.family}`)
    const passage = passageNumber(example.passage, family)
    const [start, end] = spanTokens(example)
    const wrong = (set.wrong?.[index] ?? []).map((one) => passageNumber(one, -1))
    const unit = example.unit ?? example.family + example.passage.text
    const isHeldOut = /^(?:written|changed|across)/.test(set.name) && crc32(unit) % 12 === 0
    groups.write(
      `${JSON.stringify([
        questionNumber(example),
        passage,
        example.answer === undefined ? 0 : 1,
        start,
        end,
        example.polarity ?? -1,
        set.repeat,
        isHeldOut ? 1 : 0,
        wrong,
        set.name,
        example.isAnsweredNowhere ? 1 : 0,
      ])}\n`,
    )
    usedCount++
  }
  console.log(`${set.name}: ${usedCount} of ${set.examples.length}`)
}
groups.end()
writeTokens(outDir, 'questions', questions)
writeTokens(
  outDir,
  'passages',
  passages.map(({ ids }) => ids),
)
writeFileSync(join(outDir, 'families.json'), JSON.stringify(passages.map(({ family }) => family)))
console.log(`${questions.length} questions, ${passages.length} passages`)

function* readSets(mix: Mix): Generator<TrainingSet> {
  const ownFolder = fileURLToPath(new URL('./questions', import.meta.url))
  const further = listSets(join(dataDir, 'written'), '.tsv').filter(
    (name) => !listSets(ownFolder, '.tsv').includes(name),
  )
  // Questions in other languages have a folder a language.
  const languages = readdirSync(ownFolder).filter((name) => /^[a-z]{2}$/.test(name))
  const inLanguages = languages.flatMap((language) =>
    listSets(join(ownFolder, language), '.tsv').map((name) => join(language, name)),
  )
  for (const [folder, names] of [
    [ownFolder, listSets(ownFolder, '.tsv')],
    [join(dataDir, 'written'), further],
    [ownFolder, inLanguages],
  ] as const) {
    for (const name of names) {
      const examples = [...readWritten(folder, name)]
      yield { name: `written ${name}`, repeat: mix.written, examples }
      yield { name: `changed ${name}`, repeat: 1, examples: [...changeTopics(examples)] }
    }
  }
  yield* readDocumentation(mix)
  for (const name of listSets(join(dataDir, 'data'), '.jsonl')) {
    const rule = mix.sets[name.replace(/^\d_/, '')]
    if (!rule) continue
    const rows = readLines(join(dataDir, 'data'), `${name}.jsonl`).map((line) => JSON.parse(line) as Row)
    yield { name, repeat: rule.repeat, ...readPublic(sample(rows, rule.most)) }
  }
}

interface Row {
  q: string
  context?: string
  title?: string
  doc?: string
  answers?: string[]
  starts?: number[]
  answerable?: boolean
  history?: { role: string; text: string }[]
  pos?: string[]
  neg?: string[]
}

function readPublic(rows: Row[]): Pick<TrainingSet, 'examples' | 'wrong'> {
  const examples: Example[] = []
  const wrong: ReaderPassage[][] = []
  for (const { q, context, title = '', doc, answers, starts, answerable, history = [], pos = [], neg = [] } of rows) {
    const earlier = history.filter(({ role }) => role === 'user').map(({ text }) => text)
    const plain = (text: string): ReaderPassage => ({ title: '', headings: [], text })
    if (context !== undefined) {
      const start = starts?.[0] ?? -1
      const answerRange = start >= 0 ? { start, end: start + (answers?.[0]?.length ?? 0) } : ('whole' as const)
      const passage = { title, headings: [], text: context }
      const family = doc ?? title
      examples.push({
        question: q,
        earlier,
        passage,
        family,
        language: 'en',
        ...(answerable ? { answer: answerRange } : {}),
      })
      wrong.push([])
    } else {
      for (const right of pos.slice(0, 2)) {
        examples.push({ question: q, earlier, passage: plain(right), answer: 'whole', family: '', language: 'en' })
        wrong.push(neg.slice(0, 8).map(plain))
      }
    }
  }
  return { examples, wrong }
}

function* readWritten(folder: string, name: string): Generator<Example> {
  const language = name.includes('/') ? name.slice(0, 2) : 'en'
  const pages = new Map<string, { passage: ReaderPassage; family: string; markdown: string }>()
  for (const line of readLines(folder, `${name}.jsonl`)) {
    const { id, title, heading, text, company, doc } = JSON.parse(line) as Record<string, string>
    const plainText = textOfBlocks(parseMarkdown(text ?? ''))
    const passage = { title: title ?? '', headings: (heading ?? '').split(' > '), text: plainText }
    pages.set(id ?? '', { passage, family: company ?? doc ?? name, markdown: text ?? '' })
  }
  for (const [number, line] of readLines(folder, `${name}.tsv`).entries()) {
    const [id = '', question = '', answer = '', sign] = line.split('\t')
    const page = pages.get(id)
    if (!page || answer === '') continue
    const label = sign ?? polarity.get(`${name}:${number}`)
    yield example({ asked: question, passage: page.passage, family: page.family, language, answer, sign: label })
  }
}

interface WrittenQuestion {
  /** Earlier questions of the dialogue come first, separated by `|||`. */
  asked: string
  /** Copied from the passage; `-` for a near miss, `--` where no passage of the family answers. */
  answer: string
  /** `y` or `n`. */
  sign: string | undefined
  passage: ReaderPassage
  family: string
  language: string
}

function example({ asked, answer, sign, passage, family, language }: WrittenQuestion): Example {
  const turns = asked.split('|||').map((turn) => turn.trim())
  const span =
    answer.startsWith('-') && answer.length < 3 ? undefined : (findAnswer(passage.text, answer) ?? ('whole' as const))
  const label = sign === undefined ? undefined : { y: 1, n: 0 }[sign.trim()]
  return {
    question: turns.at(-1) ?? '',
    earlier: turns.slice(0, -1),
    passage,
    family,
    language,
    ...(span ? { answer: span } : {}),
    ...(answer === '--' ? { isAnsweredNowhere: true } : {}),
    ...(label === undefined ? {} : { polarity: label }),
  }
}

/** Questions on public documentation, whose texts are not in this repository. */
function* readDocumentation({ written }: Mix): Generator<TrainingSet> {
  const pages = readJsonLines<{ r: string; d: string; t: string; s: [string, string][] }>(
    join(dataDir, 'docs'),
    'docs.jsonl',
  )
  const examples = readOwn('documentation').flatMap(([place = '', question = '', answer = '', sign]): Example[] => {
    const [page, section] = place.split('.').map(Number) as [number, number]
    const { r, d, t, s } = pages[page] as (typeof pages)[number]
    const [heading, text] = s[section] as [string, string]
    const [from, to] = answer.split(':').map(Number)
    const passage = { title: t, headings: heading.split(' > '), text: textOfBlocks(parseMarkdown(text)) }
    const answerText = text.slice(from, to).replaceAll('\n', '|')
    return [
      example({
        asked: question,
        passage,
        family: `${r}/${d}`,
        language: 'en',
        answer: answer === '-' ? answer : answerText,
        sign,
      }),
    ]
  })
  yield { name: 'written documentation', repeat: written, examples }
  yield* readTranslated(written)
}

/** Questions in several languages on sections of documentation that exist in them, aligned sentence by sentence. */
function* readTranslated(repeat: number): Generator<TrainingSet> {
  const english: Section[] = []
  const translations = new Map<string, Section>()
  for (const [language, ...rest] of readJsonLines<[string, ...(string | number)[]]>(
    join(dataDir, 'parallel'),
    'parallel.jsonl',
  )) {
    if (language === 'en') english.push(rest as string[] as Section)
    else translations.set(`${language} ${rest[0]}`, rest.slice(1) as string[] as Section)
  }
  const rows = readOwn('translated')
  for (const [language, pageLanguage] of LANGUAGES.flatMap((questionLanguage) =>
    [...new Set([questionLanguage, 'en'])].map((pageLanguage) => [questionLanguage, pageLanguage] as const),
  )) {
    const examples = rows.flatMap(([number = '', answer = '', sign, ...questions]): Example[] => {
      const original = english[Number(number)] as Section
      const section = pageLanguage === 'en' ? original : translations.get(`${pageLanguage} ${number}`)
      const question = questions[LANGUAGES.indexOf(language)]
      if (!section || !question) return []
      const [title, heading, text] = section
      const sentences = sentencesOf(text)
      if (sentences.length !== sentencesOf(original[2]).length) return []
      const [from = 0, to = from] = answer.split('-').map(Number)
      const answerText = answer === '-' ? answer : sentences.slice(from, to + 1).join('|')
      const passage = { title, headings: [heading], text: textOfBlocks(parseMarkdown(text)) }
      // Windows of neighbouring sections: the texts that are easy to mix up.
      const family = `translated ${Math.floor(Number(number) / 110)}`
      const unit = `section ${number}`
      return [
        {
          ...example({ asked: question, passage, family, language, answer: answerText, sign: sign || undefined }),
          unit,
        },
      ]
    })
    const isAcross = language !== pageLanguage
    const name = `${isAcross ? 'across' : 'written'} ${language}/translated`
    yield { name, repeat: isAcross ? 1 : repeat, examples }
  }
}

/** Title, heading, text. */
type Section = [string, string, string]

function sentencesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.flatMap((line) =>
    line
      .trim()
      .split(/(?<=[.!?])\s+(?=[A-ZÀ-ÖØ-Þ"'(\d¿¡«„“])/u)
      .filter(Boolean),
  )
}

function readOwn(name: string): string[][] {
  return readLines(fileURLToPath(new URL('./questions', import.meta.url)), `${name}.tsv`).map((line) =>
    line.split('\t'),
  )
}

/** Dialogues made of two questions: the earlier question must not make its passage the answer to the current one. */
function* changeTopics(examples: Example[]): Generator<Example> {
  const alone = examples.filter(({ answer, earlier }) => answer !== undefined && earlier.length === 0)
  const companies = Map.groupBy(alone, ({ family }) => family)
  for (const [index, example] of alone.entries()) {
    if (index % 3 === 2) continue
    const pool = index % 3 === 0 ? (companies.get(example.family) ?? []) : alone
    const earlier = pool[crc32(example.question) % pool.length] as Example
    if (earlier.passage === example.passage) continue
    const isSameCompany = earlier.family === example.family
    const followUp = { ...example, earlier: [earlier.question] }
    const { answer: _answer, polarity: _polarity, ...unanswered } = followUp
    if (isSameCompany) yield followUp
    yield { ...unanswered, passage: earlier.passage, family: earlier.family }
  }
}

function spanTokens({ answer, passage }: Example): [number, number] {
  if (answer === undefined || answer === 'whole') return [-1, -1]
  const { textFrom, starts, ends } = passageTokens(passage, tokenize)
  const first = ends.findIndex((end) => end > answer.start)
  const last = starts.findLastIndex((start) => start < answer.end)
  return first < 0 || last < first ? [-1, -1] : [textFrom + first, textFrom + last]
}

function questionNumber({ question, earlier, language }: Example): number {
  const key = [language, question, ...earlier].join('\u0000')
  const knownNumber = questionNumbers.get(key)
  if (knownNumber !== undefined) return knownNumber
  const text = language === 'en' ? expandChatSpelling(question, 'en') : question
  questions.push(questionTokens({ text, earlier }, tokenize))
  questionNumbers.set(key, questions.length - 1)
  return questions.length - 1
}

function passageNumber(passage: ReaderPassage, family: number): number {
  const key = [passage.title, ...passage.headings, passage.text].join('\u0000')
  const knownNumber = passageNumbers.get(key)
  if (knownNumber !== undefined) return knownNumber
  const { ids, textFrom } = passageTokens(passage, tokenize)
  passages.push({ ids, textFrom, family })
  passageNumbers.set(key, passages.length - 1)
  return passages.length - 1
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const knownNumber = numbers.get(name)
  if (knownNumber !== undefined) return knownNumber
  numbers.set(name, numbers.size)
  return numbers.size - 1
}

function listSets(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).map((file) => basename(file, '.xz'))
  return [...new Set(names.filter((name) => name.endsWith(ending)).map((name) => basename(name, ending)))]
    .filter((name) => !['polarity', 'documentation', 'translated'].includes(name))
    .sort()
}

function readPolarity(file: URL): Map<string, string> {
  if (!existsSync(file)) return new Map()
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
  return new Map(rows.flatMap(([id = '', label = '']) => (label === 'x' ? [] : [[id, label] as const])))
}

/** A deterministic, evenly spaced sample. */
function sample<T>(rows: T[], most: number): T[] {
  const step = Math.max(1, rows.length / most)
  return Array.from({ length: Math.min(most, rows.length) }, (_, index) => rows[Math.floor(index * step)] as T)
}
