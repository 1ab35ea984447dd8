import { OneOf } from '../schema.ts'

export const decisions = ['answer', 'suggest', 'fall_back', 'curated', 'product', 'small_talk', 'person'] as const
export type Decision = (typeof decisions)[number]

/** How a reply came about. */
export const DecisionField = OneOf(decisions, {
  description:
    'Why it answered so: from the content (`answer`), with too little confidence (`suggest`: other questions are offered), not at all (`fall_back`), in words of a curated answer, from the products, as small talk, or because a person was asked for.',
})
