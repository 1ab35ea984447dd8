// Runs one question through the service's own code, exactly as a visitor's message.
import { answerQuestion } from '../../server/src/answers/answer-question.ts'
import type { SearchResult } from '../../server/src/answers/find-hits.ts'
import type { Answer, AnswerModel, BotVoice, Knowledge, Turn } from '../../server/src/answers/types.ts'
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

// The turns of a dialogue are asked one after the other, so each is the history of the next.
const dialogues = new WeakMap<EvalKnowledge, Map<string, Turn[]>>()

export async function askQuery(
  query: EvalQuery,
  /** Restricts the search to these documents: the facts of one product. */
  only: readonly string[] | undefined,
  voice: BotVoice,
  whole: EvalKnowledge,
  model?: AnswerModel,
): Promise<AskedQuery> {
  let result: SearchResult | undefined
  let curatedId = ''
  const knowledge: Knowledge = {
    ...scopeOf(whole, only),
    loadCurated(id) {
      curatedId = id
      return whole.loadCurated(id)
    },
  }
  const before = query.earlier ?? (query.after ? [query.after] : [])
  const turnsOfDialogue = dialogues.get(whole) ?? new Map<string, Turn[]>()
  dialogues.set(whole, turnsOfDialogue)
  const history = query.history ?? (await dialogue(before, only, voice, knowledge, turnsOfDialogue, model))
  const startedAt = performance.now()
  const answer = await answerQuestion(query.text, history, voice, knowledge, model, (one) => {
    result = one
    curatedId = one.curated[0]?.id ?? ''
  })
  const ms = performance.now() - startedAt
  if (!query.history) turnsOfDialogue.set(keyOf([...before, query.text], only), withTurn(history, query.text, answer))
  return { answer, history, found: result, curatedId, ms }
}

function scopeOf(knowledge: EvalKnowledge, documents: readonly string[] | undefined): Knowledge {
  if (!documents) return knowledge
  const only = new Set(documents.map((id) => `${id}#0`))
  return { ...knowledge, scope: 'product', find: (query) => knowledge.find({ ...query, only }) }
}

/** The turns before a follow-up question. */
async function dialogue(
  questions: readonly string[],
  only: readonly string[] | undefined,
  voice: BotVoice,
  knowledge: Knowledge,
  turnsOfDialogue: Map<string, Turn[]>,
  model: AnswerModel | undefined,
): Promise<Turn[]> {
  const text = questions.at(-1)
  if (text === undefined) return []
  const key = keyOf(questions, only)
  const turns = turnsOfDialogue.get(key)
  if (turns) return turns
  const history = await dialogue(questions.slice(0, -1), only, voice, knowledge, turnsOfDialogue, model)
  const whole = withTurn(history, text, await answerQuestion(text, history, voice, knowledge, model))
  turnsOfDialogue.set(key, whole)
  return whole
}

function withTurn(history: Turn[], text: string, answer: Answer): Turn[] {
  const { text: reply, documentIds, products = [], answered } = answer
  const productIds = products.map(({ id }) => id)
  return [...history, { role: 'user', text }, { role: 'assistant', text: reply, documentIds, productIds, answered }]
}

const keyOf = (questions: readonly string[], only: readonly string[] | undefined) => JSON.stringify([questions, only])
