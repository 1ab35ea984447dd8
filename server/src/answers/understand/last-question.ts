// The last of several messages that asks something: neither small talk nor a request for a person.
import { languageOrEnglish } from '../../language/languages.ts'
import { asksForPerson } from './asks-for-person.ts'
import { questionText } from './question-text.ts'
import { smallTalk } from './small-talk.ts'

/** The place of the message in the list, -1 if none asks anything. */
export function lastQuestion(texts: readonly string[], language: string): number {
  const textLanguage = languageOrEnglish(language)
  return texts.map(questionText).findLastIndex((text) => {
    const talk = smallTalk(text, textLanguage)
    return !(talk && !talk.rest) && !asksForPerson(text, textLanguage) && /\p{L}{2}/u.test(text)
  })
}
