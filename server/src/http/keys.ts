import type { Key } from '@docent/contract'
import { secretPrefixes } from '../access/secrets.ts'
import type { Context } from '../context.ts'
import { utcDay } from '../days.ts'
import {
  createKey,
  describeKey,
  describeKeys,
  findKey,
  type KeyDetails,
  revokeKey,
  rotateKey,
  rotateSyncKey,
  updateKey,
} from '../keys/keys.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function keyRoutes(
  route: Route,
  { storage, outbound, clock }: Context,
  { access, webhooks }: Pick<Modules, 'access' | 'webhooks'>,
) {
  const { keys, workspaces } = storage
  const { findBot, chatKeys, audit } = access
  const deps = {
    keys,
    workspaces,
    findBot,
    chatKeys,
    audit,
    webhooks: storage.webhooks,
    secrets: webhooks.secrets,
    switchWebhook: webhooks.switchWebhook,
    onWebhookChanged: webhooks.onChanged,
    urlProblem: outbound.urlProblem,
    clock,
  }

  route('POST /api/manage/v1/bots/{botId}/keys', async ({ params, body, ...call }) => {
    const { key, secret, webhookSecret } = await createKey(deps, call, params.botId, body)
    return { ...toKey(key), key: secret, ...withWebhookSecret(webhookSecret) }
  })

  route('GET /api/manage/v1/bots/{botId}/keys', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const list = (after: string, limit: number) => keys.list(bot.id, utcDay(clock()), after, limit)
    return page(query, async (after, limit) => describeKeys(deps, bot, await list(after, limit)), toKey)
  })

  route('GET /api/manage/v1/bots/{botId}/keys/{keyId}', async ({ caller, params }) => {
    const { bot, key } = await findKey(deps, caller, params)
    return toKey(await describeKey(deps, bot, key))
  })

  route('PATCH /api/manage/v1/bots/{botId}/keys/{keyId}', async ({ params, body, ...call }) => {
    const { key, webhookSecret } = await updateKey(deps, call, params, body)
    return { ...toKey(key), ...withWebhookSecret(webhookSecret) }
  })

  route('POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke', async ({ params, ...call }) =>
    toKey(await revokeKey(deps, call, params)),
  )

  route('POST /api/manage/v1/bots/{botId}/keys/{keyId}/rotate', async ({ params, body, ...call }) => {
    const { key, secret } = await rotateKey(deps, call, params, body.overlap)
    return { ...toKey(key), key: secret }
  })

  route('POST /api/manage/v1/bots/{botId}/sync-key', async ({ params, body, ...call }) => {
    const { secret, record } = await rotateSyncKey(deps, call, params.botId, body.overlap)
    return { key: secret, last_four: record.lastFour, created_at: timestamp(record.createdAt) }
  })
}

function withWebhookSecret(secret: string | undefined) {
  return secret === undefined ? {} : { webhook_secret: secret }
}

function toKey(key: KeyDetails): Key {
  return {
    id: key.id,
    bot_id: key.botId,
    name: key.name,
    prefix: secretPrefixes.chat,
    last_four: key.lastFour,
    state: key.state,
    created_by: key.createdBy,
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastCallAt),
    expires_at: timestampOrNull(key.expiresAt),
    revoked_at: timestampOrNull(key.revokedAt),
    daily_limit: key.dailyLimit,
    calls_today: key.callsToday,
    webhook_url: key.mirror?.url ?? null,
    webhook_id: key.mirror?.id ?? null,
  }
}
