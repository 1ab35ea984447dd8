// Evidence for and against the answer being right, each scaled to about 0 to 1.
import { inAnyLanguage } from '../../language/languages.ts'
import { containsType } from '../compose/answer-type.ts'
import type { ComposedAnswer } from '../compose/compose-answer.ts'
import { coverage, isNamedTerm, termIn, textWords } from '../compose/question-terms.ts'
import { denies, saysOpposite } from '../compose/units.ts'
import type { Hit, Question, Signals, Term } from '../types.ts'

export interface ConfidenceFeatures {
  /** Retrieval signals of the first hit. */
  words: number
  grams: number
  sentence: number
  coverage: number
  pairs: number
  vector: number
  /** Lead of the first hit over the best other passage. */
  margin: number
  wordsMargin: number
  gramsMargin: number
  vectorMargin: number
  /** Share of the signals that rank this hit first. */
  agreement: number
  /** Other hits that score nearly as high. */
  rivals: number
  /** Share of the question that the answering sentence covers. */
  sentenceCover: number
  /** Probability of that sentence within its passage. */
  sentenceShare: number
  /** Whether the answer has the kind of thing the question asks for, or lacks it. */
  typeHeld: number
  typeMissing: number
  /** Weight of the heaviest term missing from the passage, and share of all missing terms. */
  heaviestMissing: number
  rareMissing: number
  /** Share of the question's names and numbers missing from the passage, and from the answering sentence. */
  namesMissing: number
  namesMissingInSentence: number
  /** Share of terms in none of the bot's passages, with nothing similar in this one. */
  unknown: number
  /** The question is negated and the sentence is not. */
  denialAsked: number
  /** The sentence has the opposite of a word in the question: "before" for "after". */
  opposite: number
  /** Weight of the heaviest term missing from the answering sentence. */
  heaviestMissingInSentence: number
  /** Share of the question that the answering sentence and its neighbours cover. */
  answerCover: number
  /** Length of the passage, on a logarithmic scale. */
  lengthy: number
  /** The question asks how or why; it is addressed from one person to another. */
  manner: number
  personal: number
  foreign: number
  /** How much the question depends on earlier turns, and how much the passage matches them. */
  leaning: number
  discussed: number
  short: number
  long: number
}

const SIGNALS_COMPARED = ['words', 'grams', 'sentence', 'coverage', 'vector'] as const satisfies (keyof Signals)[]

const PERSONAL = new RegExp(String.raw`\b(?:${inAnyLanguage(({ questions }) => questions.personal)})\b`, 'i')

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
  const missingTerms = terms.filter((term) => termIn(term, whole) === 0)
  // "My code does not work" is answered by sentences with fewer negations, or opposite ones.
  const isPersonal = PERSONAL.test(question.text)
  const names = terms.filter((term) => isNamedTerm(term, question.text, question.language))
  const typeMatch = containsType(type, answer.text, question.text, question.language)
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
    typeHeld: typeMatch === 1 ? 1 : 0,
    typeMissing: typeMatch === 0 ? 1 : 0,
    heaviestMissing: Math.max(0, ...missingTerms.map((term) => term.weight)),
    rareMissing: shareOfWeight(missingTerms, terms),
    namesMissing: names.length === 0 ? 0 : names.filter((term) => termIn(term, whole) === 0).length / names.length,
    namesMissingInSentence:
      names.length === 0 ? 0 : names.filter((term) => termIn(term, sentence) === 0).length / names.length,
    unknown: missingTerms.filter((term) => question.knows?.(term.stem) === false).length / Math.max(1, terms.length),
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
  const present = SIGNALS_COMPARED.filter(
    (name) => lead.signals[name] > 0 || others.some((hit) => hit.signals[name] > 0),
  )
  const agreeingSignals = present.filter((name) => others.every((hit) => hit.signals[name] <= lead.signals[name]))
  return present.length === 0 ? 0 : agreeingSignals.length / present.length
}

function shareOfWeight(some: readonly Term[], all: readonly Term[]): number {
  const sum = (terms: readonly Term[]) => terms.reduce((total, term) => total + term.weight ** 2, 0)
  return all.length === 0 ? 0 : sum(some) / sum(all)
}
