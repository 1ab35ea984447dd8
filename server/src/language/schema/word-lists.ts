// Notation of word lists in the language files.

/** Separated by spaces. */
export type WordList = string
/** Separated by bars. */
export type PhraseList = string
/** Source of a case-insensitive regular expression. */
export type Pattern = string
