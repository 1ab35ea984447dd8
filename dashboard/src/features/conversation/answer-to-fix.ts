import type { ConversationMessage } from '@docent/contract'

/** What came close, after "I’m not sure", or that nothing did, is no start for a better answer. */
const NOT_SURE: ReadonlySet<string> = new Set(['suggest', 'fall_back'])

/** The text that a curated answer in place of a reply starts with. */
export function answerToFix({ text, decision }: Pick<ConversationMessage, 'text' | 'decision'>): string {
  return NOT_SURE.has(decision ?? '') ? '' : text
}
