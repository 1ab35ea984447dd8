import type { BodyOf, QueryOf, Routes } from '@docent/contract'
import { type Command, FAILED, OK, requireWord, text, UsageError, wholeNumber } from '../command.ts'
import { allItems, BOT_USAGE, botOptions, serverOf } from '../server.ts'

type NewWebhook = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/webhooks']>
type DeliveryQuery = QueryOf<Routes['GET /api/manage/v1/bots/{botId}/deliveries']>

const SHOWN_DELIVERIES = 20
const POLL_MS = 200
const TEST_TIMEOUT_MS = 60_000

export const webhooks: Command = {
  name: 'webhooks',
  summary: 'list, create, test, rotate and delete webhooks, and their deliveries',
  usage: `[create <url> | test <webhook id> | rotate <webhook id> | delete <webhook id>] --bot <id>
docent webhooks deliveries [--webhook <id>] [--state pending|delivered|failed] --bot <id>
docent webhooks replay (<delivery id> | --since <time>) --bot <id>

A secret is shown once. "test" sends a test event and waits for the response. "replay" sends one delivery again, or all
that failed since a time. docent listen forwards events to a local address.

  --events <list>      of a new webhook, separated by commas; default: all
  --webhook <id>       only deliveries to this webhook
  --state <state>      only deliveries in this state
  --limit <number>     how many deliveries, newest first; default: ${SHOWN_DELIVERIES}
  --since <time>       such as 2026-11-16 or 2026-11-16T12:00:00Z
${BOT_USAGE}`,
  options: {
    ...botOptions,
    events: { type: 'string' },
    webhook: { type: 'string' },
    state: { type: 'string' },
    limit: { type: 'string' },
    since: { type: 'string' },
  },

  async run(input, terminal) {
    const [action = 'list', ...words] = input.positionals
    const { client, botId } = serverOf(input, terminal)
    const ofWebhook = () => ({ botId, webhookId: requireWord(input, 'the id of the webhook') })
    switch (action) {
      case 'list': {
        const list = (query: object) =>
          client.request('GET /api/manage/v1/bots/{botId}/webhooks', { params: { botId }, query })
        const items = await allItems(list)
        for (const { id, url, state, kind, pending } of items)
          terminal.say(`${id}  ${url}  ${kind}, ${state}${pending > 0 ? `, ${pending} pending` : ''}`)
        terminal.result(items)
        return OK
      }
      case 'create': {
        const events = text(input, 'events')?.split(/[\s,]+/)
        // The server names unknown events.
        const eventTypes = events && ({ event_types: events } as Pick<NewWebhook, 'event_types'>)
        const body = { url: requireWord(input, 'a URL'), ...eventTypes }
        const webhook = await client.request('POST /api/manage/v1/bots/{botId}/webhooks', { params: { botId }, body })
        terminal.say(`${webhook.id}  ${webhook.url}`)
        terminal.say(webhook.secret)
        terminal.result(webhook)
        return OK
      }
      case 'rotate': {
        const route = 'POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/rotate-secret'
        const webhook = await client.request(route, { params: ofWebhook() })
        terminal.say(webhook.secret)
        terminal.say(`Until ${webhook.previous_secret_until}, the previous secret signs as well.`)
        terminal.result(webhook)
        return OK
      }
      case 'delete': {
        const params = ofWebhook()
        await client.request('DELETE /api/manage/v1/bots/{botId}/webhooks/{webhookId}', { params })
        terminal.say(`${params.webhookId} is deleted.`)
        terminal.result({ id: params.webhookId, deleted: true })
        return OK
      }
      case 'test': {
        const testDelivery = await client.request('POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/test', {
          params: ofWebhook(),
        })
        const params = { botId, deliveryId: testDelivery.id }
        const look = () => client.request('GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}', { params })
        const end = Date.now() + TEST_TIMEOUT_MS
        let delivery = await look()
        while (delivery.attempts === 0 && delivery.state === 'pending' && Date.now() < end) {
          await new Promise((resolve) => setTimeout(resolve, POLL_MS))
          delivery = await look()
        }
        const attempt = delivery.log.at(-1)
        const problem = attempt ? attempt.error : 'It was not sent within a minute.'
        terminal.say(`${delivery.id}  ${problem ?? `${attempt?.status ?? 'logged'} in ${attempt?.duration_ms} ms`}`)
        terminal.result(delivery)
        return problem === null ? OK : FAILED
      }
      case 'deliveries': {
        const [webhookId, state] = [text(input, 'webhook'), text(input, 'state')]
        const query: DeliveryQuery = {
          limit: wholeNumber(input, 'limit', 1) ?? SHOWN_DELIVERIES,
          ...(webhookId ? { webhook_id: webhookId } : {}),
          ...(state ? { state: state as 'pending' } : {}),
        }
        const { items } = await client.request('GET /api/manage/v1/bots/{botId}/deliveries', {
          params: { botId },
          query,
        })
        for (const { id, event_type, state, status, attempts, created_at } of items)
          terminal.say(
            `${id}  ${created_at}  ${event_type}  ${state} (${status ?? 'no response'}, attempt ${attempts})`,
          )
        terminal.result(items)
        return OK
      }
      case 'replay': {
        const since = text(input, 'since')
        if ((since === undefined) === (words.length === 0))
          throw new UsageError('Give the id of a delivery, or --since <time>.')
        if (since !== undefined) {
          if (Number.isNaN(Date.parse(since))) throw new UsageError('--since must be a time.')
          const webhookId = text(input, 'webhook')
          const body = { since: new Date(since).toISOString(), ...(webhookId ? { webhook_id: webhookId } : {}) }
          const report = await client.request('POST /api/manage/v1/bots/{botId}/deliveries/replay', {
            params: { botId },
            body,
          })
          terminal.say(`${report.replayed} sent again.`)
          terminal.result(report)
          return OK
        }
        const params = { botId, deliveryId: requireWord(input, 'the id of the delivery') }
        const route = 'POST /api/manage/v1/bots/{botId}/deliveries/{deliveryId}/replay'
        const delivery = await client.request(route, { params })
        terminal.say(`${delivery.id} is sent again.`)
        terminal.result(delivery)
        return OK
      }
      default:
        throw new UsageError(`Unknown command "docent webhooks ${action}".`)
    }
  },
}
