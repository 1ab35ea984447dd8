// Turns a piece of a page into chat text: without leftovers of its markup, and without what means nothing in a chat.
import { patternByLanguage } from '../../language/languages.ts'

const callToAction = patternByLanguage(({ sentences }) => sentences.callToAction)

export function cleanText(text: string): string {
  return text
    .replace(/^[ \t]*#{1,6}[ \t]+(.+)$/gm, '**$1**')
    .replace(/^(?:A|Answer)\s*[:.]\s+/, '')
    .replace(/\s*(?:\(\s*\)|\[\s*\](?!\()|“\s*”)/g, '')
    .replace(/:::\s*\w*|\{[%#{][^}\n]*[%#}]?\}/g, '')
    .replace(/[ \t]+([,.;])(?=\s|$)/g, '$1')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** "Learn more about billing." or "Upgrade now." after the answer. */
export function isCallToAction(sentence: string, language: string): boolean {
  return callToAction(language)?.test(sentence.trim()) ?? false
}
