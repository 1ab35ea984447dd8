// The part of a message that is analysed as a question. Its length bounds the time of everything that looks for words,
// phrases or patterns in it.

const LONGEST = 2000
// Accents and syllables are two or three signs each when they are taken apart; a few signs stand for whole phrases (ﷺ).
const LONGEST_TAKEN_APART = 3 * LONGEST

/** One line. The question comes first; what is pasted after it is ignored. */
export function questionText(message: string): string {
  const line = message.replace(/\s+/g, ' ').slice(0, LONGEST)
  const takenApart = line.normalize('NFKD')
  return takenApart.length > LONGEST_TAKEN_APART ? takenApart.slice(0, LONGEST) : line
}
