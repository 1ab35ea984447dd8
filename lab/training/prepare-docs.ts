// node lab/training/prepare-docs.ts <data folder> <vocabulary> <output folder> [every n-th section only]: documentation and
// its translations as token ids. A section is `title > heading. text` laid end to end, so that its title, heading,
// sentences and the whole are ranges of it; cuts say where a translation and its English original are at the same point.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTokenizer } from '../../server/src/inference/wordpiece.ts'
import { makeEvaluationFilter } from './evaluation-filter.ts'
import { readJsonLines, readVocabulary } from './tokens.ts'

interface Section {
  language: string
  /** Number of the English section it was translated from. */
  original: number
  title: string
  heading: string
  text: string
}

interface Cut {
  own: number
  english: number
}

const TITLE_TOKENS = 18
const HEADING_TOKENS = 24
const TEXT_TOKENS = 144
const MOST_CUTS = 24
const COMMON = 4
const FULL_STOP = 1012
const GREATER = 1028
const SENTENCE_ENDS = /(?<=[.!?])\s+(?=[\p{Lu}\p{Lo}"'(\d¿¡«„“])|(?<=[。！？।؟])\s*/u

const [dataDir = '', vocabularyFile = '', outDir = '', every = '1'] = process.argv.slice(2)
mkdirSync(outDir, { recursive: true })
const tokenize = makeTokenizer(readVocabulary(vocabularyFile))
const isEvaluated = makeEvaluationFilter(process.env.EVALUATION_SETS ?? '')
const sections = readSections()
const usual = countHeadings()
writeSections()

/** English sections that have translations, those translations by language, other English sections, phrases. */
function readSections(): Section[] {
  const english: Section[] = []
  const translatedSections: Section[] = []
  for (const row of readJsonLines<[string, ...(string | number)[]]>(join(dataDir, 'parallel'), 'parallel.jsonl')) {
    const [language, ...rest] = row
    const original = language === 'en' ? english.length : Number(rest.shift())
    const [title = '', heading = '', text = ''] = rest.map(String)
    const list = language === 'en' ? english : translatedSections
    list.push({ language, original, title, heading, text })
  }
  translatedSections.sort((a, b) => a.language.localeCompare(b.language) || a.original - b.original)
  const allSections = [...english, ...translatedSections]
  const pages = readJsonLines<{ r: string; d: string; t: string; s: [string, string][] }>(
    join(dataDir, 'docs'),
    'docs.jsonl',
  )
  pages.sort((a, b) => `${a.r}/${a.d}`.localeCompare(`${b.r}/${b.d}`))
  for (const { t, s } of pages) {
    for (const [path, text] of s) {
      const heading = path.split(' > ').at(-1) ?? ''
      allSections.push({ language: 'en', original: allSections.length, title: t, heading, text })
    }
  }
  return [...allSections, ...readPhrases(allSections.length)]
}

/** Short texts of everyday life in several languages: a line is an object of texts by language. */
function readPhrases(first: number): Section[] {
  const file = process.env.PHRASES ?? ''
  const phrases: Section[] = []
  for (const { en = '', ...others } of existsSync(file) ? readJsonLines<Record<string, string>>('', file) : []) {
    const original = first + phrases.length
    const phrase = (language: string, text: string) => ({ language, original, title: '', heading: '', text })
    phrases.push(phrase('en', en), ...Object.entries(others).map(([language, text]) => phrase(language, text)))
  }
  return phrases
}

function countHeadings(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { language, heading } of sections) {
    const key = `${language} ${heading.toLowerCase()}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

function writeSections(): void {
  const languages = [...new Set(sections.map(({ language }) => language))]
  const tokens = new Uint16Array(200 * sections.length)
  const columns = {
    length: new Uint16Array(sections.length),
    title: new Uint8Array(sections.length),
    heading: new Uint8Array(sections.length),
    language: new Uint8Array(sections.length),
    original: new Int32Array(sections.length),
    common: new Uint8Array(sections.length),
    cuts: new Uint8Array(sections.length),
  }
  const cuts: Cut[] = []
  const sectionCounts = new Map<string, number>()
  let at = 0
  for (const [number, section] of sections.entries()) {
    const { language, original, heading } = section
    columns.language[number] = languages.indexOf(language)
    columns.original[number] = original
    if (original % Number(every) !== 0 || isLeftOut(section)) continue
    const { ids, title, heading: headingTokens, cuts: sectionCuts } = sectionTokens(section)
    if (sectionCuts.length === 0) continue
    tokens.set(ids, at)
    at += ids.length
    columns.length[number] = ids.length
    columns.title[number] = title
    columns.heading[number] = headingTokens
    columns.common[number] = (usual.get(`${language} ${heading.toLowerCase()}`) ?? 0) > COMMON ? 1 : 0
    columns.cuts[number] = sectionCuts.length
    cuts.push(...sectionCuts)
    sectionCounts.set(language, (sectionCounts.get(language) ?? 0) + ids.length)
  }
  const write = (name: string, values: Uint8Array | Uint16Array | Int32Array) =>
    writeFileSync(join(outDir, name), values)
  write('tokens.u16', tokens.subarray(0, at))
  for (const [name, values] of Object.entries(columns)) write(`${name}.u${8 * values.BYTES_PER_ELEMENT}`, values)
  write(
    'cut_own.u8',
    Uint8Array.from(cuts, ({ own }) => own),
  )
  write(
    'cut_english.u8',
    Uint8Array.from(cuts, ({ english }) => english),
  )
  writeFileSync(join(outDir, 'languages.json'), JSON.stringify(languages))
  const usedSections = columns.length.reduce((count, length) => count + (length > 0 ? 1 : 0), 0)
  console.log(`${usedSections} of ${sections.length} sections, ${at} tokens, ${cuts.length} cuts`)
  console.log([...sectionCounts].map(([language, count]) => `${language} ${count}`).join(', '))
}

function isLeftOut({ title, heading, text, original }: Section): boolean {
  const english = sections[original]
  if (text.trim() === '' || english === undefined || english.text.trim() === '') return true
  return (
    isEvaluated(heading || title || text, text) ||
    (english.text !== text && isEvaluated(english.heading || 'none', english.text))
  )
}

function sectionTokens(section: Section) {
  const { title, heading, text, original } = section
  const isNamed = heading.trim() !== '' && heading.trim().toLowerCase() !== title.trim().toLowerCase()
  const titleIds = tokenize(clean(title), TITLE_TOKENS).ids
  const headingIds = isNamed ? tokenize(clean(heading), HEADING_TOKENS).ids : []
  const head = [...titleIds, ...(titleIds.length > 0 && headingIds.length > 0 ? [GREATER] : []), ...headingIds]
  if (head.length > 0) head.push(FULL_STOP)
  const english = sections[original] as Section
  const { ids, cuts } = english === section ? alone(text) : together(text, english.text)
  return { ids: [...head, ...ids], title: titleIds.length, heading: headingIds.length, cuts }
}

function alone(text: string): { ids: number[]; cuts: Cut[] } {
  const ends: number[] = []
  const ids: number[] = []
  for (const sentence of linesOf(text).flat()) {
    ids.push(...tokenize(sentence, TEXT_TOKENS).ids)
    ends.push(Math.min(ids.length, TEXT_TOKENS))
    if (ids.length >= TEXT_TOKENS) break
  }
  const cuts = [...new Set(ends)].filter((end) => end > 0).slice(0, MOST_CUTS)
  return { ids: ids.slice(0, cuts.at(-1) ?? 0), cuts: cuts.map((end) => ({ own: end, english: end })) }
}

/** The translation, as far as it goes along with what is kept of the original. */
function together(text: string, english: string): { ids: number[]; cuts: Cut[] } {
  const englishLength = alone(english).ids.length
  const ids: number[] = []
  const cuts: Cut[] = []
  let [ownAt, englishAt] = [0, 0]
  for (const [ownPart, theirs] of alignedParts(linesOf(text), linesOf(english))) {
    const part = tokenize(ownPart, TEXT_TOKENS).ids
    ids.push(...part)
    ownAt += part.length
    englishAt += tokenize(theirs, TEXT_TOKENS).ids.length
    const isOver = ownAt > TEXT_TOKENS || englishAt > englishLength
    // What was cut off in the middle is still about the same, if nothing shorter is left.
    if (isOver && cuts.length > 0) break
    if (ownAt > 0 && englishAt > 0)
      cuts.push({ own: Math.min(ownAt, TEXT_TOKENS), english: Math.min(englishAt, englishLength) })
    if (isOver || cuts.length === MOST_CUTS) break
  }
  return { ids: ids.slice(0, cuts.at(-1)?.own ?? 0), cuts }
}

/** Pairs of sentences where their number agrees, else of lines, else the whole. */
function alignedParts(ownLines: string[][], english: string[][]): [string, string][] {
  if (ownLines.length === english.length) {
    return ownLines.flatMap((line, at): [string, string][] => {
      const other = english[at] as string[]
      return line.length === other.length
        ? line.map((each, i) => [each, other[i] as string])
        : [[line.join(' '), other.join(' ')]]
    })
  }
  const [ownParts, englishParts] = [ownLines.flat(), english.flat()]
  if (ownParts.length === englishParts.length) return ownParts.map((each, at) => [each, englishParts[at] as string])
  return [[ownParts.join(' '), englishParts.join(' ')]]
}

/** Sentences by line. */
function linesOf(text: string): string[][] {
  return clean(text)
    .split(/\n+/)
    .map((line) =>
      line
        .split(SENTENCE_ENDS)
        .map((each) => each.trim())
        .filter(Boolean),
    )
    .filter(({ length }) => length > 0)
}

/** Without what is left of the pages' markup. */
function clean(text: string): string {
  return text
    .replace(/\[?!INCLUDE\s*\[[^\]]*\]\]?/g, ' ')
    .replace(/\[?!(?:UICONTROL|DNL)\s+([^\]\n]*)\]/g, '$1')
    .replace(/&#?\w{2,8};/g, ' ')
    .replace(/^[>\s]+/gm, '')
    .trim()
}
