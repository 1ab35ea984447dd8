// Runs one question through the service's own code, exactly as a visitor's message.
import { answerQuestion } from '../../server/src/answers/answer-question.ts'
import type { SearchResult } from '../../server/src/answers/find-hits.ts'
import type { Answer, BotVoice, Knowledge, Turn } from '../../server/src/answers/types.ts'
import type { createEvalBot } from './eval-bot.ts'
import type { EvalQuery } from './eval-set.ts'

export interface AskedQuery {
  answer: Answer
  history: Turn[]
  /** Search results; undefined for small talk. */
  found: SearchResult | undefined
  /** The curated answer that was given or came closest. */
  curatedId: string
  ms: number
}

type EvalKnowledge = Awaited<ReturnType<Awaited<ReturnType<typeof createEvalBot>>['knowledge']>>

export async function askQuery(
  query: EvalQuery,
  /** Restricts the search to these documents: the facts of one product. */
  only: readonly string[] | undefined,
  voice: BotVoice,
  whole: EvalKnowledge,
): Promise<AskedQuery> {
  let found: SearchResult | undefined
  let curatedId = ''
  const knowledge: Knowledge = {
    ...scopeOf(whole, only),
    readCurated(id) {
      curatedId = id
      return whole.readCurated(id)
    },
  }
  const before = query.earlier ?? (query.after ? [query.after] : [])
  const history = query.history ?? (await dialogue(before, voice, knowledge))
  const started = performance.now()
  const answer = await answerQuestion(query.text, history, voice, knowledge, undefined, (one) => {
    found = one
    curatedId = one.curated[0]?.id ?? ''
  })
  return { answer, history, found, curatedId, ms: performance.now() - started }
}

function scopeOf(knowledge: EvalKnowledge, documents: readonly string[] | undefined): Knowledge {
  if (!documents) return knowledge
  const only = new Set(documents.map((id) => `${id}#0`))
  return { ...knowledge, scope: 'product', find: (query) => knowledge.find({ ...query, only }) }
}

/** The turns before a follow-up question. */
async function dialogue(questions: readonly string[], voice: BotVoice, knowledge: Knowledge): Promise<Turn[]> {
  const history: Turn[] = []
  for (const text of questions) {
    const answer = await answerQuestion(text, history, voice, knowledge)
    const { documentIds, answered } = answer
    history.push({ role: 'user', text }, { role: 'assistant', text: answer.text, documentIds, answered })
  }
  return history
}
