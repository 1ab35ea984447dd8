// What becomes of an address in the model's text: a known one stays and ends where it is known to end, any other goes.
const LINK_END = /^\]\(((?:[^()\s]|\([^()\s]*\))+)\)/
const AUTOLINK = /^<([^\s<>]+)>/
const WEB_ADDRESS = /^(?:https?|ftp):\/\//i
const NO_PART_OF_ONE = /[<>"`|\\^{}\][\u3000-\u303f\uff00-\uff65“”«»]/
const NOT_ASCII = /[^!-~]/
const CLOSES = /[.,;:!?…)\]}>»"'`”’*_~|。，、！？；：）」』】]/
const MOST_CLOSING = 8
const REMOVED = '…'

export interface Taken {
  text: string
  /** How much of the pending text it stands for. */
  length: number
}

/** The run goes up to the next space and begins with the mark: `](`, `<` or the beginning of a bare address. */
export function filterAddress(run: string, mark: string, isKnownUrl: (url: string) => boolean): Taken {
  if (mark === '](') {
    const [whole = '', url = ''] = LINK_END.exec(run) ?? []
    return whole !== '' && isKnownUrl(url) ? setApart(whole, run) : { text: '] (', length: mark.length }
  }
  if (mark === '<') {
    const [whole = '', url = ''] = AUTOLINK.exec(run) ?? []
    if (whole !== '' && isKnownUrl(url)) return setApart(whole, run)
    return WEB_ADDRESS.test(url) ? { text: REMOVED, length: whole.length } : { text: '‹', length: mark.length }
  }
  const end = beforeClosing(run, lengthUpTo(run, mark, NO_PART_OF_ONE), mark.length)
  // Words about addresses, as "it starts with https://", name none.
  if (end === mark.length) return setApart(mark, run)
  const scheme = /^w/i.test(mark) ? 'https://' : ''
  const known = possibleAddresses(run, mark).find((address) => isKnownUrl(scheme + address))
  return known === undefined ? { text: REMOVED, length: end } : setApart(known, run)
}

/** The longest first, since a bracket or full stop at the end is the address's or the sentence's. */
function possibleAddresses(run: string, mark: string): string[] {
  const lengths = [run.length, lengthUpTo(run, mark, NO_PART_OF_ONE), lengthUpTo(run, mark, NOT_ASCII)]
  return lengths.flatMap((length) => {
    const shortest = beforeClosing(run, length, Math.max(mark.length, length - MOST_CLOSING))
    return Array.from({ length: length - shortest + 1 }, (_, closing) => run.slice(0, length - closing))
  })
}

/** The space keeps a page from taking what follows for a part of the address. */
function setApart(known: string, run: string): Taken {
  const isApart = run.startsWith('](', known.length) || beforeClosing(run, run.length, known.length) === known.length
  return { text: isApart ? known : `${known} `, length: known.length }
}

function lengthUpTo(run: string, mark: string, stop: RegExp): number {
  const found = run.slice(mark.length).search(stop)
  return found === -1 ? run.length : mark.length + found
}

/** The length without the closing characters at its end, but never below the least. */
function beforeClosing(run: string, length: number, least: number): number {
  let end = length
  while (end > least && CLOSES.test(run.charAt(end - 1))) end--
  return end
}
