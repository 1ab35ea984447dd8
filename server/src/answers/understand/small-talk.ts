// Recognises small talk: greetings, thanks, "are you a robot?". A greeting before a real question is removed, so that
// "hi, how long is delivery?" is searched as "how long is delivery?".

import { foldPhrase } from '../../language/fold.ts'
import { inAnyLanguage, type Language, languageData, languages, phrasesOf } from '../../language/languages.ts'
import { SMALL_TALK_KINDS, type SmallTalkKind, type Tone } from '../../language/schema.ts'

interface SmallTalk {
  kind: SmallTalkKind
  language: Language
  /** What remains to be answered; empty if the whole message was small talk. */
  rest: string
}

interface Phrase {
  text: string
  /** Undefined for a filler. */
  kind: SmallTalkKind | undefined
  /** Position in its list: the first phrases are the most typical of the language. */
  rank: number
  /** Denies or asks what is said with it. */
  isNoPraise: boolean
}

interface Match {
  kind: SmallTalkKind
  rank: number
}

// Which kind wins if a message has several: "hello, are you a robot?" asks about the robot, and "you are a useless bot"
// asks nothing.
const IMPORTANCE: SmallTalkKind[] = [
  'insult',
  'are_you_a_robot',
  'who_are_you',
  'help',
  'how_are_you',
  'bye',
  'thanks',
  'praise',
  'hello',
  'acknowledgement',
]

const SAID_EVERYWHERE = new Set<SmallTalkKind>(['hello', 'thanks', 'bye'])

const greetsOnlyAlone = new Set(phrasesOf(inAnyLanguage(({ smallTalk }) => smallTalk.greetsOnlyAlone)))

const noPraise = new Set(phrasesOf(inAnyLanguage(({ smallTalk }) => smallTalk.phrases.noPraise)).map(foldPhrase))

const separatorOf = (language: Language) => (languageData[language].isUnspaced ? '' : ' ')

// By first letter, so that a message is compared with a few phrases instead of hundreds.
const tables = new Map<Language, Map<string, Phrase[]>>(
  languages.map((language) => [language, Map.groupBy(compile(language), ({ text }) => text.charAt(0))]),
)

const phrasesFor = (language: Language, message: string): Phrase[] => tables.get(language)?.get(message.charAt(0)) ?? []

export function smallTalk(text: string, language?: Language): SmallTalk | undefined {
  const order = language ? [language, ...languages.filter((other) => other !== language)] : languages
  const whole =
    wholeMessage(text, order, language) ?? wholeMessage(text.replace(/(\p{L})\1{2,}/gu, '$1'), order, language)
  return whole ?? praiseAfterNo(text, order, language) ?? leadingGreeting(text, order)
}

export function smallTalkReply(kind: SmallTalkKind, language: Language, tone: Tone, botName: string): string {
  // A function, because "$&" in a name would be interpreted as a replacement pattern.
  return languageData[language].smallTalk.replies[tone][kind].replaceAll('{bot}', () => botName)
}

function wholeMessage(
  text: string,
  order: readonly Language[],
  preferredLanguage: Language | undefined,
): SmallTalk | undefined {
  if (text.length > 120) return undefined
  const foldedText = foldPhrase(text)
  const isAsked = /[?？؟¿]/.test(text)
  let best: { match: Match; language: Language } | undefined
  for (const language of order) {
    const match = readWhole(foldedText, language)
    if (!match || (isAsked && match.kind === 'praise')) continue
    if (language === preferredLanguage) return { kind: match.kind, language, rest: '' }
    // "fan" and "top" mean something else in another language; greetings are the same everywhere.
    if (preferredLanguage && !SAID_EVERYWHERE.has(match.kind)) continue
    if (!best || match.rank < best.match.rank) best = { match, language }
  }
  return best && { kind: best.match.kind, language: best.language, rest: '' }
}

// Consumes phrases and fillers from the left, longest first; nothing may remain.
function readWhole(foldedText: string, language: Language): Match | undefined {
  const separator = separatorOf(language)
  let rest = separator ? foldedText : foldedText.replaceAll(' ', '')
  let best: Match | undefined
  let isNoPraise = false
  while (rest) {
    const phrase = phrasesFor(language, rest).find(({ text }) => startsWithPhrase(rest, text, separator))
    if (!phrase) return undefined
    if (phrase.kind && (!best || IMPORTANCE.indexOf(phrase.kind) < IMPORTANCE.indexOf(best.kind)))
      best = { kind: phrase.kind, rank: phrase.rank }
    isNoPraise ||= phrase.isNoPraise
    rest = rest.slice(phrase.text.length).trimStart()
  }
  return isNoPraise && best?.kind === 'praise' ? undefined : best
}

// "No, that's perfect" only declines an offer of more help.
function praiseAfterNo(
  text: string,
  order: readonly Language[],
  preferredLanguage: Language | undefined,
): SmallTalk | undefined {
  const [, opening = '', rest = ''] = /^([^,.;!…،。、，]{1,20})[,.;!…،。、，]+\s*(?=\S)(.*)$/su.exec(text) ?? []
  return noPraise.has(foldPhrase(opening)) ? wholeMessage(rest, order, preferredLanguage) : undefined
}

function leadingGreeting(text: string, order: readonly Language[]): SmallTalk | undefined {
  // The text before the first pause, if all of it is small talk: "Good morning everyone! Where …"
  const pause = /^([^.,;!?:\n。、,!?،؟–—]{1,60}?)([.,;!?:\n。、,!?،؟–—]+|\s-\s)\s*(?=\S)/u.exec(text)
  if (pause?.[1]) {
    const head = wholeMessage(pause[1], order, order[0])
    const rest = text.slice(pause[0].length)
    if (head && head.kind !== 'help' && foldPhrase(rest)) {
      // Several in a row: "Hello! How are you? I have a question about …"
      const more = leadingGreeting(rest, order)
      return more?.rest ? { ...head, rest: more.rest } : { ...head, rest }
    }
  }
  return greetingWithoutPause(text, order)
}

// "hello how long is delivery": only plain greetings, and not before a name ("Hello Kitty").
function greetingWithoutPause(text: string, order: readonly Language[]): SmallTalk | undefined {
  const foldedText = foldPhrase(text)
  let best: { found: SmallTalk; length: number } | undefined
  for (const language of order) {
    const separator = separatorOf(language)
    const phrase = phrasesFor(language, foldedText).find(
      ({ text: candidate, kind }) =>
        kind === 'hello' && candidate.length > 1 && startsWithPhrase(foldedText, candidate, separator),
    )
    // "Hi" is in the Chinese list too, but without word boundaries it would match "Hilfe".
    if (separator === '' && /^[a-z]/.test(phrase?.text ?? '')) continue
    if (!phrase?.kind || greetsOnlyAlone.has(phrase.text) || phrase.text.length <= (best?.length ?? 0)) continue
    const rest = dropFolded(text, phrase.text, separator)
    if (!rest || (separator && /^\p{Lu}\p{Ll}/u.test(rest) && /^\p{Lu}/u.test(text) && !/[?？؟]/.test(rest))) continue
    best = { found: { kind: phrase.kind, language, rest }, length: phrase.text.length }
  }
  return best?.found
}

// Folding changes lengths, so cut the original at the first position whose fold equals the phrase.
function dropFolded(text: string, phrase: string, separator: string): string {
  for (let end = 1; end < text.length; end++) {
    if (foldPhrase(text.slice(0, end)) !== phrase) continue
    if (separator && /^[\p{L}\p{N}\p{M}'’]/u.test(text.slice(end))) continue
    return text.slice(end).replace(/^[^\p{L}\p{N}¿]+/u, '')
  }
  return ''
}

function startsWithPhrase(rest: string, phrase: string, separator: string): boolean {
  return rest.startsWith(phrase) && (separator === '' || rest.length === phrase.length || rest[phrase.length] === ' ')
}

function compile(language: Language): Phrase[] {
  const table = languageData[language].smallTalk.phrases
  const separator = separatorOf(language)
  const folded = (list: string | undefined) =>
    phrasesOf(list).map((text) => (separator ? foldPhrase(text) : foldPhrase(text).replaceAll(' ', '')))
  const noPraiseTexts = folded(table.noPraise)
  const entries = (texts: string[], kind?: SmallTalkKind): Phrase[] =>
    texts.map((text, rank) => ({ text, kind, rank, isNoPraise: noPraiseTexts.includes(text) }))
  return (
    [
      ...SMALL_TALK_KINDS.flatMap((kind) => entries(folded(table[kind]), kind)),
      ...entries([...folded(table.fillers), ...noPraiseTexts]),
    ]
      .filter(({ text }) => text)
      // Longest first; at equal length, phrases before fillers.
      .sort((a, b) => b.text.length - a.text.length || Number(!a.kind) - Number(!b.kind))
  )
}
