// The part of a passage that answers: the marked sentences with the context they need, the whole list or all steps, or
// the rows of a table. Always in the passage's own words.
import { patternByLanguage } from '../../language/languages.ts'
import { sentences } from '../../language/sentences.ts'
import { policy } from '../policy.ts'
import type { Hit, Question } from '../types.ts'
import type { QuestionShape } from './question-shape.ts'
import { tableText } from './tables.ts'
import { BULLET, countWords, type MarkedPart, MORE, type Unit, unitsOf } from './units.ts'

const INTRODUCES = /[:：]\s*$/
/** Ends with a colon, or without any mark: "While the status is 'Received', you can". */
const OPENS_LIST = /(?:[:：,]|[\p{L}\p{N}])\s*$/u
const ENDS_AS_QUESTION = /[?？؟]["'”’)\]]*$/
const connector = patternByLanguage(({ sentences }) => sentences.connector)
const dependentStart = patternByLanguage(({ sentences }) => sentences.dependentStart)
const MOST_BEFORE = 2
const LONGEST_INTRODUCTION = 40
const LONG_ITEM = 30
const FIRST_STEP = /^1[.)]\s/
const STEP_NUMBER = /^\s*\d{1,2}[.)]\s+/

export function excerptOf(hit: Hit, part: MarkedPart, question: Question, shape: QuestionShape, words: number): string {
  const units = unitsOf(hit)
  const text =
    tableText(units, part, hit, question, shape) ??
    itemSentence(units, part, hit, shape) ??
    listText(units, part, hit, shape, words) ??
    proseText(units, part, hit, words)
  const quote = cleanText(text)
  return INTRODUCES.test(quote) ? `${quote}\n${MORE}` : quote
}

/** The units that the reader's span touches. */
export function markedPart(hit: Hit): MarkedPart | undefined {
  const span = hit.reading?.span
  const units = unitsOf(hit)
  if (!span || units.length === 0) return undefined
  const at = (place: number) =>
    Math.max(
      0,
      units.findLastIndex(({ start }) => start <= place),
    )
  const first = at(span.start)
  return withoutInvitations(units, { first, last: Math.max(first, at(span.end - 1)) }, hit.passage.language)
}

/** "Upgrade now." does not answer: what stands beside it may. */
function withoutInvitations(units: Unit[], part: MarkedPart, language: string): MarkedPart | undefined {
  const invites = (unit: Unit | undefined) => unit !== undefined && isInvitation(unit, language)
  let { first, last } = part
  while (first <= last && invites(units[last])) last--
  while (first <= last && invites(units[first])) first++
  if (first <= last) return { first, last }
  const before = units.findLastIndex((unit, at) => at < part.first && !invites(unit))
  const beside = before < 0 ? units.findIndex((unit, at) => at > part.last && !invites(unit)) : before
  return beside < 0 ? undefined : { first: beside, last: beside }
}

/** The text of the marked units alone. */
export function markedText(hit: Hit, { first, last }: MarkedPart): string {
  return unitsOf(hit)
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join(' ')
}

/** Whether the marked part is among numbered steps, or introduces some. */
export function holdsSteps(hit: Hit, part: MarkedPart): boolean {
  const units = unitsOf(hit)
  const list = listAt(units, part, 'howTo')
  return list !== null && units[list.first]?.kind === 'step'
}

function proseText(units: Unit[], part: MarkedPart, { passage }: Hit, words: number): string {
  const { language } = passage
  let { first, last } = withContextBefore(units, part, language)
  const size = () => wordsOf(units, first, last)
  for (let next = units[last + 1]; next; next = units[last + 1]) {
    if (isInvitation(next, language)) break
    if (ENDS_AS_QUESTION.test(next.text) || size() + countWords(next.text) > words) break
    if (INTRODUCES.test(next.text) && wordsOf(units, first, listEnd(units, last + 2)) > words) break
    last++
  }
  while (last > part.last && INTRODUCES.test(units[last]?.text ?? '')) last--
  const isOpen = INTRODUCES.test(units[last]?.text ?? '')
  // What it announces, however long; else its list is elsewhere.
  const announced = units[last + 1]
  if (isOpen && announced && !isInvitation(announced, language)) last++
  else if (isOpen && first < last) last--
  const text = slice(passage.text, units, first, last)
  return first === part.first ? withoutConnector(text, language) : text
}

/** What a marked sentence refers to; after "However, …" only if that does not keep the visitor from the answer. */
function withContextBefore(units: Unit[], { first, last }: MarkedPart, language: string): MarkedPart {
  let from = first
  while (first - from < MOST_BEFORE && dependsOnPrevious(units[from]?.text ?? '', language)) {
    const previous = units[from - 1]
    if (previous?.kind !== 'sentence' || ENDS_AS_QUESTION.test(previous.text)) break
    from--
  }
  const isJoined = connector(language)?.test(units[first]?.text ?? '')
  return { first: isJoined && wordsOf(units, from, first - 1) > policy.beforeWords ? first : from, last }
}

/** "However, they continue to receive donations." opens an answer without its "However". */
function withoutConnector(text: string, language: string): string {
  const [joining] = connector(language)?.exec(text) ?? []
  if (!joining) return text
  const rest = text.slice(joining.length)
  return rest.charAt(0).toLocaleUpperCase(language) + rest.slice(1)
}

/** For one fact in a long step or item: the sentence that states it. */
function itemSentence(
  units: Unit[],
  { first, last }: MarkedPart,
  { passage, reading }: Hit,
  shape: QuestionShape,
): string | null {
  const unit = units[first]
  const span = reading?.span
  if (!unit || unit.kind === 'sentence' || last !== first || !span || !(shape === 'fact' || shape === 'yesNo'))
    return null
  if (countWords(unit.text) < LONG_ITEM) return null
  const spans = sentences(unit.text, passage.language)
  const markedSpans = spans.filter(({ start, end }) => unit.start + start < span.end && unit.start + end > span.start)
  const [opening, closing] = [markedSpans[0], markedSpans.at(-1)]
  return opening && closing
    ? unit.text.slice(opening.start, closing.end).replace(BULLET, '').replace(STEP_NUMBER, '')
    : null
}

/** The list that the marked part belongs to or introduces; null if it is prose. */
function listText(
  units: Unit[],
  part: MarkedPart,
  { passage }: Hit,
  shape: QuestionShape,
  words: number,
): string | null {
  const list = listAt(units, part, shape)
  if (!list) return null
  const { introduction, first } = list
  let { last } = list
  for (let unit = units[last]; unit && last > first && isInvitation(unit, passage.language); unit = units[last]) last--
  const opening = introduction ? [introduction.text] : []
  const lines = units.slice(first, last + 1)
  // A list of one is none.
  if (lines.length === 1 && lines[0])
    return [...opening, lines[0].text.replace(BULLET, '').replace(STEP_NUMBER, '')].join(' ')
  const total = wordsOf(units, first, last) + countWords(introduction?.text ?? '')
  const isWhole = lines.some(({ kind }) => kind === 'step') || shape === 'list' || introduction === units[part.first]
  // Beside another quote there is room for less.
  const room = Math.min(1, words / policy.answerWords)
  const most = Math.max(words, room * (isWhole ? policy.listWords : policy.shortListWords))
  if (total <= most) {
    const [{ text: firstText } = { text: '' }] = lines
    // The steps before it are in another passage of the page.
    const isLaterStep = passage.url !== null && STEP_NUMBER.test(firstText) && !FIRST_STEP.test(firstText)
    return [...opening, ...lines.map(({ text }) => text), ...(isLaterStep ? [MORE] : [])].join('\n')
  }
  const firstTexts = firstLines(lines, most - countWords(opening.join(' ')))
  // What one fact of long steps is about may stand in those that are left out.
  const isShown = part.first < first + firstTexts.length - 1
  if (isWhole && (isShown || shape === 'howTo' || shape === 'list')) return [...opening, ...firstTexts].join('\n')
  const markedTexts = units.slice(Math.max(first, part.first), part.last + 1).map(({ text }) => text)
  if (opening.length > 0 || markedTexts.length > 1) return [...opening, ...markedTexts].join('\n')
  return markedTexts.join('\n').replace(BULLET, '').replace(STEP_NUMBER, '')
}

interface List {
  introduction: Unit | undefined
  first: number
  last: number
}

function listAt(units: Unit[], part: MarkedPart, shape: QuestionShape): List | null {
  let inside = units.findIndex((unit, at) => at >= part.first && at <= part.last && unit.kind !== 'sentence')
  if (inside < 0) inside = listAfter(units, part.last, shape)
  if (inside < 0) return null
  const start = units.findLastIndex(({ kind }, at) => at < inside && kind === 'sentence') + 1
  // Two numbered lists may follow each other.
  const restart = units.findLastIndex(({ text }, at) => at > start && at <= inside && FIRST_STEP.test(text))
  const first = restart > start ? restart : start
  const before = units[first - 1]
  const isIntroduction =
    before &&
    (OPENS_LIST.test(before.text) || first - 1 === part.first) &&
    countWords(before.text) <= LONGEST_INTRODUCTION
  return { introduction: isIntroduction ? before : undefined, first, last: listEnd(units, first) }
}

/** The list that a marked sentence introduces, itself or, for how-tos and lists, with the sentence after it. */
function listAfter(units: Unit[], last: number, shape: QuestionShape): number {
  if (
    units[last + 1] &&
    units[last + 1]?.kind !== 'sentence' &&
    (INTRODUCES.test(units[last]?.text ?? '') || shape === 'howTo' || shape === 'list')
  )
    return last + 1
  if (shape !== 'howTo' && shape !== 'list') return -1
  for (const ahead of [1, 2]) {
    const introduction = units[last + ahead]
    const item = units[last + ahead + 1]
    if (introduction && INTRODUCES.test(introduction.text) && item && item.kind !== 'sentence') return last + ahead + 1
  }
  return -1
}

function listEnd(units: Unit[], first: number): number {
  const next = units.findIndex(
    ({ kind, text }, at) => at >= first && (kind === 'sentence' || (at > first && FIRST_STEP.test(text))),
  )
  return next < 0 ? units.length - 1 : next - 1
}

function firstLines(lines: Unit[], most: number): string[] {
  const visibleLines: string[] = []
  let words = 0
  for (const { text } of lines) {
    words += countWords(text)
    if (visibleLines.length > 0 && words > most) return [...visibleLines, MORE]
    visibleLines.push(text)
  }
  return visibleLines
}

function slice(text: string, units: Unit[], first: number, last: number): string {
  const end = units[last]
  return text.slice(units[first]?.start ?? 0, end ? end.start + end.text.length : undefined)
}

/** Whether a sentence opens with "It", "This", "However" and is unclear without the previous one. */
function dependsOnPrevious(sentence: string, language: string): boolean {
  return dependentStart(language)?.test(sentence.replace(/^["“„«(¿¡]+/, '')) ?? false
}

function wordsOf(units: Unit[], first: number, last: number): number {
  return units.slice(first, last + 1).reduce((sum, { text }) => sum + countWords(text), 0)
}

const callToAction = patternByLanguage(({ sentences }) => sentences.callToAction)

function cleanText(text: string): string {
  return text
    .replace(/^[ \t]*#{1,6}[ \t]+(.+)$/gm, '**$1**')
    .replace(/^(?:A|Answer)\s*[:.]\s+/, '')
    .replace(/\s*(?:\(\s*\)|\[\s*\](?!\()|“\s*”)/g, '')
    .replace(/:::\s*\w*|\{[%#{][^}\n]*[%#}]?\}/g, '')
    .replace(/[ \t]+([,.])(?=\s|$)/g, '$1')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** "Learn more about billing." or "Upgrade now." after the answer. */
export function isCallToAction(sentence: string, language: string): boolean {
  const words = sentence
    .replace(BULLET, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_]/g, '')
  return callToAction(language)?.test(words.trim()) ?? false
}

/** A step may be to log in. */
const isInvitation = ({ kind, text }: Unit, language: string): boolean =>
  kind !== 'step' && isCallToAction(text, language)
