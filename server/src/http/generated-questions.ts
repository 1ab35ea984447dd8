import type { GeneratedQuestions } from '@docent/contract'
import type { Context } from '../context.ts'
import {
  changeGeneratedQuestions,
  clearGeneratedQuestions,
  readGeneratedQuestions,
} from '../conversations/generated-questions.ts'
import type { BotRecord } from '../storage/bots.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import type { Route } from './server/route.ts'

export function generatedQuestionRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, languageModels }: Pick<Modules, 'access' | 'languageModels'>,
) {
  const { bots, generatedQuestions } = storage
  const { findBot } = access
  const { wakeGenerator, onQuestionsChanged } = languageModels
  const deps = { bots, generatedQuestions, onChanged: wakeGenerator, onCleared: onQuestionsChanged, clock }
  const load = async (bot: BotRecord) => toGeneratedQuestions(await readGeneratedQuestions(deps, bot))

  route('GET /api/manage/v1/bots/{botId}/generated-questions', async ({ caller, params }) =>
    load(await findBot(caller, params.botId)),
  )

  route('PATCH /api/manage/v1/bots/{botId}/generated-questions', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    await changeGeneratedQuestions(deps, bot, body)
    setAuditTarget(
      body.enabled === undefined ? 'generated questions' : `generated questions: ${body.enabled ? 'on' : 'off'}`,
    )
    return load(bot)
  })

  route('DELETE /api/manage/v1/bots/{botId}/generated-questions', async ({ caller, params, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    await clearGeneratedQuestions(deps, bot)
    setAuditTarget('generated questions: removed')
    return load(bot)
  })
}

function toGeneratedQuestions(state: Awaited<ReturnType<typeof readGeneratedQuestions>>): GeneratedQuestions {
  const { lastError, lastErrorAt } = state
  return {
    enabled: state.enabled,
    daily_calls: state.dailyCalls,
    status: state.status,
    sections: state.sections,
    estimate: state.estimate,
    spent: {
      calls: state.calls,
      input_tokens: state.inputTokens,
      output_tokens: state.outputTokens,
      cost: state.cost,
    },
    last_error: lastError === null || lastErrorAt === null ? null : { reason: lastError, at: timestamp(lastErrorAt) },
    resumes_at: timestampOrNull(state.pausedUntil),
  }
}
