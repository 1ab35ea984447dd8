// The verbs on the actions of a bot.
import {
  ACTIONS_PER_BOT,
  type ActionAuth,
  type ActionTest,
  type BodyOf,
  type CreateAction,
  Fault,
  type Routes,
} from '@docent/contract'
import { type Audit, namedFields, titleOf } from '../access/audit.ts'
import type { FindBot, Manager, ManagerCall } from '../access/managers.ts'
import type { CountWithin } from '../access/rate-limits.ts'
import { DAY_MS } from '../days.ts'
import { randomId, timedId } from '../ids.ts'
import type { UrlProblem } from '../outbound/outbound.ts'
import type { SealedText } from '../sealed-text.ts'
import type { ActionRecord, ActionRunsTable, ActionsTable } from '../storage/actions.ts'
import { makeWebhookSecret, type WebhookSecrets } from '../webhooks/signing.ts'
import { definitionProblems } from './definition.ts'
import { dialogueWords } from './dialogue-words.ts'
import { checkInput, type InputValues, maskInputs } from './inputs.ts'
import type { RunAction, RunResult } from './run.ts'
import { exampleUrl, originOf, renderAnswer, shortened, visitorValues } from './templates.ts'

export interface ActionDeps {
  actions: ActionsTable
  actionRuns: ActionRunsTable
  secrets: WebhookSecrets
  sealed: SealedText
  runAction: RunAction
  findBot: FindBot
  countWithin: CountWithin
  /** Why a URL may not be called, or null. */
  urlProblem: UrlProblem
  /** Called when the actions of a bot have changed. */
  onChanged: (botId: string) => void
  audit: Audit
  clock: () => number
}

interface ActionIds {
  botId: string
  actionId: string
}

export async function findAction({ actions, findBot }: ActionDeps, manager: Manager, ids: ActionIds) {
  const bot = await findBot(manager, ids.botId)
  const action = await actions.find(bot.id, ids.actionId)
  if (!action) throw new Fault('not_found')
  return { bot, action }
}

/** The only response that contains the signing secret. */
export async function createAction(deps: ActionDeps, call: ManagerCall, botId: string, input: CreateAction) {
  const { actions, secrets, onChanged, audit, clock } = deps
  const bot = await deps.findBot(call.caller, botId)
  const id = randomId('act')
  const secret = makeWebhookSecret()
  const action = withInput(deps, newAction(bot.id, id, secrets.seal(id, secret), clock()), input)
  await requireValid(deps, action)
  if (!(await actions.insert(action, ACTIONS_PER_BOT))) throw new Fault('too_many_actions')
  onChanged(bot.id)
  await audit.record(call, bot.workspaceId, 'action.created', titleOf(action))
  return { action, secret }
}

export async function updateAction(
  deps: ActionDeps,
  call: ManagerCall,
  ids: ActionIds,
  input: BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/actions/{actionId}']>,
): Promise<ActionRecord> {
  const { bot, action: old } = await findAction(deps, call.caller, ids)
  await requireValid(deps, withInput(deps, old, input))
  const changedAction = await deps.actions.update(bot.id, old.id, (storedAction) =>
    withInput(deps, storedAction, input),
  )
  if (!changedAction) throw new Fault('not_found')
  deps.onChanged(bot.id)
  const fields = namedFields('PATCH /api/manage/v1/bots/{botId}/actions/{actionId}', input)
  await deps.audit.record(call, bot.workspaceId, 'action.changed', `${titleOf(changedAction)}: ${fields}`)
  return changedAction
}

export async function deleteAction(deps: ActionDeps, call: ManagerCall, ids: ActionIds): Promise<void> {
  const { bot, action } = await findAction(deps, call.caller, ids)
  await deps.actions.remove(bot.id, action.id)
  deps.onChanged(bot.id)
  await deps.audit.record(call, bot.workspaceId, 'action.deleted', titleOf(action))
}

/** Both secrets sign for a day, so that the receiver has time to switch. */
export async function rotateActionSecret(deps: ActionDeps, call: ManagerCall, ids: ActionIds) {
  const { bot, action } = await findAction(deps, call.caller, ids)
  const secret = makeWebhookSecret()
  const previousUntil = deps.clock() + DAY_MS
  await deps.actions.update(bot.id, action.id, (storedAction) => ({
    ...storedAction,
    secret: deps.secrets.seal(action.id, secret),
    previousSecret: storedAction.secret,
    previousUntil,
  }))
  await deps.audit.record(call, bot.workspaceId, 'action.secret_rotated', titleOf(action))
  return { secret, previousUntil }
}

const TESTS_A_MINUTE = { calls: 30, windowMs: 60_000 }

/** Runs it with the given inputs, or answers from the saved sample. */
export async function testAction(
  deps: ActionDeps,
  manager: Manager,
  ids: ActionIds,
  input: BodyOf<Routes['POST /api/manage/v1/bots/{botId}/actions/{actionId}/test']>,
): Promise<ActionTest> {
  const { inputs = {}, visitor = {}, use_sample: useSample = false } = input
  const { bot, action } = await findAction(deps, manager, ids)
  await deps.countWithin([{ name: `action tests ${bot.id}`, ...TESTS_A_MINUTE }])
  const values = checkedInputs(action, inputs)
  if (useSample || action.kind === 'lead')
    return toTest(action, values, bot.language, {
      failure: null,
      status: null,
      durationMs: 0,
      response: useSample ? action.sample : null,
    })
  const run = {
    botId: bot.id,
    id: timedId('run', deps.clock()),
    actionId: action.id,
    conversationId: null,
    onceKey: null,
    isTest: true,
    inputs: maskInputs(action.inputs, values),
    createdAt: deps.clock(),
  }
  await deps.actionRuns.start(run)
  const result = await deps.runAction(action, run.id, { ...values, ...visitorValues(visitor) })
  await deps.actionRuns.finish(bot.id, run.id, result)
  return toTest(action, values, bot.language, result)
}

function toTest(action: ActionRecord, values: InputValues, language: string, result: RunResult): ActionTest {
  const { failure, status, durationMs, response } = result
  const answer =
    failure === null ? renderAnswer(action.answerTemplate, values, response, dialogueWords(language)) : null
  return {
    outcome: failure === null ? 'completed' : 'failed',
    failure,
    status,
    duration_ms: durationMs,
    ...shortened(response ?? null),
    answer,
  }
}

function checkedInputs({ inputs }: ActionRecord, givenValues: InputValues): InputValues {
  const values: InputValues = {}
  const details = inputs.flatMap((input) => {
    const raw = givenValues[input.name]
    const path = `inputs.${input.name}`
    if (raw === undefined) return input.required ? [{ path, message: 'This field is required.' }] : []
    const value = checkInput(input, raw)
    if (value === null) return [{ path, message: `This is not a valid ${input.type}.` }]
    values[input.name] = value
    return []
  })
  if (details.length > 0) throw new Fault('validation_failed', { details })
  return values
}

function newAction(botId: string, id: string, secret: string, now: number): ActionRecord {
  return {
    botId,
    id,
    name: '',
    state: 'draft',
    kind: 'http',
    description: '',
    examples: [],
    notFor: [],
    inputs: [],
    request: null,
    answerTemplate: null,
    audience: 'everyone',
    confirm: true,
    sample: null,
    authShape: null,
    auth: null,
    secret,
    previousSecret: null,
    previousUntil: null,
    createdAt: now,
    updatedAt: now,
  }
}

function withInput(deps: Pick<ActionDeps, 'sealed' | 'clock'>, old: ActionRecord, input: Partial<CreateAction>) {
  const request = input.request === undefined ? old.request : input.request
  const action: ActionRecord = {
    ...old,
    name: input.name?.trim() ?? old.name,
    kind: input.kind ?? old.kind,
    description: input.description?.trim() ?? old.description,
    examples: input.examples?.map((text) => text.trim()) ?? old.examples,
    notFor: input.not_for?.map((text) => text.trim()) ?? old.notFor,
    inputs: input.inputs ?? old.inputs,
    request,
    answerTemplate: input.answer_template === undefined ? old.answerTemplate : input.answer_template,
    audience: input.audience ?? old.audience,
    confirm: input.confirm ?? (request?.method === old.request?.method ? old.confirm : request?.method !== 'GET'),
    state: input.state ?? old.state,
    sample: input.sample === undefined ? old.sample : input.sample,
    updatedAt: deps.clock(),
  }
  if (input.auth !== undefined) return { ...action, ...sealedAuth(deps.sealed, old.id, input.auth) }
  // The secret was given for the old host: whoever changes the URL must know it.
  return originOf(old.request?.url ?? '') === originOf(request?.url ?? '') ? action : { ...action, auth: null }
}

async function requireValid({ urlProblem }: ActionDeps, action: ActionRecord) {
  const details = definitionProblems(action)
  if (details.length === 0 && action.request) {
    const message = await urlProblem(exampleUrl(action.request.url))
    if (message) details.push({ path: 'request.url', message })
  }
  if (details.length > 0) throw new Fault('validation_failed', { details })
}

// Credentials for the other system, sealed and bound to their action.

function sealedAuth(
  sealedText: SealedText,
  actionId: string,
  auth: ActionAuth | null,
): Pick<ActionRecord, 'auth' | 'authShape'> {
  if (auth === null) return { auth: null, authShape: null }
  const name = auth.type === 'header' ? auth.name : null
  return { auth: sealedText.seal(JSON.stringify(auth), authBinding(actionId)), authShape: { type: auth.type, name } }
}

export function makeOpenAuth(sealedText: SealedText): (action: ActionRecord) => ActionAuth | null {
  return ({ id, auth }) => JSON.parse((auth && sealedText.open(auth, authBinding(id))) ?? 'null')
}

function authBinding(actionId: string): string {
  return `credentials of ${actionId}`
}
