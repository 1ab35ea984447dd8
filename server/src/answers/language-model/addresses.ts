// The last check before output reaches the visitor: no images, no HTML, and no URLs missing from the passages, in any

// form a page may turn into a link. Code is not exempt: a page may not treat it as code.

// Includes backslashes and entities, which pages resolve before they detect URLs.
const SPECIAL = /!\[|\]\(|\]:|<(?=[a-z/!?])|&(?=#|(?:colon|sol|period);)|(?:https?|ftp)\\?:\\?\/\\?\/|www\\?\./i
const UNDECIDED_END = /(?:[!\]<]|&[a-z]{0,6}|h(?:t(?:tp?)?)?|ft?|(?:https?|ftp)\\?(?::\\?(?:\/\\?)?)?|w{1,3}\\?)$/i
/** Longer runs without a space are not waited for. */
const RUN_CHARACTERS = 2000
// The space defuses an image, a link definition and an entity.
const harmless: Record<string, string> = { '![': '! [', ']:': '] :', '&': '& ' }

interface AddressGuard {
  push(delta: string): string
  end(): string
}

export function makeAddressGuard(isKnownUrl: (url: string) => boolean): AddressGuard {
  let pending = ''

  function advance(isEnd: boolean): string {
    let out = ''
    while (pending !== '') {
      const special = SPECIAL.exec(pending)
      const decidedLength =
        special?.index ?? pending.length - (isEnd ? 0 : (UNDECIDED_END.exec(pending)?.[0].length ?? 0))
      out += pending.slice(0, decidedLength)
      pending = pending.slice(decidedLength)
      if (!special) break
      const address = take(special[0], isEnd)
      if (address === 'wait') break
      out += address.text
      pending = pending.slice(address.length)
    }
    return out
  }

  function take(mark: string, isEnd: boolean): FilteredAddress | 'wait' {
    const text = harmless[mark]
    if (text !== undefined) return { text, length: mark.length }
    const [run = ''] = pending.slice(0, RUN_CHARACTERS).split(/\s/, 1)
    if (!isEnd && run.length === pending.length && run.length < RUN_CHARACTERS) return 'wait'
    return filterAddress(run, mark, isKnownUrl)
  }

  return {
    push(delta) {
      pending += delta
      return advance(false)
    },
    end: () => advance(true),
  }
}

const LINK_END = /^\]\(((?:[^()\s]|\([^()\s]*\))+)\)/
const AUTOLINK = /^<([^\s<>]+)>/
const WEB_ADDRESS = /^(?:https?|ftp):\/\//i
const NOT_IN_URL = /[<>"`|\\^{}\][\u3000-\u303f\uff00-\uff65“”«»]/
const NOT_ASCII = /[^!-~]/
const CLOSING = /[.,;:!?…)\]}>»"'`”’*_~|。，、！？；：）」』】]/
const MAX_CLOSING = 8
const REMOVED = '…'

export interface FilteredAddress {
  text: string
  /** Number of pending characters it replaces. */
  length: number
}

/** The run ends at the next space and begins with the mark: `](`, `<` or the start of a bare URL. */
function filterAddress(run: string, mark: string, isKnownUrl: (url: string) => boolean): FilteredAddress {
  if (mark === '](') {
    const [whole = '', url = ''] = LINK_END.exec(run) ?? []
    return whole !== '' && isKnownUrl(url) ? keepUrl(whole, run) : { text: '] (', length: mark.length }
  }
  if (mark === '<') {
    const [whole = '', url = ''] = AUTOLINK.exec(run) ?? []
    if (whole !== '' && isKnownUrl(url)) return keepUrl(whole, run)
    return WEB_ADDRESS.test(url) ? { text: REMOVED, length: whole.length } : { text: '‹', length: mark.length }
  }
  const end = beforeClosing(run, lengthUpTo(run, mark, NOT_IN_URL), mark.length)
  // Text about URLs, such as "it starts with https://".
  if (end === mark.length) return keepUrl(mark, run)
  const scheme = /^w/i.test(mark) ? 'https://' : ''
  const knownAddress = possibleAddresses(run, mark).find((address) => isKnownUrl(scheme + address))
  return knownAddress === undefined ? { text: REMOVED, length: end } : keepUrl(knownAddress, run)
}

/** Longest first: a trailing bracket or full stop may belong to the URL or to the sentence. */
function possibleAddresses(run: string, mark: string): string[] {
  const lengths = [run.length, lengthUpTo(run, mark, NOT_IN_URL), lengthUpTo(run, mark, NOT_ASCII)]
  return lengths.flatMap((length) => {
    const shortest = beforeClosing(run, length, Math.max(mark.length, length - MAX_CLOSING))
    return Array.from({ length: length - shortest + 1 }, (_, closing) => run.slice(0, length - closing))
  })
}

/** Adds a space, so that a page does not read the following text as part of the URL. */
function keepUrl(address: string, run: string): FilteredAddress {
  const isSeparate =
    run.startsWith('](', address.length) || beforeClosing(run, run.length, address.length) === address.length
  return { text: isSeparate ? address : `${address} `, length: address.length }
}

function lengthUpTo(run: string, mark: string, stop: RegExp): number {
  const stopAt = run.slice(mark.length).search(stop)
  return stopAt === -1 ? run.length : mark.length + stopAt
}

/** The length without trailing closing characters, but at least `least`. */
function beforeClosing(run: string, length: number, least: number): number {
  let end = length
  while (end > least && CLOSING.test(run.charAt(end - 1))) end--
  return end
}
