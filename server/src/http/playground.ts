import type { TryTurn } from '@docent/contract'
import type { FindBot } from '../access/managers.ts'
import { inspectQuestion } from '../answers/inspect-question.ts'
import type { Hit, Knowledge, Turn } from '../answers/types.ts'
import { type TryMessage, voiceOf } from '../conversations/answer-message.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Route } from './server/route.ts'

interface Deps {
  findBot: FindBot
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  tryMessage: TryMessage
  widgetBaseUrl: string
}

export function playgroundRoutes(route: Route, { findBot, knowledgeOf, tryMessage, widgetBaseUrl }: Deps) {
  route('GET /api/manage/v1/bots/{botId}/search', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const voice = voiceOf(bot, widgetBaseUrl)
    const { hits, confidence } = await inspectQuestion(query.q.trim(), voice, await knowledgeOf(bot), query.limit ?? 10)
    return { results: hits.map((hit) => toSearchHit(hit, voice.siteUrl)), confidence }
  })

  route('POST /api/manage/v1/bots/{botId}/try', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    const { answer, thresholds, found, calls } = await tryMessage(
      ...([bot, body.message, (body.history ?? []).map(toTurn)] as const),
      { usesSamples: body.use_samples === true },
    )
    const call = calls.at(-1)
    return {
      response: answer.text,
      sources: answer.sources,
      confidence: answer.confidence,
      answered: answer.answered,
      language: answer.language,
      decision: answer.decision,
      document_ids: answer.documentIds,
      product_ids: (answer.products ?? []).map(({ id }) => id),
      action: answer.action ? { id: answer.action.id, status: answer.action.status } : null,
      action_state: answer.action?.state ?? null,
      thresholds,
      suggestions: answer.buttons.filter(({ type }) => type === 'reply').map(({ label }) => label),
      question: found?.question.text ?? null,
      results: (found?.hits ?? []).map((hit) => toSearchHit(hit, voiceOf(bot, widgetBaseUrl).siteUrl)),
      model: call ? { name: call.model, outcome: call.outcome } : null,
    }
  })
}

function toTurn({ role, text, document_ids, product_ids, answered, action_state }: TryTurn): Turn {
  return {
    ...{ role, text },
    ...(document_ids ? { documentIds: document_ids } : {}),
    ...(product_ids ? { productIds: product_ids } : {}),
    ...(answered === undefined ? {} : { answered }),
    ...(action_state ? { action: action_state } : {}),
  }
}

function toSearchHit({ passage, score, signals, reading }: Hit, siteUrl: string) {
  return {
    document_id: passage.documentId,
    title: passage.title,
    url: passage.url ?? siteUrl,
    passage: passage.text,
    score,
    signals: { ...signals, ...(reading ? { reader: 1 / (1 + Math.exp(-reading.relevance)) } : {}) },
  }
}
