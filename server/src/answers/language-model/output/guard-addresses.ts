// The last check before output reaches the visitor: no images, no HTML, and no URLs missing from the passages, in any
// form a page may turn into a link. Code is not exempt: a page may not treat it as code.
import { type FilteredAddress, filterAddress } from './filter-address.ts'

// Includes backslashes and entities, which pages resolve before they detect URLs.
const SPECIAL = /!\[|\]\(|\]:|<(?=[a-z/!?])|&(?=#|(?:colon|sol|period);)|(?:https?|ftp)\\?:\\?\/\\?\/|www\\?\./i
const UNDECIDED_END = /(?:[!\]<]|&[a-z]{0,6}|h(?:t(?:tp?)?)?|ft?|(?:https?|ftp)\\?(?::\\?(?:\/\\?)?)?|w{1,3}\\?)$/i
/** Longer runs without a space are not waited for. */
const RUN_CHARACTERS = 2000
// The space defuses an image, a link definition and an entity.
const harmless: Record<string, string> = { '![': '! [', ']:': '] :', '&': '& ' }

export interface AddressGuard {
  push(delta: string): string
  end(): string
}

export function createAddressGuard(isKnownUrl: (url: string) => boolean): AddressGuard {
  let pending = ''

  function advance(isEnd: boolean): string {
    let out = ''
    while (pending !== '') {
      const special = SPECIAL.exec(pending)
      const decided = special?.index ?? pending.length - (isEnd ? 0 : (UNDECIDED_END.exec(pending)?.[0].length ?? 0))
      out += pending.slice(0, decided)
      pending = pending.slice(decided)
      if (!special) break
      const taken = take(special[0], isEnd)
      if (taken === 'wait') break
      out += taken.text
      pending = pending.slice(taken.length)
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
