// A made-up but stable name for anonymous visitors, so that the team can refer to them.
import type { Texts } from '../texts/texts-type.ts'

export function visitorName(visitorId: string, { team }: Texts): string {
  const hash = hashText(visitorId)
  const starts = team.nameStarts.split(' ')
  const ends = team.nameEnds.split(' ')
  return `${starts[hash % starts.length]} ${ends[Math.floor(hash / starts.length) % ends.length]}`
}

export function hashText(text: string): number {
  let hash = 2166136261
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0
  return hash
}
