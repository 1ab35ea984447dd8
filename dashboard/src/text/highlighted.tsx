import { Fragment } from 'react'

const MIN_LETTERS = 2

/** A text with the searched words marked. */
export function Highlighted({ text, words }: { text: string; words: string }) {
  const searchWords = words.split(/\s+/).filter(({ length }) => length >= MIN_LETTERS)
  if (searchWords.length === 0) return text
  const anyOf = searchWords.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  // The pieces at odd places are the words themselves.
  return text
    .split(new RegExp(`(${anyOf})`, 'iu'))
    .map((piece, index) =>
      index % 2 === 1 ? <mark key={index}>{piece}</mark> : <Fragment key={index}>{piece}</Fragment>,
    )
}
