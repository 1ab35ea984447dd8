import type { Action, ActionRun } from '@docent/contract'
import {
  createAction,
  deleteAction,
  findAction,
  rotateActionSecret,
  testAction,
  updateAction,
} from '../actions/actions.ts'
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import type { ActionRecord, ActionRunRecord, RunCounts } from '../storage/actions.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

const RECENT_MS = 7 * DAY_MS
const NO_RUNS: RunCounts = { total: 0, failed: 0 }

export function actionRoutes(
  route: Route,
  { storage, sealed, clock }: Context,
  { access, search, actions: { secrets, urlProblem, runAction } }: Pick<Modules, 'access' | 'search' | 'actions'>,
) {
  const { actions, actionRuns } = storage
  const { findBot, countWithin, audit, publicBots } = access
  const deps = {
    actions,
    actionRuns,
    secrets,
    sealed,
    runAction,
    findBot,
    countWithin,
    urlProblem,
    onChanged(botId: string) {
      publicBots.forget()
      search.onActionsChanged(botId)
    },
    audit,
    clock,
  }
  const countRuns = (botId: string) => actionRuns.countSince(botId, clock() - RECENT_MS)
  const shape = (action: ActionRecord, runs: Map<string, RunCounts>) =>
    toAction(action, runs.get(action.id) ?? NO_RUNS, clock())
  const shapeOne = async (action: ActionRecord) => shape(action, await countRuns(action.botId))

  route('POST /api/manage/v1/bots/{botId}/actions', async ({ params, body, ...call }) => {
    const { action, secret } = await createAction(deps, call, params.botId, body)
    return { ...shape(action, new Map()), secret }
  })

  route('GET /api/manage/v1/bots/{botId}/actions', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const runs = await countRuns(bot.id)
    return page(
      query,
      (after, limit) => actions.list(bot.id, after, limit),
      (action) => shape(action, runs),
    )
  })

  route('GET /api/manage/v1/bots/{botId}/actions/{actionId}', async ({ caller, params }) =>
    shapeOne((await findAction(deps, caller, params)).action),
  )

  route('PATCH /api/manage/v1/bots/{botId}/actions/{actionId}', async ({ params, body, ...call }) =>
    shapeOne(await updateAction(deps, call, params, body)),
  )

  route('DELETE /api/manage/v1/bots/{botId}/actions/{actionId}', async ({ params, ...call }) => {
    await deleteAction(deps, call, params)
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/actions/{actionId}/test', async ({ caller, params, body }) =>
    testAction(deps, caller, params, body),
  )

  route('POST /api/manage/v1/bots/{botId}/actions/{actionId}/rotate-secret', async ({ params, ...call }) => {
    const { secret, previousUntil } = await rotateActionSecret(deps, call, params)
    return { secret, previous_secret_until: timestamp(previousUntil) }
  })

  route('GET /api/manage/v1/bots/{botId}/actions/{actionId}/runs', async ({ caller, params, query }) => {
    const { bot, action } = await findAction(deps, caller, params)
    return page(query, (before, limit) => actionRuns.list(bot.id, action.id, before, limit), toRun)
  })
}

function toAction(action: ActionRecord, recentRuns: RunCounts, now: number): Action {
  const { id, name, kind, description, examples, inputs, request, audience, confirm, state, authShape } = action
  const { previousUntil } = action
  return {
    id,
    name,
    kind,
    description,
    examples,
    inputs,
    request,
    audience,
    confirm,
    state,
    not_for: action.notFor,
    auth: authShape && { ...authShape, is_set: action.auth !== null },
    answer_template: action.answerTemplate,
    sample: action.sample ?? null,
    recent_runs: recentRuns,
    previous_secret_until: previousUntil !== null && previousUntil > now ? timestamp(previousUntil) : null,
    created_at: timestamp(action.createdAt),
    updated_at: timestamp(action.updatedAt),
  }
}

function toRun(run: ActionRunRecord): ActionRun {
  const { id, outcome, failure, status, durationMs, inputs, isTest, conversationId, createdAt } = run
  return {
    id,
    outcome,
    failure,
    status,
    inputs,
    duration_ms: durationMs,
    is_test: isTest,
    conversation_id: conversationId,
    created_at: timestamp(createdAt),
  }
}
