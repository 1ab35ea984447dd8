/** Whether a text contains one of the expected answers, ignoring case and punctuation. */
export function holdsAnswer(text: string, answers: string[]): boolean {
  const answer = plain(text)
  return answers.some((expectedAnswer) => answer.includes(plain(expectedAnswer)))
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim()
}
