import type { actions } from './en/actions.ts'
import type * as audit from './en/audit.ts'
import type * as conversation from './en/conversation.ts'
import type { feeds } from './en/feeds.ts'
import type { flows } from './en/flows.ts'
import type { home } from './en/home.ts'
import type { identity } from './en/identity.ts'
import type * as insights from './en/insights.ts'
import type * as languageModel from './en/language-model.ts'
import type { newBot } from './en/new-bot.ts'
import type { queue } from './en/queue.ts'
import type * as studio from './en/studio.ts'
import type { translations } from './en/translations.ts'

/** The type of every language: the keys of the English texts, with functions in the same places. */
export type Translation<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : T[K] extends string
      ? string
      : T[K] extends RegExp
        ? RegExp
        : Translation<T[K]>
}
/** A translation that lacks some texts, which are shown in English. */
export type Partially<T> = {
  readonly [K in keyof T]?: T[K] extends string | readonly string[] | ((...values: never[]) => string)
    ? T[K]
    : Partially<T[K]>
}
/** Sentences of the server, and their translations with $1 for what varies. One that is missing is shown in English. */
export type FieldSentences = readonly (readonly [RegExp, string])[]
export type Texts = Translation<typeof import('./first-load/en.ts')>
export type ActionTexts = Translation<typeof actions>
export type AuditTexts = Translation<typeof audit>
export type ConversationTexts = Translation<typeof conversation>
export type IdentityTexts = Translation<typeof identity>
export type TranslationTexts = Translation<typeof translations>
export type QueueTexts = Translation<typeof queue>
export type StudioTexts = Translation<typeof studio>
export type FeedTexts = Translation<typeof feeds>
export type NewBotTexts = Translation<typeof newBot>
export type HomeTexts = Translation<typeof home>
export type ModelTexts = Translation<typeof languageModel>
export type InsightTexts = Translation<typeof insights>
export type FlowTexts = Translation<typeof flows>
