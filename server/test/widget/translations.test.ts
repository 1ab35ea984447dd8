// The texts that a company wrote itself, per language.
import { describe, expect, test } from 'vitest'
import { languageData } from '../../src/language/languages.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const widget = {
  greeting: 'Hello! Ask us about your order, we are happy to help you.',
  suggested_questions: ['How long does the delivery take?', 'What can I do if it is broken?'],
}
const fallback_message = 'Sorry, we do not know that. Please call us on 01 234.'
const french = {
  language: 'fr',
  greeting: 'Bonjour ! Une question sur votre commande ?',
  suggested_questions: ['Quels sont les délais de livraison ?'],
  fallback_message: 'Désolé, appelez-nous au 01 234.',
  buttons: [{ label: 'Returns', text: 'Retours', question: 'Comment renvoyer un article ?' }],
  handover_questions: [{ label: 'Topic', ask: 'De quoi s’agit-il ?', choices: ['Facture', 'Livraison'] }],
}
const UNKNOWN = {
  en: 'Which planets of the solar system have rings?',
  fr: 'Quelles planètes du système solaire ont des anneaux ?',
  de: 'Welche Planeten im Sonnensystem haben denn eigentlich Ringe?',
}

async function withBot(engine: Engine) {
  const server = await startServer(engine)
  const { botId, key } = await server.createBot({
    documents: [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }],
  })
  const patch = (body: object) => server.call(`PATCH ${BOT}`, { token: server.adminToken, params: { botId }, body })
  const configIn = async (locale: string) =>
    (await server.call(`GET /api/chat/{botId}/config${locale && `?locale=${locale}`}`, { params: { botId } })).body
  const ask = async (message: string) =>
    (await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })).body
  return { ...server, botId, patch, configIn, ask }
}

describe.each(engines)('texts per language on %s', (engine) => {
  test('are stored, replaced as a whole, and refused when a language comes twice or is unknown', async () => {
    const { patch, call, adminToken, botId } = await withBot(engine)
    const read = async () => (await call(`GET ${BOT}`, { token: adminToken, params: { botId } })).body.translations
    expect(await read()).toEqual([])
    await patch({ translations: [french, { language: 'de', greeting: 'Hallo!' }, { language: 'nl' }] })
    expect(await read()).toEqual([
      french,
      {
        language: 'de',
        greeting: 'Hallo!',
        suggested_questions: [],
        fallback_message: null,
        buttons: [],
        handover_questions: [],
      },
    ])
    await patch({ name: 'Renamed' })
    expect(await read()).toHaveLength(2)
    for (const translations of [[french, french], [{ language: 'fi' }], [{ ...french, greeting: '' }]])
      expect((await patch({ translations })).status).toBe(400)
    await patch({ translations: [] })
    expect(await read()).toEqual([])
  })

  test('greet visitors in their language, and never in one that is clearly another', async () => {
    const { patch, configIn } = await withBot(engine)
    await patch({ widget, translations: [french] })
    expect(await configIn('')).toMatchObject(widget)
    expect(await configIn('en-GB')).toMatchObject(widget)
    const { greeting, suggested_questions } = french
    expect(await configIn('fr')).toMatchObject({ greeting, suggested_questions })
    expect(await configIn('fr-CA')).toMatchObject({ greeting, suggested_questions })
    expect(await configIn('de')).toMatchObject({ greeting: null, suggested_questions: [] })
    expect(await configIn('ja')).toMatchObject({ greeting: null, suggested_questions: [] })
    await patch({ widget: { greeting: 'Docent 👋', suggested_questions: ['Nike Air?'] } })
    expect(await configIn('de')).toMatchObject({ greeting: 'Docent 👋', suggested_questions: ['Nike Air?'] })
    await patch({ translations: [{ language: 'fr', greeting }] })
    expect(await configIn('fr')).toMatchObject({ greeting, suggested_questions: ['Nike Air?'] })
  })

  test('say in the language of the chat that there is no answer', async () => {
    const { patch, ask, call, botId } = await withBot(engine)
    await patch({ fallback_message, translations: [french] })
    expect((await ask(UNKNOWN.en)).response).toBe(fallback_message)
    expect((await ask(UNKNOWN.fr)).response).toBe(french.fallback_message)
    expect((await ask(UNKNOWN.de)).response).toContain(languageData.de.fallback.formal.noAnswer)
    const { body } = await createVisitor(call, botId).say(UNKNOWN.fr)
    expect(body).toMatchObject({ reply: french.fallback_message, language: 'fr' })
    await patch({ handover: { enabled: false }, lead_form: null })
    const person = await createVisitor(call, botId).say('Je voudrais parler à un conseiller, s’il vous plaît')
    expect(person.body).toMatchObject({ reply: french.fallback_message, decision: 'person' })
  })
})
