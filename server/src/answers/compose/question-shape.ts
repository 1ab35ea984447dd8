// What shape of answer a question wants.
import { byLanguage, languageData, languageOrEnglish, patternByLanguage } from '../../language/languages.ts'
import { isFrameWord } from '../../language/question-words.ts'
import type { Question, Term } from '../types.ts'

export type QuestionShape = 'yesNo' | 'howTo' | 'list' | 'fact' | 'topic' | 'open'

const asksYesOrNo = patternByLanguage(({ questions }) => questions.expects?.yesNoQuestion)
const asksForSeveral = patternByLanguage(({ questions }) => questions.expects?.severalThings)
const asksForOne = patternByLanguage(({ questions }) => questions.expects?.oneThing)
const asksHow = patternByLanguage(({ questions }) => questions.answerTypes?.manner)

const comparison = patternByLanguage(({ questions }) => questions.expects?.comparison)

const TOPIC_WORDS = 2

/** The words of a question that only names a subject, "what is your return policy"; none if it asks something about it. */
export function topicTerms(question: Question): Term[] {
  const shape = questionShape(question)
  if (shape !== 'topic' && shape !== 'open') return []
  const terms = question.terms.filter(({ word }) => !isFrameWord(word, question.language))
  return terms.length <= TOPIC_WORDS ? terms : []
}

export function questionShape({ text, language, stems }: Question): QuestionShape {
  const isBrief = stems.length <= TOPIC_WORDS && text.trim().split(/\s+/).length <= TOPIC_WORDS
  if (isBrief && !asksHow(language)?.test(text) && !asksBriefly(text, language)) return 'topic'
  if (asksForOne(language)?.test(text)) return 'fact'
  if (asksHow(language)?.test(text)) return 'howTo'
  if (asksForSeveral(language)?.test(text)) return 'list'
  if (asksYesOrNo(language)?.test(text) && questionParts(text, language).length === 1) return 'yesNo'
  return stems.length <= TOPIC_WORDS && !/[?？؟]\s*$/.test(text) ? 'topic' : 'open'
}

/** "Kiedy otwieracie?" and "返品できますか？" are whole questions, of two words or without spaces. */
function asksBriefly(text: string, language: string): boolean {
  if (!languageData[languageOrEnglish(language)].asksAnywhere) return false
  return [asksForOne, asksForSeveral, asksYesOrNo].some((pattern) => pattern(language)?.test(text))
}

/** "Express or standard?" Whether it names two things must be seen from the content. */
export function mayCompare({ own, text, language }: Question): boolean {
  return comparison(language)?.test(own?.text ?? text) ?? false
}

/** The words that may name a side of a comparison: not "difference" itself. */
export function comparedTerms({ own, terms, language }: Question): Term[] {
  return (own?.terms ?? terms).filter(({ word }) => !comparison(language)?.test(word))
}

const clauses = byLanguage(({ questions: { clauseStart, clauseJoin } }) => {
  if (clauseStart === undefined || clauseJoin === undefined) return undefined
  return {
    joint: new RegExp(String.raw`[,;]?\s+(?:${clauseJoin})\s+(?=(?:${clauseStart})(?![\p{L}]))`, 'iu'),
    asks: new RegExp(String.raw`(?<!\p{L})(?:${clauseStart})(?!\p{L})`, 'iu'),
  }
})

/** The questions in a message, at most three; usually one. */
export function questionParts(text: string, language: string): string[] {
  const joint = clauses(language)?.joint
  const parts = text
    .split(/(?<=[?？؟])\s*/u)
    .flatMap((part) => (joint ? part.split(joint) : [part]))
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2}/u.test(part))
  return parts.length < 2 || parts.length > 3 ? [text] : parts
}

/** The clauses of a message that ask something, without the text around them; the whole text if none does. */
export function askingText(text: string, language: string): string {
  const asks = clauses(language)?.asks
  if (!asks) return text
  const asking = text.split(/(?<=[,;.!?])\s+/).filter((clause) => asks.test(clause))
  return asking.length > 0 ? asking.join(' ') : text
}
