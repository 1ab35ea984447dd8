// Notification channels: who is told of what, in which format, and when.
import { describe, expect, onTestFinished, test } from 'vitest'
import { openRateLimits } from '../../src/access/rate-limits.ts'
import { openStorage, type Storage } from '../../src/storage/storage.ts'
import { makeGatherNotifications } from '../../src/webhooks/gather-notifications.ts'
import { engines } from '../harness/database/databases.ts'
import { countRows, queryRows } from '../harness/database/rows.ts'
import { mailText, startMailServer } from '../harness/external/mail-server.ts'
import { type Receiver, startReceiver } from '../harness/external/receiver.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'
import { createVisitor, type TestVisitor } from '../harness/visitors.ts'
import { pause, waitFor } from '../harness/wait.ts'

const channels = '/api/manage/v1/bots/{botId}/notification-channels'
const log = '/api/manage/v1/bots/{botId}/deliveries'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const token = ADMIN_TOKEN
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

type GatherDeps = Parameters<typeof makeGatherNotifications>[0]
type Engine = (typeof engines)[number]

async function start(engine: Engine, environment: Record<string, string> = {}) {
  const server = await startServer(engine, {
    environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8', WEBHOOK_TIMEOUT_SECONDS: '60', ...environment },
  })
  const bot = await server.createBot()
  return { ...server, bot, ...doing(server, bot.botId) }
}

function doing({ call }: TestServer, botId: string) {
  const params = { botId }
  return {
    add: (body: object) => call(`POST ${channels}`, { token, params, body }),
    channel: async (channelId: string) =>
      (await call(`GET ${channels}/{channelId}`, { token, params: { botId, channelId } })).body,
    change: (channelId: string, body: object) =>
      call(`PATCH ${channels}/{channelId}`, { token, params: { botId, channelId }, body }),
    test: (channelId: string) => call(`POST ${channels}/{channelId}/test`, { token, params: { botId, channelId } }),
    delivery: async (deliveryId: string) =>
      (await call(`GET ${log}/{deliveryId}`, { token, params: { botId, deliveryId } })).body,
    deliveries: async (query: Record<string, string> = {}) =>
      (await call(`GET ${log}`, { token, params, query })).body.items as { state: string; event_type: string }[],
    visitor: () => createVisitor(call, botId),
    conversations: async () =>
      (await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params })).body.items as { id: string }[],
  }
}

const leaves = (visitor: TestVisitor, name: string, more: object = {}) =>
  visitor.post('lead', { fields: { name, email: `${name.toLowerCase()}@shop.test`, ...more } })

function gatherFrom(storage: Storage, workspaceId: string, deps: Partial<GatherDeps>) {
  return makeGatherNotifications({
    items: storage.notificationItems,
    channels: storage.notificationChannels,
    deliveries: storage.deliveries,
    transaction: storage.transaction,
    countWithin: async () => {},
    onEvents: () => {},
    baseUrl: '',
    findBot: (id) => storage.bots.find(workspaceId, id),
    clock: Date.now,
    onError: (error) => expect.unreachable(String(error)),
    ...deps,
  })
}

describe.each(engines)('notifications on %s', (engine) => {
  test('a lead and a waiting visitor arrive by e-mail and in the formats of Slack, Teams and Discord', async () => {
    const mail = await startMailServer()
    const server = await start(engine, { SMTP_URL: mail.url, MAIL_FROM: 'Docent <docent@example.com>' })
    const { add, visitor, clock } = server
    const kinds = ['slack', 'teams', 'discord', 'generic'] as const
    const receivers = Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await startReceiver()])))
    const { slack, teams, discord, generic } = receivers as Record<(typeof kinds)[number], Receiver>
    const settings = { event_types: ['lead.created', 'handover.waiting'], waiting_minutes: 3 }
    for (const kind of kinds) {
      const response = await add({ kind, url: receivers[kind].url, ...settings })
      expect(response.status).toBe(201)
      expect(JSON.stringify(response.body)).not.toContain(receivers[kind].url)
    }
    expect((await add({ kind: 'email', recipients: ['team@shop.test', 'boss@shop.test'], ...settings })).status).toBe(
      201,
    )

    const ada = visitor()
    await ada.post('handover', {})
    await leaves(ada, 'Ada', { message: 'Call <!channel> @everyone [me](https://evil.test) & *now*' })
    const [firstMail] = await mail.waitForMails(1)
    expect(firstMail?.to).toEqual(['team@shop.test', 'boss@shop.test'])
    expect(firstMail?.content).toMatch(/^Reply-To: ada@shop.test$/m)
    expect(firstMail?.content).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(firstMail?.content).toMatch(/^Message-ID:\s+<[\w-]+@docent\.test>$/m)
    expect(firstMail?.content).toMatch(/^Subject: New lead: Ada \(Test bot\)$/m)
    expect(mailText(firstMail as never)).toContain('Message: Call <!channel> @everyone')

    const [inSlack] = await slack.waitForCount(1)
    expect(inSlack?.json.text).toBe('New lead: Ada (Test bot)')
    expect(inSlack?.json).toMatchObject({ unfurl_links: false, unfurl_media: false })
    expect(inSlack?.json.blocks[1].text.verbatim).toBe(true)
    expect(inSlack?.json.blocks[0]).toMatchObject({ type: 'header', text: { type: 'plain_text' } })
    expect(inSlack?.json.blocks[1].text.text).toContain('Call &lt;!channel&gt; @everyone')
    expect(inSlack?.json.blocks[1].text.text).toMatch(
      /<https:\/\/docent\.test\/bots\/.+\/inbox\/cnv_\w+\|Open the conversation>/,
    )

    const [inTeams] = await teams.waitForCount(1)
    const [card] = inTeams?.json.attachments ?? []
    expect(inTeams?.json.type).toBe('message')
    expect(card.contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect(card.content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
    expect(card.content.body[1].facts).toContainEqual({ title: 'Email', value: 'ada\\@shop.test' })
    expect(card.content.actions[0]).toMatchObject({ type: 'Action.OpenUrl', title: 'Open the conversation' })

    const [inDiscord] = await discord.waitForCount(1)
    expect(inDiscord?.json.allowed_mentions).toEqual({ parse: [] })
    expect(inDiscord?.json.embeds[0].description).toContain('\\[me\\]\\(https://evil.test\\)')
    const [plain] = await generic.waitForCount(1)
    expect(plain?.json).toMatchObject({ event_type: 'notification', bot_name: 'Test bot' })
    expect(plain?.json.text).toContain('Email: ada@shop.test')

    clock.now += 4 * MINUTE
    const waitingText = 'A visitor has been waiting for 4 minutes'
    await mail.waitForMails(2)
    expect(mail.mails[1]?.content).toContain(waitingText)
    expect((await slack.waitForCount(2))[1]?.json.text).toContain(waitingText)
    expect((await teams.waitForCount(2))[1]?.body).toContain(waitingText)
    expect((await discord.waitForCount(2))[1]?.json.embeds[0].title).toBe(waitingText)
    expect(server.logs()).not.toContain('ada@shop.test')
  })

  test('quiet hours hold messages back, and a digest sends the day as one', async () => {
    const { add, visitor, clock, channel, change, deliveries } = await start(engine)
    const night = await startReceiver()
    const daily = await startReceiver()
    const lead = { event_types: ['lead.created'], timezone: 'Europe/Vienna' }
    // It is 13:00 in Vienna.
    const quiet = [{ days: everyDay, from: '12:30', to: '15:00' }]
    const heldChannel = (await add({ kind: 'slack', url: night.url, ...lead, quiet_hours: quiet })).body
    const digest = (await add({ kind: 'slack', url: daily.url, ...lead, digest_at: '18:00' })).body
    for (const name of ['Ada', 'Bea', 'Cyd']) {
      await leaves(visitor(), name)
      clock.now += MINUTE
    }
    await waitFor(async () => (await channel(heldChannel.id)).held === 3, 'three that are held')
    clock.now += HOUR
    await pause(1200)
    expect([night.received, daily.received]).toEqual([[], []])

    clock.now += HOUR
    const [afterwards] = await night.waitForCount(1)
    expect(afterwards?.json.text).toBe('3 new leads (Test bot)')
    expect(afterwards?.json.blocks).toHaveLength(4)
    expect((await channel(digest.id)).held).toBe(3)
    clock.now += 3 * HOUR
    expect((await daily.waitForCount(1))[0]?.json.text).toBe('3 new leads (Test bot)')
    // The log of webhooks has none of it; the channel's own has.
    expect(await deliveries()).toEqual([])
    await waitFor(async () => (await deliveries({ webhook_id: digest.id }))[0]?.state === 'delivered', 'the delivery')

    await change(digest.id, { digest_at: null, include_details: false })
    await leaves(visitor(), 'Dan')
    const [, withoutDetails] = await daily.waitForCount(2)
    expect(withoutDetails?.body).toContain('New lead')
    expect(withoutDetails?.body).not.toContain('Dan')
    await night.waitForCount(2)
  })

  test('no notification is sent about a visitor who was answered in time or erased', async () => {
    const { add, call, visitor, clock, bot, conversations, database, stop } = await start(engine)
    const { botId } = bot
    const receiver = await startReceiver()
    await add({ kind: 'generic', url: receiver.url, event_types: ['handover.waiting'], waiting_minutes: 5 })
    const digest = await add({ kind: 'generic', url: receiver.url, event_types: ['lead.created'], digest_at: '13:00' })
    const [answeredVisitor, erasedVisitor, waitingVisitor] = [visitor(), visitor(), visitor()]
    for (const each of [answeredVisitor, erasedVisitor, waitingVisitor]) await each.post('handover', {})
    await leaves(erasedVisitor, 'Canary')
    await leaves(waitingVisitor, 'Wendy')
    const [third, second, first] = await conversations()
    const ids = [first, second, third].map((each) => each?.id ?? '')
    const reply = 'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages'
    await call(reply, { token, params: { botId, conversationId: ids[0] as string }, body: { text: 'Hello!' } })
    clock.now += 2 * HOUR
    await receiver.waitForCount(2)
    const items = receiver.received.flatMap(
      ({ json }) => json.items as { event_type: string; conversation_id: string }[],
    )
    expect(
      items
        .filter(({ event_type }) => event_type === 'handover.waiting')
        .map((each) => each.conversation_id)
        .sort(),
    ).toEqual([ids[1], ids[2]].sort())

    // What several have in common loses what it tells of one of them.
    const idOf = async (q: string) => {
      const visitors = await call('GET /api/manage/v1/bots/{botId}/visitors', {
        token,
        params: { botId },
        query: { q },
      })
      return visitors.body.items[0].id as string
    }
    const visitorId = await idOf('Canary')
    await call('DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}', { token, params: { botId, visitorId } })
    const rowsAfterErasure = JSON.stringify(await queryRows(database, 'SELECT * FROM deliveries'))
    expect(rowsAfterErasure).not.toContain('Canary')
    expect(rowsAfterErasure).toContain('Wendy')

    // Also while one is being gathered.
    const lateVisitor = visitor()
    await leaves(lateVisitor, 'Latecomer')
    await leaves(waitingVisitor, 'Wendy')
    const lateId = await idOf('Latecomer')
    await stop()
    const storage = await openStorage({ ...database, databasePoolSize: 3 }, clock.now)
    onTestFinished(() => storage.close())
    let erasure: Promise<boolean> | undefined
    const gather = gatherFrom(storage, bot.workspaceId, {
      clock: () => clock.now + 24 * HOUR,
      transaction: (work) =>
        storage.transaction(async (tx) => {
          const result = await work(tx)
          erasure ??= storage.people.erase(botId, lateId)
          await pause(100)
          return result
        }),
    })
    await gather()
    expect(await erasure).toBe(true)
    const storedDeliveries = JSON.stringify(await queryRows(database, 'SELECT * FROM deliveries'))
    expect(storedDeliveries).not.toContain('Latecomer')
    expect(storedDeliveries.match(/Wendy/g)).toHaveLength(2)
    expect(digest.status).toBe(201)
  })

  test('a test message reports its result, and a failing channel shows the error', async () => {
    const mail = await startMailServer({ refuses: true })
    const {
      add,
      test: send,
      delivery,
      channel,
      change,
      call,
      bot,
    } = await start(engine, {
      SMTP_URL: mail.url,
      MAIL_FROM: 'docent@example.com',
    })
    const receiver = await startReceiver()
    const slackChannel = (await add({ kind: 'slack', url: receiver.url })).body
    const testDelivery = await send(slackChannel.id)
    expect(testDelivery.status).toBe(201)
    expect((await receiver.waitForCount(1))[0]?.json.text).toBe('Test notification (Test bot)')
    await waitFor(async () => (await delivery(testDelivery.body.id)).state === 'delivered', 'the delivery')

    receiver.answer = (response) => response.writeHead(404).end('no_service')
    const failingDelivery = await send(slackChannel.id)
    await waitFor(async () => (await delivery(failingDelivery.body.id)).log.length > 0, 'an attempt')
    expect((await delivery(failingDelivery.body.id)).log[0]).toMatchObject({ status: 404, answer: 'no_service' })
    expect((await channel(slackChannel.id)).state).toBe('failing')

    const mailChannel = (await add({ kind: 'email', recipients: ['team@shop.test'] })).body
    const unsentDelivery = await send(mailChannel.id)
    await waitFor(async () => (await delivery(unsentDelivery.body.id)).log.length > 0, 'an attempt')
    const [attempt] = (await delivery(unsentDelivery.body.id)).log
    expect(attempt.error).toBe('The email was not sent: EAUTH 535.')
    expect(JSON.stringify(attempt)).not.toContain('CANARY')

    expect((await change(slackChannel.id, { enabled: false })).body.state).toBe('disabled')
    expect((await send(slackChannel.id)).body.error.code).toBe('notification_channel_disabled')
    for (let count = 0; count < 6; count++) await send(mailChannel.id)
    const replayOptions = { token, params: { botId: bot.botId, deliveryId: unsentDelivery.body.id } }
    expect((await call(`POST ${log}/{deliveryId}/replay`, replayOptions)).status).toBe(201)
    expect((await call(`POST ${log}/{deliveryId}/replay`, replayOptions)).status).toBe(429)
    expect((await send(mailChannel.id)).status).toBe(429)
    const params = { botId: bot.botId, channelId: slackChannel.id }
    expect((await call(`DELETE ${channels}/{channelId}`, { token, params })).status).toBe(204)
    expect((await call(`GET ${channels}/{channelId}`, { token, params })).status).toBe(404)
  })
})

test('beyond sixty per hour in a workspace, emails are delayed and combined', async () => {
  const { add, visitor, bot, clock, database, conversations, stop } = await start('sqlite', {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'docent@example.com',
  })
  await visitor().post('handover', {})
  const about = (await conversations())[0]?.id ?? ''
  for (let count = 0; count < 10; count++)
    await add({ kind: 'email', recipients: [`${count}@shop.test`], event_types: ['lead.created'] })
  await stop()
  const storage = await openStorage({ ...database, databasePoolSize: 3 }, clock.now)
  onTestFinished(() => storage.close())
  const gather = gatherFrom(storage, bot.workspaceId, {
    clock: () => clock.now,
    countWithin: openRateLimits({ throttles: storage.throttles, isShared: false, clock: () => clock.now }).countWithin,
  })
  const counts: number[] = []
  for (let minute = 0; minute < 8; minute++) {
    const event = { botId: bot.botId, id: `evt_${minute}`, type: 'lead.created' as const, createdAt: clock.now, about }
    const payload = JSON.stringify({ data: { lead: { name: 'Ada', fields: {} } } })
    await storage.transaction((tx) => storage.deliveries.report(tx, { ...event, payload }))
    await gather()
    counts.push(await countRows(database, 'deliveries'))
    clock.now += minute === 6 ? HOUR : MINUTE
  }
  expect(counts).toEqual([10, 20, 30, 40, 50, 60, 60, 70])
  const [last] = await queryRows(database, 'SELECT payload FROM deliveries ORDER BY id DESC LIMIT 1')
  expect(JSON.parse(String(last?.payload)).items).toHaveLength(2)
})

test('bad channels are refused and change nothing', async () => {
  const { add, change, channel, call, bot } = await start('sqlite')
  const url = 'http://127.0.0.1:9/hook'
  const { id } = (await add({ kind: 'slack', url })).body
  const details = async (body: object) => (await add(body)).body.error
  expect((await details({ kind: 'email', recipients: ['team@shop.test'] })).code).toBe('email_not_configured')
  expect((await details({ kind: 'slack' })).details[0].path).toBe('url')
  expect((await details({ kind: 'slack', url: 'http://10.0.0.1/' })).details[0].path).toBe('url')
  expect((await details({ kind: 'slack', url: 'https://discord.com/api/webhooks/1/x' })).details[0].message).toBe(
    'This is a Discord URL.',
  )
  expect((await details({ kind: 'teams', recipients: ['a@b.test'], url })).details[0].path).toBe('recipients')
  expect((await details({ kind: 'pager', url })).code).toBe('validation_failed')
  expect((await details({ kind: 'slack', url, timezone: 'Mars/Base' })).details[0].path).toBe('timezone')
  const before = await channel(id)
  for (const body of [{ timezone: 'Mars' }, { digest_at: '25:00' }, { event_types: [] }, { waiting_minutes: 0 }])
    expect((await change(id, body)).status).toBe(400)
  expect(await channel(id)).toEqual(before)
  // A channel is no webhook.
  const params = { botId: bot.botId, webhookId: id }
  expect((await call('GET /api/manage/v1/bots/{botId}/webhooks/{webhookId}', { token, params })).status).toBe(404)
  for (let count = 1; count < 10; count++) expect((await add({ kind: 'generic', url })).status).toBe(201)
  expect((await details({ kind: 'generic', url })).code).toBe('too_many_notification_channels')
})
