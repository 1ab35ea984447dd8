// Brings a message into the shape our phrase tables are compared in: lower case, no accents, no punctuation, so that
// "Günaydın!", "gunaydin" and "GUNAYDIN" are one.
const special: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i', ى: 'ي', ة: 'ه' }

export function fold(text: string): string {
  return foldLetters(text)
    .replace(/['’`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** As `fold`, with punctuation left in place. */
export function foldLetters(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßłøæœđıىة]/g, (letter) => special[letter] ?? letter)
}
