// What visitors who ask for a person are told about the wait.
import { BOT_LANGUAGES } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { openWaitingTimes } from '../../src/conversations/waiting-times.ts'
import type { BotRecord } from '../../src/storage/bots.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { joinWorkspace } from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const token = ADMIN_TOKEN
const inWords = { en: 'I want to talk to a human, please', de: 'Ich möchte mit einem Menschen sprechen' }
const workdays = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }]

async function withBot(engine: Engine) {
  const server = await startServer(engine, { environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  const { call, clock } = server
  const { botId, workspaceId } = await server.createBot({})
  const patch = async (body: object) => {
    const response = await call('PATCH /api/manage/v1/bots/{botId}', { token, params: { botId }, body })
    expect(response.status, response.text).toBe(200)
  }
  /** What is told to a visitor who presses the button, and to one who asks in words. */
  const told = async (body: { locale?: string; timezone?: string } = {}) => {
    const buttonReply: string = (await createVisitor(call, botId).post('handover', body)).body.reply
    const wordsReply: string = (
      await createVisitor(call, botId).say(inWords[body.locale?.startsWith('de') ? 'de' : 'en'], body)
    ).body.reply
    expect(wordsReply).toBe(buttonReply)
    return buttonReply
  }
  /** A visitor waits this long, and then gets a reply. */
  const wait = async (waitMs: number | null) => {
    await createVisitor(call, botId).post('handover')
    const list = await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params: { botId } })
    const params = { botId, conversationId: list.body.items[0].id as string }
    clock.now += waitMs ?? MINUTE
    if (waitMs === null) return
    const text = 'How can I help?'
    await call('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages', {
      token,
      params,
      body: { text },
    })
    await call('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/close', { token, params })
  }
  return { ...server, botId, workspaceId, patch, told, wait }
}

describe.each(engines)('on %s', (engine) => {
  test('the usual wait is the median of the last requests, unless there are too few or most got no reply', async () => {
    const { told, wait, clock } = await withBot(engine)
    for (const minutes of [1, 2, 90, 3]) await wait(minutes * MINUTE)
    const plain = 'I have passed your conversation on. A member of our team will reply here.'
    // This asks twice, which nobody answers.
    expect(await told()).toBe(plain)
    clock.now += 31 * DAY
    for (const minutes of [1, 2, 90, 4, 3]) await wait(minutes * MINUTE)
    clock.now += MINUTE
    expect(await told()).toBe(`${plain} We usually reply within about 3 minutes.`)
    // Two have no reply yet, which may take longer than all others.
    clock.now += MINUTE
    expect(await told({ locale: 'de' })).toBe(
      'Ich habe Ihr Gespräch weitergegeben. Jemand aus unserem Team antwortet Ihnen hier. Unsere übliche Antwortzeit: etwa 4 Minuten.',
    )
    for (let count = 0; count < 4; count++) await wait(null)
    expect(await told()).toBe(plain)
  })

  test('outside office hours a visitor is told when somebody is back, in their own time zone', async () => {
    const { patch, told, clock } = await withBot(engine)
    await patch({ handover: { hours: { timezone: 'Europe/Vienna', open: workdays } } })
    // Friday, 18:00 in Vienna, 12:00 in New York and Saturday, 2:00 in Tokyo.
    clock.now = Date.UTC(2026, 10, 20, 17)
    const nobody = 'Nobody is available right now.'
    const leave = 'Please leave your contact details, and we will get back to you.'
    expect(await told({ locale: 'en-GB', timezone: 'Europe/Vienna' })).toBe(
      `${nobody} We’ll be back on Monday at 9:00. ${leave}`,
    )
    expect(await told({ locale: 'en-US', timezone: 'America/New_York' })).toBe(
      `${nobody} We’ll be back on Monday at 3:00 AM. ${leave}`,
    )
    expect(await told({ locale: 'de-AT', timezone: 'Asia/Tokyo' })).toContain('Wir sind am Montag um 17:00 wieder da.')
    // Named, where the visitor's is not known.
    expect(await told({ locale: 'de' })).toContain('Wir sind am Montag um 09:00 MEZ wieder da.')
    expect(await told({ locale: 'de', timezone: 'Mars/Olympus' })).toContain('am Montag um 09:00 MEZ')
    clock.now = Date.UTC(2026, 10, 23, 6)
    expect(await told({ locale: 'en-GB', timezone: 'Europe/London' })).toContain('We’ll be back today at 8:00.')
    clock.now = Date.UTC(2026, 10, 23, 18)
    await patch({ lead_form: null })
    expect(await told({ locale: 'en-GB', timezone: 'Europe/London' })).toBe(`${nobody} We’ll be back tomorrow at 8:00.`)
    await patch({ handover: { enabled: false } })
    expect(await told({ timezone: 'Europe/London' })).toBe(nobody)
  })

  test('a return a week or more ahead is given with its date, and daylight saving time is taken into account', async () => {
    const { patch, told, clock } = await withBot(engine)
    const openHours = [{ days: ['sun'], from: '09:00', to: '12:00' }]
    await patch({ handover: { hours: { timezone: 'Europe/Vienna', open: openHours } } })
    // Sunday, 13:00 in Vienna. Clocks are set forward on the next one.
    clock.now = Date.UTC(2026, 2, 22, 12)
    expect(await told({ locale: 'en-GB', timezone: 'Europe/Vienna' })).toContain('back on Sunday 29 March at 9:00.')
    expect(await told({ locale: 'en-GB', timezone: 'UTC' })).toContain('back on Sunday 29 March at 7:00.')
  })

  test('working hours of members count, and nobody is promised who is away within office hours', async () => {
    const { call, workspaceId, patch, told, clock } = await withBot(engine)
    const ada = await joinWorkspace(call, workspaceId, 'agent', 'ada@example.test')
    const set = (body: object) =>
      ada.call('PUT /api/manage/v1/workspaces/{workspaceId}/availability', { params: { workspaceId }, body })
    const back = async () => /We’ll be back [^.]*\./.exec(await told({ locale: 'en-GB', timezone: 'UTC' }))?.[0]
    // Monday, 18:00.
    clock.now = Date.UTC(2026, 10, 23, 18)
    await set({ hours: { timezone: 'UTC', open: [{ ...workdays[0], from: '10:00' }] } })
    expect(await back()).toBe('We’ll be back tomorrow at 10:00.')
    await set({ status: 'away' })
    expect(await back()).toBeUndefined()
    await patch({
      handover: { hours: { timezone: 'UTC', open: [{ days: ['tue', 'wed'], from: '08:00', to: '09:30' }] } },
    })
    // Never within both hours.
    expect(await back()).toBeUndefined()
    await patch({ handover: { hours: { timezone: 'UTC', open: workdays } } })
    expect(await back()).toBe('We’ll be back tomorrow at 10:00.')
  })
})

/** What is told to a reader, of visitors who waited so long and a team that is back so much later. */
function timesWith({ wait = 0, back = DAY, hour = 18 }) {
  const now = Date.UTC(2026, 10, 23, hour)
  const bot = { id: 'bot_x', tone: 'formal', widget: { leadForm: null } } as unknown as BotRecord
  const times = openWaitingTimes({
    conversations: { listWaits: async () => Array.from({ length: 5 }, () => wait) },
    findReturn: async () => ({ at: now + back, timezone: 'UTC' }),
    clock: () => now,
  })
  const plain = (text: string) => text.replaceAll(/\s/g, ' ')
  return {
    handedOver: async (language: string) => plain(await times.handedOver(bot, { language })),
    nobodyThere: async (language: string, locale?: string) =>
      plain(await times.nobodyThere(bot, { language, locale, timezone: 'UTC' })),
  }
}

test.each([...BOT_LANGUAGES])('all of it is said in %s', async (language) => {
  const [usually, tomorrow, thursday] = spoken[language]
  expect(await timesWith({ wait: 2 * MINUTE }).handedOver(language)).toContain(usually)
  expect(await timesWith({ back: DAY }).nobodyThere(language)).toContain(tomorrow)
  expect(await timesWith({ back: 3 * DAY }).nobodyThere(language)).toContain(thursday)
})

test.each([...BOT_LANGUAGES])('a minute, hours and days of waiting follow the grammar of %s', async (language) => {
  const sentences = await Promise.all(
    [MINUTE, 5 * 60 * MINUTE, 2 * DAY].map((wait) => timesWith({ wait }).handedOver(language)),
  )
  for (const [index, usually] of lengths[language].entries()) expect(sentences[index]).toContain(usually)
})

test.each([
  ['es-MX', 'Volvemos mañana a las 12:00 p.m.'],
  ['es-AR', 'Volvemos mañana a las 12:00 p. m.'],
  ['en-CA', 'We’ll be back tomorrow at 12:00 p.m.'],
])('in %s the full stop of the time ends the sentence', async (locale, sentence) => {
  const spokenText = await timesWith({ hour: 12 }).nobodyThere(locale.slice(0, 2), locale)
  expect(spokenText.slice(spokenText.indexOf(sentence))).toBe(sentence)
})

test.each([
  ['es-MX', 13, 'Volvemos mañana a la 1:00 p.m.'],
  ['es-ES', 1, 'Volvemos mañana a la 1:00.'],
  ['es-ES', 13, 'Volvemos mañana a las 13:00.'],
  ['it-IT', 1, 'Torniamo domani all’1:00.'],
  ['it-IT', 11, 'Torniamo domani alle 11:00.'],
  ['pt-BR', 1, 'Voltamos amanhã à 1:00.'],
  ['pt-BR', 10, 'Voltamos amanhã às 10:00.'],
])('in %s one o’clock is a singular', async (locale, hour, sentence) => {
  expect(await timesWith({ hour }).nobodyThere(locale.slice(0, 2), locale)).toContain(sentence)
})

const lengths: Record<(typeof BOT_LANGUAGES)[number], [minute: string, hours: string, days: string]> = {
  en: [
    'We usually reply within about 1 minute.',
    'We usually reply within about 5 hours.',
    'We usually reply within about 2 days.',
  ],
  de: [
    'Unsere übliche Antwortzeit: etwa 1 Minute.',
    'Unsere übliche Antwortzeit: etwa 5 Stunden.',
    'Unsere übliche Antwortzeit: etwa 2 Tage.',
  ],
  fr: ['en 1 minute environ.', 'en 5 heures environ.', 'en 2 jours environ.'],
  es: ['en aproximadamente 1 minuto.', 'en aproximadamente 5 horas.', 'en aproximadamente 2 días.'],
  it: ['entro 1 minuto circa.', 'entro 5 ore circa.', 'entro 2 giorni circa.'],
  pt: ['em cerca de 1 minuto.', 'em cerca de 5 horas.', 'em cerca de 2 dias.'],
  nl: ['binnen ongeveer 1 minuut.', 'binnen ongeveer 5 uur.', 'binnen ongeveer 2 dagen.'],
  pl: ['to mniej więcej 1 minuta.', 'to mniej więcej 5 godzin.', 'to mniej więcej 2 dni.'],
  sv: ['inom ungefär 1 minut.', 'inom ungefär 5 timmar.', 'inom ungefär 2 dygn.'],
  da: ['inden for cirka 1 minut.', 'inden for cirka 5 timer.', 'inden for cirka 2 dage.'],
  tr: ['yaklaşık 1 dakika içinde', 'yaklaşık 5 saat içinde', 'yaklaşık 2 gün içinde'],
  ar: ['المعتاد تقريبًا: دقيقة.', 'المعتاد تقريبًا: 5 ساعات.', 'المعتاد تقريبًا: يومان.'],
  ru: ['— примерно 1 минута.', '— примерно 5 часов.', '— примерно 2 дня.'],
  zh: ['通常约1分钟内回复。', '通常约5小时内回复。', '通常约2天内回复。'],
  ja: ['通常、1 分ほどで', '通常、5 時間ほどで', '通常、2 日ほどで'],
}

const spoken: Record<(typeof BOT_LANGUAGES)[number], [usually: string, tomorrow: string, thursday: string]> = {
  en: [
    'We usually reply within about 2 minutes.',
    'We’ll be back tomorrow at 6:00 PM.',
    'We’ll be back on Thursday at 6:00 PM.',
  ],
  de: [
    'Unsere übliche Antwortzeit: etwa 2 Minuten.',
    'Wir sind morgen um 18:00 wieder da.',
    'Wir sind am Donnerstag um 18:00 wieder da.',
  ],
  fr: [
    'Nous répondons généralement en 2 minutes environ.',
    'Nous serons de retour demain à 18:00.',
    'Nous serons de retour jeudi à 18:00.',
  ],
  es: [
    'Solemos responder en aproximadamente 2 minutos.',
    'Volvemos mañana a las 18:00.',
    'Volvemos el jueves a las 18:00.',
  ],
  it: ['Di solito rispondiamo entro 2 minuti circa.', 'Torniamo domani alle 18:00.', 'Torniamo giovedì alle 18:00.'],
  pt: ['Costumamos responder em cerca de 2 minutos.', 'Voltamos amanhã às 18:00.', 'Voltamos quinta-feira às 18:00.'],
  nl: [
    'Meestal antwoorden we binnen ongeveer 2 minuten.',
    'We zijn morgen om 18:00 terug.',
    'We zijn donderdag om 18:00 terug.',
  ],
  pl: ['Zwykły czas odpowiedzi to mniej więcej 2 minuty.', 'Wracamy jutro o 18:00.', 'Wracamy: czwartek, godz. 18:00.'],
  sv: [
    'Vi svarar oftast inom ungefär 2 minuter.',
    'Vi är tillbaka i morgon kl. 18:00.',
    'Vi är tillbaka på torsdag kl. 18:00.',
  ],
  da: [
    'Vi svarer som regel inden for cirka 2 minutter.',
    'Vi er tilbage i morgen kl. 18.00.',
    'Vi er tilbage torsdag kl. 18.00.',
  ],
  tr: [
    'Genellikle yaklaşık 2 dakika içinde yanıt veriyoruz.',
    'Dönüş zamanımız: yarın saat 18:00.',
    'Dönüş zamanımız: Perşembe saat 18:00.',
  ],
  ar: ['وقت الرد المعتاد تقريبًا: دقيقتان.', 'سنعود غدًا الساعة 6:00 م.', 'سنعود يوم الخميس الساعة 6:00 م.'],
  ru: ['Обычное время ответа — примерно 2 минуты.', 'Мы вернёмся завтра в 18:00.', 'Мы вернёмся: четверг, 18:00.'],
  zh: ['通常约2分钟内回复。', '我们将于明天 18:00恢复服务。', '我们将于星期四 18:00恢复服务。'],
  ja: ['通常、2 分ほどでお返事します。', '明日 18:00に再開します。', '木曜日 18:00に再開します。'],
}
