import type { TryTurn } from '@docent/contract'
import { inspectQuestion } from '../answers/answer-question.ts'
import type { Hit, Turn } from '../answers/types.ts'
import type { Context } from '../context.ts'
import { voiceOf } from '../conversations/answer-message.ts'
import type { Modules } from './modules.ts'
import type { Route } from './server/route.ts'

export function playgroundRoutes(
  route: Route,
  { storage, config: { widgetBaseUrl } }: Context,
  { access, conversations, catalogue }: Pick<Modules, 'access' | 'conversations' | 'catalogue'>,
) {
  const { findBot } = access
  const { tryMessage } = conversations
  const { knowledgeOf } = catalogue

  route('GET /api/manage/v1/bots/{botId}/search', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const voice = voiceOf(bot, widgetBaseUrl)
    const { hits, confidence } = await inspectQuestion(query.q.trim(), voice, await knowledgeOf(bot), query.limit ?? 10)
    return { results: hits.map((hit) => toSearchHit(hit, voice.siteUrl)), confidence }
  })

  route('POST /api/manage/v1/bots/{botId}/try', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    const history = (body.history ?? []).map(toTurn)
    const { answer, thresholds, searchResult, calls } = await tryMessage(bot, body.message, history, {
      usesSamples: body.use_samples === true,
    })
    if (!bot.isTested) await storage.bots.update(bot.workspaceId, bot.id, { isTested: true })
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
      question: searchResult?.question.text ?? null,
      results: (searchResult?.hits ?? []).map((hit) => toSearchHit(hit, voiceOf(bot, widgetBaseUrl).siteUrl)),
      model: call ? { name: call.model, outcome: call.outcome } : null,
    }
  })
}

function toTurn({ role, text, document_ids, product_ids, answered, action_state }: TryTurn): Turn {
  const citedIds = [...(document_ids ?? []), ...(product_ids ?? [])]
  return {
    role,
    text,
    ...(document_ids ? { documentIds: document_ids } : {}),
    ...(product_ids ? { productIds: product_ids } : {}),
    ...(answered === undefined ? {} : { answered }),
    ...(action_state ? { action: action_state } : {}),
    // Without its decision, a reply that cites nothing may be the result of an action.
    isUntrusted: role === 'assistant' && citedIds.length === 0 && !action_state,
  }
}

function toSearchHit({ passage, score, signals, reading }: Hit, siteUrl: string) {
  return {
    document_id: passage.documentId,
    title: passage.title,
    url: passage.url ?? siteUrl,
    passage_id: passage.passageId ?? null,
    heading: passage.headings.at(-1) ?? null,
    passage: passage.text,
    score,
    signals: { ...signals, ...(reading ? { reader: 1 / (1 + Math.exp(-reading.relevance)) } : {}) },
  }
}
