// Dialogues of two invented companies in lab/evaluation/sets/dialogues, written for this purpose: every turn follows up on earlier
// ones, with the bot's own replies in between.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { EvalQuery, EvalSet } from './eval-set.ts'

interface Dialogue {
  id: string
  company: string
  turns: (Pick<EvalQuery, 'text' | 'answer_contains' | 'answer_lacks' | 'answerable' | 'kind' | 'polarity'> & {
    page: string | null
  })[]
}

const folder = new URL('./sets/dialogues/', import.meta.url)

/** One set per company. */
export function readDialogueSets(): EvalSet[] {
  const lines = readFileSync(new URL('dialogues.jsonl', folder), 'utf8').split('\n').filter(Boolean)
  const dialogues = lines.map((line) => JSON.parse(line) as Dialogue)
  return [...new Set(dialogues.map(({ company }) => company))].map((company) => {
    const companyDialogues = dialogues.filter((dialogue) => dialogue.company === company)
    const turns = companyDialogues.flatMap(({ id, turns: messages }) =>
      messages.map((turn, at) => ({
        ...turn,
        _id: `${id}.${at}`,
        earlier: messages.slice(0, at).map(({ text }) => text),
      })),
    )
    return {
      name: `dialogues_${company}`,
      corpus: readPages(company),
      queries: turns.map(({ page: _, ...query }) => query),
      qrels: new Map(turns.flatMap(({ _id, page }) => (page ? [[_id, new Map([[page, 1]])]] : []))),
    }
  })
}

function readPages(company: string): EvalSet['corpus'] {
  const pages = new URL(`corpus/${company}/`, folder)
  return readdirSync(pages).map((file) => {
    const markdown = readFileSync(new URL(file, pages), 'utf8')
    return { _id: basename(file, '.md'), title: /^# (.+)$/m.exec(markdown)?.[1] ?? file, text: '', markdown }
  })
}
