import { OneOf } from '../schema.ts'

export const decisions = ['answer', 'suggest', 'fall_back', 'curated', 'product', 'small_talk', 'person'] as const
export type Decision = (typeof decisions)[number]

/** How a reply was produced. */
export const DecisionField = OneOf(decisions, {
  description:
    'How the reply was produced: from the content (`answer`), with low confidence (`suggest`: the reply begins with a hedge), without an answer (`fall_back`), from a curated answer, from the products, as small talk, or because a person was requested.',
})
