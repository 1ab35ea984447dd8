// Replies without an answer: what to do next, and nothing that leads nowhere.
import { describe, expect, test } from 'vitest'
import { nobodyAvailable } from '../../src/answers/fall-back.ts'
import { languageData, languages } from '../../src/language/languages.ts'
import { TONES } from '../../src/language/schema.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const UNKNOWN = 'Which planets of the solar system have rings?'
const { noAnswer, offerPerson } = languageData.en.fallback.formal
const article = {
  id: 'parcels',
  title: 'Lost parcels',
  url: 'https://shop.test/parcels',
  text: 'If a parcel is lost, contact the parcel service by e-mail or phone: claims@parcels.example, +43 1 5550100. We reply from noreply@shop.test.',
}
const lenses = {
  id: 'lenses',
  title: 'Contact lenses',
  url: 'https://shop.test/lenses',
  text: 'Contact lenses are sent by post. Contact us about support for hard lenses; phone orders are not possible.',
}

async function withBot(engine: Engine, documents: object[], settings: object = {}) {
  const server = await startServer(engine)
  const { botId, key } = await server.createBot({ documents })
  const change = (body: object) =>
    server.call('PATCH /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId }, body })
  await change(settings)
  const ask = async (message: string) =>
    (await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })).body
  return { ...server, botId, change, ask, visitor: () => createVisitor(server.call, botId) }
}

const page = (text: string, title = 'Contact us') => ({ id: 'contact', title, url: 'https://shop.test/contact', text })

describe.each(engines)('a question without an answer on %s', (engine) => {
  test.each([
    ['no contact anywhere', [article, lenses], null],
    ['an address on the contact page', [article, page('Write to hello@shop.test.')], 'hello@shop.test'],
    [
      'a no-reply address and one that is read',
      [page('From noreply@shop.test. Write to team@shop.test.')],
      'team@shop.test',
    ],
    [
      'only a no-reply address',
      [page('Mail comes from no-reply@shop.test.')],
      '[Contact us](https://shop.test/contact)',
    ],
    ['a phone number on the contact page', [article, page('Call us: +43 1 234 567 89.')], '+43 1 234 567 89'],
    [
      'a page about it without details',
      [lenses, page('Use the form below.', 'Get in touch | Shop')],
      '[Get in touch | Shop](https://shop.test/contact)',
    ],
    [
      'addresses for other purposes',
      [page('jobs@shop.test for applications, hi@shop.test for the rest.')],
      'hi@shop.test',
    ],
    [
      'an address at the own host in an article',
      [{ ...article, text: 'Contact us by e-mail: help@shop.test.' }],
      'help@shop.test',
    ],
  ])('with %s names what leads somewhere', async (_, documents, contact) => {
    const { ask } = await withBot(engine, documents)
    const { response, decision } = await ask(UNKNOWN)
    expect(decision).toBe('fall_back')
    expect(response).toBe(contact ? `${noAnswer} You can reach us here: ${contact}.` : noAnswer)
  })

  test('finds the contact page in the visitor’s language, or else in English', async () => {
    const kontakt = {
      id: 'kontakt',
      title: 'Kontakt',
      url: 'https://shop.test/kontakt',
      text: 'Telefon: 030 23125 014',
      language: 'de',
    }
    const german = await withBot(engine, [kontakt], { language: 'de', site_url: 'https://shop.de' })
    expect((await german.ask('Welche Planeten haben eigentlich Ringe?')).response).toContain('030 23125 014')
    const english = await withBot(engine, [page('Write to hello@shop.test.')])
    expect((await english.ask('Welche Planeten haben eigentlich Ringe?')).response).toContain('hello@shop.test')
  })

  test.each([
    ['en', 'Contact us', 'How can I reach you by phone?'],
    ['en', 'Contact us', 'How can I get in touch?'],
    ['fr', 'Contact', 'Comment puis-je vous joindre ?'],
    ['es', 'Contacto', '¿Cómo puedo contactaros?'],
    ['ru', 'Контакты', 'Как с вами связаться?'],
    ['ja', '連絡先', 'お問い合わせ先は？'],
    ['de', 'Kontakt', 'Wie kann ich euch telefonisch erreichen?'],
    ['de', 'Kontakt', 'Kann ich euch anrufen?'],
    ['nl', 'Contactgegevens', 'Hoe kan ik jullie bereiken?'],
    ['nl', 'Contactgegevens', 'Kan ik jullie bellen?'],
    ['sv', 'Kontakt', 'Kan jag ringa er?'],
    ['pl', 'Dane kontaktowe', 'Jak się z wami skontaktować?'],
    ['pl', 'Dane kontaktowe', 'Czy mogę do was zadzwonić?'],
    ['tr', 'İletişim', 'Size nasıl ulaşabilirim?'],
    ['tr', 'İletişim', 'Sizi arayabilirim?'],
  ])('names the way to get in touch in %s to who asks on a page “%s”: %s', async (language, title, question) => {
    const document = { id: 'contact', title, text: 'E-mail: hallo@shop.test', language }
    const { ask } = await withBot(engine, [document], { language })
    const { reachUs } = languageData[language as (typeof languages)[number]].fallback.formal
    expect((await ask(question)).response).toBe(reachUs.replace('{contact}', 'hallo@shop.test'))
  })

  test('has no answer to who asks for goods that are also a way to get in touch', async () => {
    const { ask } = await withBot(engine, [page('Write to hello@shop.test.')])
    expect((await ask('Which phones?')).response).toContain('could not find')
  })

  test.each([
    ['en', 'Contact us', UNKNOWN, '“Contact us”'],
    ['de', 'Kontakt', 'Welche Planeten haben eigentlich Ringe?', '„Kontakt“'],
    ['fr', 'Contact', 'Quelles planètes du système solaire ont des anneaux ?', '«\u00a0Contact\u00a0»'],
    ['es', 'Contacto', '¿Qué planetas del sistema solar tienen anillos?', '«Contacto»'],
  ])('quotes a page that cannot be linked as %s does', async (language, title, question, quotation) => {
    const document = { id: 'contact', title, text: title, language }
    const { ask } = await withBot(engine, [document], { language, source_pages: false })
    const { response, decision } = await ask(question)
    expect(decision).toBe('fall_back')
    expect(response).toContain(` ${quotation}.`)
  })

  test('offers at most two next steps, a person among them', async () => {
    const returnsPage = {
      id: 'returns',
      title: 'Returning skis',
      url: 'https://shop.test/skis',
      text: 'Skis and poles are returned in the bag that they came in, to the shop in Linz.',
    }
    const question = 'In which bag are poles returned to Linz?'
    const { ask, change, visitor } = await withBot(engine, [returnsPage, page('Write to hello@shop.test.')], {
      suggest_threshold: 1,
      answer_threshold: 1,
    })
    const links = ({ response }: { response: string }) =>
      [/\(https:\/\/shop\.test\/skis\)/, /hello@shop\.test/].map((each) => each.test(response))
    const withPeople = await ask(question)
    expect(withPeople.decision).toBe('fall_back')
    expect(links(withPeople).filter(Boolean)).toHaveLength(1)
    expect((await visitor().say(question)).body.buttons).toMatchObject([{ type: 'handover' }])
    await change({ handover: { enabled: false } })
    expect(links(await ask(question)).filter(Boolean)).toHaveLength(1)
    expect((await visitor().say(question)).body.buttons).toMatchObject([{ type: 'lead_form' }])
    await change({ lead_form: null })
    expect(links(await ask(question))).toEqual([true, true])
    expect((await visitor().say(question)).body.buttons).toEqual([])
  })
})

describe.each(engines)('no thumbs and no missing answer on %s', (engine) => {
  const says = (reply: string) =>
    Object.values(languageData).some(({ fallback }) => TONES.some((tone) => reply.includes(fallback[tone].noAnswer)))

  test.each([
    'I want to talk to a human',
    'You are useless!',
    'I am really angry',
    'are you still there?',
    'Bist du noch da?',
    'Das ist eine Frechheit!',
    'Vous êtes toujours là ?',
  ])('for %j, whether or not there is a person', async (message) => {
    const { change, visitor } = await withBot(engine, [article])
    for (const settings of [{}, { handover: { enabled: false } }, { lead_form: null }]) {
      await change(settings)
      const { body } = await visitor().say(message)
      expect(body).toMatchObject({ rateable: false, reply: expect.stringMatching(/\S/) })
      expect(says(body.reply), body.reply).toBe(false)
      expect(body.reply.includes(offerPerson)).toBe(false)
    }
  })

  test('anger, insults and calls offer a person where there is one, or else the contact form', async () => {
    const { change, visitor } = await withBot(engine, [article])
    for (const message of ['You are useless!', 'I am really angry', 'Ich bin stinksauer', 'are you still there?'])
      expect((await visitor().say(message)).body.buttons, message).toMatchObject([{ type: 'handover' }])
    expect((await visitor().say('Good morning')).body.buttons).toEqual([])
    const ada = visitor()
    await ada.say('Good morning')
    expect((await ada.say('are you still there')).body.buttons).toMatchObject([{ type: 'handover' }])
    await change({ handover: { enabled: false } })
    const { body } = await visitor().say('You are useless!')
    expect(body.buttons.map(({ type }: { type: string }) => type)).not.toContain('handover')
  })

  test('someone who waits for a person is not told that there is no answer', async () => {
    const { visitor } = await withBot(engine, [article])
    const ada = visitor()
    await ada.say('I want to talk to a human')
    const { body } = await ada.say(UNKNOWN)
    expect(body).toMatchObject({ rateable: false, decision: 'person', answered: false })
    expect(says(body.reply)).toBe(false)
  })
})

test.each(languages)('what is said when nobody is there asks for no details: %s', (language) => {
  for (const tone of TONES) {
    const phrases = languageData[language].fallback[tone]
    expect(nobodyAvailable(phrases).length).toBeGreaterThan(4)
    expect(nobodyAvailable(phrases).length).toBeLessThan(phrases.leaveContact.length)
    // The contact form may have no field for either.
    expect(phrases.leaveContact).not.toMatch(/e-?mail|phone|telefo/i)
  }
})
