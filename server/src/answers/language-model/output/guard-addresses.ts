// The last gate before the visitor: no image, no HTML, and no address that no passage names, in whatever way a page may
// make a link of it. It reads code like any other text: what looks like code here may be none for the page.
import { filterAddress, type Taken } from './filter-address.ts'

// With backslashes and entities, since pages undo those before they look for addresses.
const SPECIAL = /!\[|\]\(|\]:|<(?=[a-z/!?])|&(?=#|(?:colon|sol|period);)|(?:https?|ftp)\\?:\\?\/\\?\/|www\\?\./i
const UNDECIDED_END = /(?:[!\]<]|&[a-z]{0,6}|h(?:t(?:tp?)?)?|ft?|(?:https?|ftp)\\?(?::\\?(?:\/\\?)?)?|w{1,3}\\?)$/i
/** More than this without a space is not waited for. */
const RUN_CHARACTERS = 2000
// The space makes plain text of an image, of the definition of a link, and of an entity.
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

  function take(mark: string, isEnd: boolean): Taken | 'wait' {
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
