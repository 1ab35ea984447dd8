// Finds what a page announces for a time that is over: "valid until 31 December 2024", "Opening hours 2023".

// A year that is longer ago is history: "founded in 2005".
const YEARS_BACK = 10
const YEAR = /(?<![\d/])20\d\d(?![\d/])/g
const YEAR_ANYWHERE = /(?<!\d)20\d\d(?!\d)/g
const UNTIL =
  "until|till|valid|through|ends?|expires?|deadline|bis|gültig|endet|läuft|frist|jusqu['’]au|valable|hasta|válid[oa]s?|fino al|valid[oi]|até|tot|geldig"
// The dots of a date do not end a sentence, and its slashes do not make it a season such as 2023/2024.
const MONTH = '(?:jan|feb|m[aä]r|apr|ma[ij]|jun|jul|aug|sep|o[kc]t|nov|de[zsc])\\p{L}*\\.?'
const DAY_AND_MONTH = `\\d{1,2}(?:[./]\\s?\\d{1,2}[./]\\s?|\\.\\s?${MONTH}\\s)`
const ANNOUNCEMENT = new RegExp(
  `(?<!\\p{L})(?:${UNTIL})(?!\\p{L})[^.!?\\n]{0,40}?(?:${DAY_AND_MONTH}|(?<![\\d/]))(20\\d\\d)(?![\\d/])`,
  'giu',
)
const LETTERS_AROUND = 60

/** Whether all years that a heading names are over. */
export function isPastHeading(heading: string, now: number): boolean {
  const thisYear = new Date(now).getUTCFullYear()
  const years = (heading.replace(VERSIONS, '').match(YEAR) ?? []).map(Number)
  return years.length > 0 && years.every((year) => year < thisYear && year >= thisYear - YEARS_BACK)
}

// The year of a norm or a product is its version: "ISO 27001:2022", "Windows Server 2019".
const VERSIONS =
  /\d:20\d\d(?!\d)|(?<!\p{L})(?:windows|server|office|exchange|sharepoint|excel|outlook|visual studio|autocad)\s+20\d\d(?!\d)/giu

/** The words around the first date that is over; undefined if there is none. */
export function pastAnnouncement(text: string, now: number): string | undefined {
  const thisYear = new Date(now).getUTCFullYear()
  for (const match of text.matchAll(ANNOUNCEMENT)) {
    const year = Number(match[1])
    if (year >= thisYear || year < thisYear - YEARS_BACK) continue
    const start = Math.max(0, match.index - LETTERS_AROUND)
    const dateEnd = match.index + match[0].length
    const end = dateEnd + LETTERS_AROUND
    // "Valid from 1 March 2024 to 31 May 2030" has not ended.
    const laterYears = text.slice(dateEnd, end).match(YEAR_ANYWHERE) ?? []
    if (laterYears.some((later) => Number(later) >= thisYear)) continue
    const words = text.slice(start, end).replace(/\s+/g, ' ')
    return `${start > 0 ? '…' : ''}${words.trim()}${end < text.length ? '…' : ''}`
  }
  return undefined
}
