// Sources as links below the answer, for text-only clients. No heading, which would need translating.
import type { ChatResponse } from '@docent/contract'

const LINE = '\n\n---'
const linksAtEnd = /\n\n---(?:\n- \[[^\n]*\]\([^\s()]*\))+\s*$/

type Sources = ChatResponse['sources']

export interface LinkedText {
  text: string
  /** Start and end of each link. */
  ranges: { start: number; end: number }[]
}

/** Links to append to a text of this length. */
export function sourceLinks(sources: Sources, startsAt: number): LinkedText {
  if (sources.length === 0) return { text: '', ranges: [] }
  let text = LINE
  const ranges = sources.map(({ title, url }) => {
    text += '\n- '
    const start = startsAt + text.length
    text += `[${escapeTitle(title)}](${withoutBrackets(url)})`
    return { start, end: startsAt + text.length }
  })
  return { text, ranges }
}

/** An earlier answer as the bot gave it: source titles are not part of it. */
export function withoutSourceLinks(text: string): string {
  return text.replace(linksAtEnd, '')
}

function escapeTitle(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&')
}

/** A parenthesis would end the link. */
function withoutBrackets(url: string): string {
  return url.replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
