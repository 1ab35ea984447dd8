import type { WrittenQuestions } from '@docent/contract'
import type { FindBot } from '../access/managers.ts'
import {
  changeWrittenQuestions,
  clearWrittenQuestions,
  readWrittenQuestions,
  type WrittenQuestionDeps,
} from '../bots/written-questions.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Route } from './server/route.ts'
import { timestamp, timestampOrNull } from './server/times.ts'

export function writtenQuestionRoutes(route: Route, deps: WrittenQuestionDeps & { findBot: FindBot }) {
  const { findBot } = deps
  const read = async (bot: BotRecord) => toWrittenQuestions(await readWrittenQuestions(deps, bot))

  route('GET /api/manage/v1/bots/{botId}/written-questions', async ({ caller, params }) =>
    read(await findBot(caller, params.botId)),
  )

  route('PATCH /api/manage/v1/bots/{botId}/written-questions', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    await changeWrittenQuestions(deps, bot, body)
    setAuditTarget(
      body.enabled === undefined ? 'written questions' : `written questions: ${body.enabled ? 'on' : 'off'}`,
    )
    return read(bot)
  })

  route('DELETE /api/manage/v1/bots/{botId}/written-questions', async ({ caller, params, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    await clearWrittenQuestions(deps, bot)
    setAuditTarget('written questions: removed')
    return read(bot)
  })
}

function toWrittenQuestions(state: Awaited<ReturnType<typeof readWrittenQuestions>>): WrittenQuestions {
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
