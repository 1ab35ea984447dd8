// Citation styles of models: [1], [1, 3], [2-4], [^2], [Source 1], 【1†source】, in sequence, or as a link.
const WORDS = 'passages?|sources?|refs?|quellen?|passagen?|fuentes?|fontes?|fonti|bron(?:nen)?|références?'
const SPACE = '[ \\t\\u00a0]'
const GAP = '[^\\S\\n]{0,8}'
const NUMBERS = `\\d{1,3}(?:${GAP}(?:[,;&–-]|and|und|et|en|y|e)${GAP}\\^?\\d{1,3})*`
const INNER = `${GAP}\\^?(?:(?:${WORDS})${GAP})?#?${NUMBERS}${GAP}`
const LINK = '(?:\\((?:https?:|www\\.|#|/)[^()\\s]{0,300}\\))?'
const MARK = `(?:\\[${INNER}\\]|［${INNER}］|【${INNER}(?:†[^】\\n]{0,80})?】)${LINK}`

const RUN = new RegExp(`^${SPACE}{0,8}${MARK}(?:[,;]?${SPACE}{0,8}${MARK}){0,8}`, 'iu')
const MAY_GO_ON = new RegExp(`^(?:\\([^()\\s]{0,300}|[,;]?${SPACE}{0,8}(?:[[【［][^\\]】］\\n]{0,100})?)$`, 'u')

export interface CitationRun {
  length: number
  numbers: number[]
}

/** The citations at the start of the text, with preceding spaces; `wait` if the next delta may extend them. */
export function readCitations(text: string, isEnd: boolean): CitationRun | 'wait' | null {
  const run = RUN.exec(text)?.[0]
  if (run === undefined) return null
  if (!isEnd && MAY_GO_ON.test(text.slice(run.length))) return 'wait'
  return { length: run.length, numbers: numbersOf(run) }
}

function numbersOf(run: string): number[] {
  const numbers: number[] = []
  for (const [, inner = ''] of run.replaceAll(/\([^()]*\)/g, '').matchAll(/[[【［]([^\]】］†]*)/gu)) {
    for (const [, from, to] of inner.matchAll(/(\d+)(?:\s*[–-]\s*(\d+))?/g)) {
      const last = Math.min(Number(to ?? from), Number(from) + 20)
      for (let number = Number(from); number <= last; number++) numbers.push(number)
    }
  }
  return numbers
}
