// The demo shop's pages and questions as an evaluation set: small, and worded to avoid the pages' own words.
import { readFileSync } from 'node:fs'
import { readDemoPages } from '../../server/src/demo/shop.ts'
import type { EvalSet } from './eval-set.ts'

interface DemoQuestion {
  question: string
  /** Null where no page has the answer. */
  page: string | null
  answer_contains: string[]
  after?: string
  polarity?: 'yes' | 'no'
}

export function readDemoSet(): EvalSet {
  const file = new URL('../../demo/questions.json', import.meta.url)
  const questions = JSON.parse(readFileSync(file, 'utf8')) as DemoQuestion[]
  const questionsWithIds = questions.map((question, index) => ({ id: `q${index}`, ...question }))
  return {
    name: 'demo',
    corpus: readDemoPages().map(({ slug, title, language, content }) => ({
      _id: slug,
      title,
      text: '',
      markdown: content,
      language,
    })),
    queries: questionsWithIds.map(({ id, question, page, answer_contains, after, polarity }) => ({
      _id: id,
      text: question,
      answerable: page !== null,
      answer_contains,
      ...(after ? { after } : {}),
      ...(polarity ? { polarity } : {}),
    })),
    qrels: new Map(questionsWithIds.flatMap(({ id, page }) => (page === null ? [] : [[id, new Map([[page, 1]])]]))),
  }
}
