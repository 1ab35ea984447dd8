// Never two languages in one chat: texts, buttons and handover follow the language that the visitor began in.
import { describe, expect, test } from 'vitest'
import { type Language, languageData } from '../../src/language/languages.ts'
import { engines } from '../harness/database/databases.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const documents = [
  {
    id: 'delivery',
    title: 'Delivery',
    text: 'Delivery to Austria takes three working days.',
    url: 'https://shop.test/d',
  },
]

const chats: [Language, string, string[]][] = [
  [
    'de',
    'Welche Planeten im Sonnensystem haben eigentlich Ringe?',
    ['Nike Air', 'und in blau?', 'thanks', 'Samsung Galaxy Ultra'],
  ],
  [
    'fr',
    'Quelles planètes du système solaire ont des anneaux ?',
    ['Nike Air', 'et en bleu ?', 'danke', 'Samsung Galaxy Ultra'],
  ],
  [
    'es',
    '¿Qué planetas del sistema solar tienen anillos?',
    ['Nike Air', '¿y en azul?', 'merci', 'Samsung Galaxy Ultra'],
  ],
  [
    'it',
    'Quali pianeti del sistema solare hanno gli anelli?',
    ['Nike Air', 'e in blu?', 'thanks', 'Samsung Galaxy Ultra'],
  ],
  ['pt', 'Quais planetas do sistema solar têm anéis?', ['Nike Air', 'e em azul?', 'thanks', 'Samsung Galaxy Ultra']],
  [
    'nl',
    'Welke planeten in het zonnestelsel hebben ringen?',
    ['Nike Air', 'en in het blauw?', 'thanks', 'Samsung Galaxy Ultra'],
  ],
  [
    'pl',
    'Które planety w Układzie Słonecznym mają pierścienie?',
    ['Nike Air', 'a w niebieskim?', 'thanks', 'Samsung Galaxy Ultra'],
  ],
  [
    'sv',
    'Vilka planeter i solsystemet har egentligen ringar?',
    ['Nike Air', 'och i blått?', 'thanks', 'Samsung Galaxy Ultra'],
  ],
]

describe.each(engines)('a chat on %s', (engine) => {
  test('stays in the language of its visitor', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId } = await createBot({ documents })
    for (const [language, question, others] of chats) {
      const visitor = createVisitor(call, botId)
      for (const message of [question, ...others]) {
        const { body } = await visitor.say(message, { locale: 'en-US' })
        expect([message, body.language]).toEqual([message, language])
        const { person } = languageData[language].buttons
        for (const { type, label } of body.buttons) if (type === 'handover') expect(label).toBe(person)
      }
      const { body } = await visitor.post('handover', { locale: 'en-US' })
      expect(body.reply).toBe(languageData[language].fallback.formal.handedOver)
    }
  })

  test('begins in the language of the widget where the first message does not tell', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId, key } = await createBot({ documents })
    const { body } = await createVisitor(call, botId).say('Nike Air', { locale: 'fr-CA' })
    expect(body).toMatchObject({ language: 'fr', answered: false })
    expect(body.reply).toContain(languageData.fr.fallback.formal.noAnswer)
    const greeting = await createVisitor(call, botId).say('Hello!', { locale: 'fr-FR' })
    expect(greeting.body).toMatchObject({ language: 'fr', decision: 'small_talk' })
    const { text } = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Nike Air' } })
    expect(text).toContain(languageData.en.fallback.formal.noAnswer)
  })
})

test('a short first message that asks for a person is understood in every language, and answered in it', async () => {
  const server = await startServer('sqlite')
  const { botId, key } = await server.createBot({ documents })
  for (const [message, reply] of [
    ['eine Person bitte', 'Menschen sprechen'],
    ['un humano', 'una persona'],
    ['human please', 'speak to a person'],
  ] as const) {
    const { body } = await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
    expect([message, body.decision, body.response]).toEqual([message, 'person', expect.stringContaining(reply)])
  }
})

test.each([
  [
    'de',
    'Die Rückgabe ist innerhalb von 21 Tagen möglich.',
    'Innerhalb von wie vielen Tagen ist die Rükcgabe möglich?',
  ],
  ['fr', 'Le remboursement arrive sous 21 jours.', 'Quand arrive le rembousement ?'],
  ['es', 'El reembolso llega en 21 días.', '¿Cuándo llega el reemboslo?'],
  ['it', 'La consegna richiede 21 giorni.', 'Quanto richiede la consenga?'],
  ['pt', 'A devolução demora 21 dias.', 'Quanto demora a devoulção?'],
  ['nl', 'De verzendkosten zijn 21 euro.', 'Wat zijn de verzendksoten?'],
])('a typo does not hide the answer in %s', async (language, text, message) => {
  const server = await startServer('sqlite')
  const otherPage = { id: 'b', title: 'B', text: '7', url: 'https://shop.test/b' }
  const page = { id: 'a', title: 'A', text, url: 'https://shop.test/a' }
  const { botId, key } = await server.createBot({ language, documents: [page, otherPage] })
  const { body } = await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
  expect(body).toMatchObject({ response: expect.stringContaining('21'), answered: true })
})
