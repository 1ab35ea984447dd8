// What speaks for and against the answer being right, each as a number of about 0 to 1.
import { inAnyLanguage } from '../../language/languages.ts'
import type { ComposedAnswer } from '../compose/composed-answer.ts'
import { isNamed } from '../compose/named-terms.ts'
import { coverage, termIn, textWords } from '../compose/question-terms.ts'
import { holdsType } from '../compose/units/answer-type.ts'
import { denies, saysOpposite } from '../compose/units/says-opposite.ts'
import type { Hit, Question, Signals, Term } from '../types.ts'

export interface ConfidenceFeatures {
  /** Signals of the first hit, as the retrieval core gives them. */
  words: number
  grams: number
  sentence: number
  coverage: number
  pairs: number
  vector: number
  /** Lead of the first hit over the best hit of another passage. */
  margin: number
  wordsMargin: number
  gramsMargin: number
  vectorMargin: number
  /** Share of the signals whose own first hit this is. */
  agreement: number
  /** Further hits that score nearly as high. */
  rivals: number
  /** Share of the question that the answering sentence holds. */
  sentenceCover: number
  /** How surely that sentence is the one of its passage. */
  sentenceShare: number
  /** 1 where the question asks for a kind of thing that the answer holds; 1 where it holds none. */
  typeHeld: number
  typeMissing: number
  /** Weight of the heaviest term that the passage lacks, and share of all that it lacks. */
  heaviestMissing: number
  rareMissing: number
  /** Share of the question's names and numbers that the passage lacks, and that the answering sentence lacks. */
  namesMissing: number
  namesMissingInSentence: number
  /** Share of the terms that no passage of the bot holds, nor anything like them in this one. */
  unknown: number
  /** The question denies and the sentence does not. */
  denialAsked: number
  /** The sentence says the opposite of a word of the question: "before" for "after". */
  opposite: number
  /** Weight of the heaviest term that the answering sentence lacks. */
  heaviestMissingInSentence: number
  /** Share of the question that the answering sentence and its neighbours hold. */
  answerCover: number
  /** How long the passage is, on a logarithmic scale. */
  lengthy: number
  /** The question asks how or why; it is asked from one person to another. */
  manner: number
  personal: number
  foreign: number
  /** How much the question leans on earlier turns, and how much the passage is what they spoke of. */
  leaning: number
  discussed: number
  short: number
  long: number
}

const signalsCompared = ['words', 'grams', 'sentence', 'coverage', 'vector'] as const satisfies (keyof Signals)[]

const personal = new RegExp(String.raw`\b(?:${inAnyLanguage(({ questions }) => questions.personal)})\b`, 'i')

export function confidenceFeatures(
  question: Question,
  hits: readonly Hit[],
  answer: ComposedAnswer,
): ConfidenceFeatures | undefined {
  const lead = answer.used[0]
  if (!lead || !answer.best) return undefined
  const { signals, passage } = lead
  const { terms, answerType: type } = question
  const others = hits.filter((hit) => hit !== lead)
  const phrasings = [passage.title, ...passage.headings, ...(passage.questions ?? [])]
  const whole = textWords([...phrasings, passage.text].join('\n'), question.language)
  const sentence = textWords([...phrasings, answer.best.text].join('\n'), question.language)
  const missing = terms.filter((term) => termIn(term, whole) === 0)
  // "My code does not work" and "are you open on Sundays" are answered by sentences that deny less, or the opposite.
  const isPersonal = personal.test(question.text)
  const names = terms.filter((term) => isNamed(term, question.text, question.language))
  const held = holdsType(type, answer.text, question.text, question.language)
  return {
    words: signals.words,
    grams: signals.grams,
    sentence: signals.sentence,
    coverage: signals.coverage,
    pairs: signals.pairs,
    vector: signals.vector,
    margin: lead.score - Math.max(0, ...others.map((hit) => hit.score)),
    wordsMargin: signals.words - Math.max(0, ...others.map((hit) => hit.signals.words)),
    gramsMargin: signals.grams - Math.max(0, ...others.map((hit) => hit.signals.grams)),
    vectorMargin: signals.vector - Math.max(0, ...others.map((hit) => hit.signals.vector)),
    agreement: agreement(lead, others),
    rivals: others.filter((hit) => hit.score > lead.score * 0.8).length / 7,
    sentenceCover: coverage(terms, sentence),
    sentenceShare: answer.best.share,
    typeHeld: held === 1 ? 1 : 0,
    typeMissing: held === 0 ? 1 : 0,
    heaviestMissing: Math.max(0, ...missing.map((term) => term.weight)),
    rareMissing: shareOfWeight(missing, terms),
    namesMissing: names.length === 0 ? 0 : names.filter((term) => termIn(term, whole) === 0).length / names.length,
    namesMissingInSentence:
      names.length === 0 ? 0 : names.filter((term) => termIn(term, sentence) === 0).length / names.length,
    unknown: missing.filter((term) => question.knows?.(term.stem) === false).length / Math.max(1, terms.length),
    denialAsked: !isPersonal && denies(question.text) && !denies(answer.best.text) ? 1 : 0,
    opposite: !isPersonal && saysOpposite(question.text, answer.best.text) ? 1 : 0,
    heaviestMissingInSentence: Math.max(
      0,
      ...terms.filter((term) => termIn(term, sentence) === 0).map((term) => term.weight),
    ),
    answerCover: coverage(terms, textWords(answer.text, question.language)),
    lengthy: Math.min(1, Math.log(1 + whole.count) / 6),
    manner: type === 'manner' || type === 'reason' ? 1 : 0,
    personal: isPersonal ? 1 : 0,
    foreign: passage.language.slice(0, 2) === question.language.slice(0, 2) ? 0 : 1,
    leaning: question.leaning ?? 0,
    discussed: question.discussed ?? 0,
    short: Math.max(0, 3 - terms.length) / 3,
    long: Math.min(1, Math.max(0, terms.length - 5) / 8),
  }
}

function agreement(lead: Hit, others: Hit[]): number {
  const present = signalsCompared.filter(
    (name) => lead.signals[name] > 0 || others.some((hit) => hit.signals[name] > 0),
  )
  const agreeing = present.filter((name) => others.every((hit) => hit.signals[name] <= lead.signals[name]))
  return present.length === 0 ? 0 : agreeing.length / present.length
}

function shareOfWeight(some: readonly Term[], all: readonly Term[]): number {
  const sum = (terms: readonly Term[]) => terms.reduce((total, term) => total + term.weight ** 2, 0)
  return all.length === 0 ? 0 : sum(some) / sum(all)
}
