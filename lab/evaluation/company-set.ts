// Questions about invented companies that no model was trained on: one bot per company, in lab/evaluation/sets/companies.
import { readFileSync } from 'node:fs'
import type { EvalQuery, EvalSet } from './eval-set.ts'

interface Section {
  id: string
  company: string
  title: string
  heading: string
  text: string
}

const folder = new URL('./sets/companies/', import.meta.url)

/** One set per company. */
export function readCompanySets(): EvalSet[] {
  const sections = readLines('sections.jsonl').map((line) => JSON.parse(line) as Section)
  const questions = readLines('questions.tsv').map((line) => line.split('\t') as [string, string, string])
  return [...Map.groupBy(sections, ({ company }) => company)].map(([company, sectionsOfCompany]) => {
    const byId = new Map(sectionsOfCompany.map((section) => [section.id, section]))
    const companyQuestions = questions.flatMap(([id, turns, answer], index) => {
      const section = byId.get(id)
      return section ? [{ id: `q${index}`, title: section.title, ...readQuestion(turns, answer) }] : []
    })
    return {
      name: `companies_${company.toLowerCase().replace(/\W+/g, '-')}`,
      corpus: [...Map.groupBy(sectionsOfCompany, ({ title }) => title)].map(([title, parts]) => ({
        _id: title,
        title,
        text: '',
        markdown: [`# ${title}`, ...parts.map(markdownOf)].join('\n\n'),
      })),
      queries: companyQuestions.map(({ id, query }) => ({ ...query, _id: id })),
      qrels: new Map(
        companyQuestions.flatMap(({ id, title, query }) =>
          query.answerable ? [[id, new Map([[title, 1]])] as const] : [],
        ),
      ),
    }
  })
}

function readQuestion(turns: string, answer: string): { query: Omit<EvalQuery, '_id'> } {
  const messages = turns.split('|||').map((turn) => turn.trim())
  return {
    query: {
      text: messages.at(-1) ?? '',
      earlier: messages.slice(0, -1),
      answerable: answer !== '--',
      // A reply may contain only some cells or sentences.
      answer_contains: answer.split(/\s*\|\s*|\n|(?<=[.!?])\s+/).filter((part) => part.length > 1),
    },
  }
}

function markdownOf({ heading, text }: Section): string {
  const headings = heading
    .split(' > ')
    .filter(Boolean)
    .map((name, depth) => `${'#'.repeat(depth + 2)} ${name}`)
  return [...headings, text].join('\n\n')
}

function readLines(file: string): string[] {
  return readFileSync(new URL(file, folder), 'utf8').split('\n').filter(Boolean)
}
