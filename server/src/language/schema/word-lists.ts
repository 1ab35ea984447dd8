// How lists of words are written in the files of languages.

/** Separated by spaces. */
export type WordList = string
/** Separated by bars. */
export type PhraseList = string
/** The source of a regular expression, without regard to case. */
export type Pattern = string
