// Keys that sites sign with who their visitors are.
import { Fault, type Identity, type IdentityKey } from '@docent/contract'
import type { Context } from '../context.ts'
import type { IdentityKeyRecord, IdentityRecord } from '../storage/identities.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import type { Route } from './server/route.ts'

export function identityRoutes(
  route: Route,
  { storage }: Context,
  { access, conversations }: Pick<Modules, 'access' | 'conversations'>,
) {
  const { identityKeys } = storage
  const { findBot } = access
  const { identity } = conversations

  route('GET /api/manage/v1/bots/{botId}/identity-keys', async ({ caller, params }) => {
    const bot = await findBot(caller, params.botId)
    return { items: (await identityKeys.list(bot.id)).map(toKey) }
  })

  route('POST /api/manage/v1/bots/{botId}/identity-keys', async ({ caller, params, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const { record, key } = await identity.createKey(bot.id)
    setAuditTarget(record.id)
    return { ...toKey(record), key }
  })

  route(
    'DELETE /api/manage/v1/bots/{botId}/identity-keys/{identityKeyId}',
    async ({ caller, params, setAuditTarget }) => {
      const bot = await findBot(caller, params.botId)
      if (!(await identityKeys.remove(bot.id, params.identityKeyId))) throw new Fault('not_found')
      setAuditTarget(params.identityKeyId)
      return undefined
    },
  )
}

function toKey({ id, lastFour, createdAt, lastUsedAt }: IdentityKeyRecord): IdentityKey {
  return { id, last_four: lastFour, created_at: timestamp(createdAt), last_used_at: timestampOrNull(lastUsedAt) }
}

export function toIdentity({ userId, name, email, phone, attributes, verifiedAt }: IdentityRecord): Identity {
  return { user_id: userId, name, email, phone, attributes, verified_at: timestamp(verifiedAt) }
}
