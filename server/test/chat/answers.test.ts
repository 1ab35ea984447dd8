// What visitors get: small talk, answers quoted from the pages, and a fallback if there is no answer.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const token = ADMIN_TOKEN

const hotel = [
  {
    id: 'breakfast',
    title: 'Breakfast',
    url: 'https://hotel.test/breakfast',
    markdown:
      '# Breakfast\n\nBreakfast is served from seven to half past ten.\n\n## Prices\n\nBreakfast costs 18 euros for adults. Children under six eat breakfast free of charge.',
  },
  {
    id: 'parking',
    title: 'Parking',
    url: 'https://hotel.test/parking',
    markdown: '# Parking\n\nThe garage below the hotel has 40 spaces. Parking in the garage costs 15 euros a night.',
  },
  {
    id: 'pool',
    title: 'Pool and sauna',
    url: 'https://hotel.test/pool',
    markdown: '# Pool and sauna\n\nThe pool on the roof is open from April to October. The sauna costs nothing.',
  },
]

interface Settings {
  documents?: object[]
  /** Fields of the bot, as in a PATCH body. */
  settings?: object
}

async function withBot(engine: Engine, { documents = hotel, settings }: Settings = {}) {
  const server = await startServer(engine)
  const bot = await server.createBot({ documents })
  const change = (body: object) =>
    server.call('PATCH /api/manage/v1/bots/{botId}', { token, params: { botId: bot.botId }, body })
  if (settings) await change(settings)
  const ask = async (message: string, session_id?: string) => {
    const body = { bot_id: bot.botId, message, ...(session_id ? { session_id } : {}) }
    const response = await server.call('POST /api/v1/chat', { token: bot.key, body })
    expect([message, response.status]).toEqual([message, 200])
    return response.body
  }
  return { ...server, ...bot, change, ask }
}

describe('small talk', () => {
  test('is answered with small talk in the visitor’s language, without sources', async () => {
    const { ask } = await withBot('sqlite')
    const spoken: [message: string, reply: RegExp][] = [
      ['Hello!', /^Hello/],
      ['Thank you very much', /welcome/],
      ['Are you a robot?', /^Yes, I am an automated assistant/],
      ['Guten Tag', /^Guten Tag/],
      ['Vielen Dank!', /gern/],
      ['Bist du ein Roboter?', /^Ja, ich bin ein automatischer Assistent/],
      ['مرحبا', /\p{Script=Arabic}/u],
      ['شكرا جزيلا', /\p{Script=Arabic}/u],
      ['هل أنت روبوت؟', /^نعم/],
    ]
    const replies = new Set<string>()
    for (const [message, reply] of spoken) {
      const answer = await ask(message)
      expect([message, answer.response]).toEqual([message, expect.stringMatching(reply)])
      expect([message, answer]).toEqual([message, expect.objectContaining({ sources: [], answered: true })])
      replies.add(answer.response)
    }
    expect(replies.size).toBe(spoken.length)
  })

  test('before a question does not prevent its answer', async () => {
    const { ask } = await withBot('sqlite')
    const plain = await ask('What does parking in the garage cost?')
    expect(plain.response).toContain('15 euros a night')
    for (const greeting of ['Hello, ', 'Good morning! ', 'hi ', 'Hallo! ']) {
      const answer = await ask(`${greeting}What does parking in the garage cost?`)
      expect([greeting, answer.response]).toEqual([greeting, plain.response])
    }
  })

  test('a visitor who asks for a person is offered one, and the question does not count as answered', async () => {
    const { ask } = await withBot('sqlite')
    expect(await ask('I want to talk to a human')).toMatchObject({
      response: 'Would you like to speak to a person?',
      sources: [],
      answered: false,
    })
    expect(await ask('Ich möchte mit einem Menschen sprechen')).toMatchObject({
      response: 'Möchten Sie mit einem Menschen sprechen?',
      answered: false,
    })
  })
})

describe.each(engines)('the wording of a bot on %s', (engine) => {
  test('uses the custom fallback message, or else a sentence in the visitor’s language', async () => {
    const { ask, change } = await withBot(engine)
    const question = 'Welche Planeten unseres Sonnensystems haben eigentlich Ringe?'
    expect((await ask(question)).response).toMatch(/^Darauf habe ich leider keine Antwort gefunden\./)
    expect((await ask('Which planets of the solar system have rings?')).response).toMatch(/^I could not find an answer/)
    expect((await ask('ما هي الكواكب التي لها حلقات؟')).response).toMatch(/\p{Script=Arabic}/u)

    await change({ fallback_message: 'Please ring us: 030 123456.' })
    const ownFallback = await ask(question)
    expect(ownFallback).toMatchObject({ response: 'Please ring us: 030 123456.', sources: [], answered: false })

    await change({ fallback_message: null })
    expect((await ask(question)).response).toMatch(/^Darauf habe ich/)
  })

  test('differs between casual and formal bots', async () => {
    const { ask, change } = await withBot(engine)
    const messages = ['Hello', 'Vielen Dank', 'I want to talk to a human', 'Which planets have rings?']
    const said = async () => Promise.all(messages.map(async (message) => (await ask(message)).response))
    const formal = await said()
    await change({ tone: 'casual' })
    const casualAnswers = await said()
    expect(formal[1]).toContain('Sie')
    for (const [i, message] of messages.entries())
      expect([message, casualAnswers[i]]).not.toEqual([message, expect.stringMatching(`^${escaped(formal[i] ?? '')}$`)])
  })

  test('follows changed thresholds from the next question on', async () => {
    const motorcycles = {
      id: 'motorcycles',
      title: 'Parking motorcycles',
      text: 'Parking a motorcycle in the garage costs 9 euros a night.',
    }
    const { ask, change } = await withBot(engine, { documents: [...hotel, motorcycles] })
    const question = 'What does parking in the garage cost?'
    const standard = await ask(question)

    await change({ answer_threshold: 0, suggest_threshold: 0 })
    const sure = await ask(question)
    expect(sure.answered).toBe(true)
    expect(sure.response).toMatch(/^Parking .* a night\.$/)

    await change({ answer_threshold: 1, suggest_threshold: 0 })
    const unsureAnswer = await ask(question)
    expect(unsureAnswer.response).toBe(`I’m not sure, but this may help:\n\n${sure.response}`)
    expect([unsureAnswer.confidence, unsureAnswer.answered, unsureAnswer.decision]).toEqual([
      sure.confidence,
      true,
      'suggest',
    ])

    await change({ answer_threshold: 1, suggest_threshold: 1 })
    expect(await ask(question)).toMatchObject({ answered: false, sources: [] })
    expect((await ask(question)).response).toMatch(/^I could not find an answer/)

    await change({ answer_threshold: 0, suggest_threshold: 0 })
    const bold = await ask('Is the garage haunted by elephants?')
    expect(bold.answered).toBe(true)
    expect(bold.response).toContain('garage')
    expect((await ask('xyzzy qwertz')).answered).toBe(false)

    await change({ answer_threshold: null, suggest_threshold: null })
    expect((await ask(question)).response).toBe(standard.response)
  })
})

describe('an answer from the pages', () => {
  test('comes from the page in the language of the question', async () => {
    const { ask } = await withBot('sqlite', {
      documents: [
        {
          id: 'en',
          title: 'Camping rules',
          url: 'https://camp.test/en',
          text: 'Dogs are allowed on the camping site. The rest at noon lasts from one to three.',
        },
        {
          id: 'de',
          title: 'Platzordnung Camping',
          url: 'https://camp.test/de',
          text: 'Hunde sind auf dem Campingplatz erlaubt. Die Mittagsruhe dauert von eins bis drei.',
        },
      ],
    })
    const german = await ask('Sind Hunde auf dem Campingplatz erlaubt?')
    expect(german.response).toContain('Hunde sind auf dem Campingplatz erlaubt.')
    expect(german.sources[0].url).toBe('https://camp.test/de')
    const english = await ask('Are dogs allowed on the camping site?')
    expect(english.response).toContain('Dogs are allowed on the camping site.')
    expect(english.sources[0].url).toBe('https://camp.test/en')
  })

  const camping = {
    id: 'camping',
    title: 'Camping',
    url: 'https://camp.test/en',
    text: 'Dogs and quads: leave them at the gate of Camping Alpina, please, and pay for the day.',
  }

  test('in another language than the question is introduced in that of the visitor', async () => {
    const { ask } = await withBot('sqlite', {
      documents: [camping],
      settings: { answer_threshold: 0, suggest_threshold: 0 },
    })
    const { response } = await ask('Wie ist das mit Quads auf Camping Alpina?')
    expect(response).toBe(`Das habe ich auf Englisch gefunden:\n\n${camping.text}`)
    expect((await ask('What about quads at Camping Alpina?')).response).toBe(camping.text)
  })

  test('in another language and in doubt has one introduction, the hedge', async () => {
    const { ask } = await withBot('sqlite', {
      documents: [camping],
      settings: { answer_threshold: 1, suggest_threshold: 0 },
    })
    const { response, decision } = await ask('Wie ist das mit Quads auf Camping Alpina?')
    expect(decision).toBe('suggest')
    expect(response).toBe(`Vielleicht hilft Ihnen das weiter:\n\n${camping.text}`)
  })

  test('in another language gives way to one in the language of the question', async () => {
    const german = {
      ...camping,
      id: 'de',
      url: 'https://camp.test/de',
      text: 'Quads dürfen nicht auf den Platz von Camping Alpina.',
    }
    const { ask } = await withBot('sqlite', {
      documents: [camping, german],
      settings: { answer_threshold: 0, suggest_threshold: 0 },
    })
    expect((await ask('Wie ist das mit Quads auf Camping Alpina?')).response).toBe(german.text)
  })

  test('that a person wrote in another language is introduced too', async () => {
    const { ask, call, botId } = await withBot('sqlite')
    const body = {
      question: 'Gibt es Yoga?',
      answer: 'There is yoga on the roof every morning at eight, and it is free of charge for all of our guests.',
    }
    await call('POST /api/manage/v1/bots/{botId}/answers', { token, params: { botId }, body })
    expect((await ask('Gibt es Yoga?')).response).toBe(`Das habe ich auf Englisch gefunden:\n\n${body.answer}`)
  })

  test('is a list where the page has a list', async () => {
    const items = ['- a valid passport', '- the booking number', '- a credit card']
    const { ask } = await withBot('sqlite', {
      documents: [
        ...hotel,
        {
          id: 'check-in',
          title: 'Check-in',
          url: 'https://hotel.test/check-in',
          markdown: `# Check-in\n\n## What to bring\n\nPlease bring these documents to check-in:\n\n${items.join('\n')}`,
        },
      ],
    })
    const { response, sources } = await ask('Which documents must I bring to check-in?')
    expect(response).toBe(['Please bring these documents to check-in:', ...items].join('\n'))
    expect(sources[0]).toEqual({ title: 'Check-in', url: 'https://hotel.test/check-in#what-to-bring' })
  })

  test('is the matching row where the page has a table', async () => {
    const countries = ['Austria', 'Belgium', 'Denmark', 'Finland', 'Hungary', 'Italy']
    const table = countries.map((country, i) => `| ${country} | ${i + 4}.90 euros |`).join('\n')
    const { ask } = await withBot('sqlite', {
      documents: [
        {
          id: 'shipping',
          title: 'Shipping',
          url: 'https://shop.test/shipping',
          markdown: `# Shipping\n\n## Costs by country\n\n| Country | Price |\n|---|---|\n${table}`,
        },
      ],
    })
    const { response, sources } = await ask('What does shipping to Denmark cost?')
    expect(response).toContain('Denmark')
    expect(response).toContain('6.90 euros')
    for (const otherCountry of countries.filter((country) => country !== 'Denmark'))
      expect(response).not.toContain(otherCountry)
    expect(sources).toEqual([{ title: 'Shipping', url: 'https://shop.test/shipping#costs-by-country' }])
  })

  test('compares two columns of a table, point by point', async () => {
    const markdown =
      '# Plans\n\n| Feature | Free | Solo | Team |\n|---|---|---|---|\n| Storage | 1 GB | 25 GB | 60 GB |\n| Single sign-on | no | no | yes |\n| Guests | none | 3 | 50 |'
    const { ask } = await withBot('sqlite', { documents: [...hotel, { id: 'plans', title: 'Plans', markdown }] })
    const { response } = await ask('What is the difference between the Free and Solo plans?')
    expect(response).toContain(
      '| | Free | Solo |\n| --- | --- | --- |\n| Storage | 1 GB | 25 GB |\n| Guests | none | 3 |',
    )
    expect(response).not.toContain('sign-on')
  })

  test('compares two rows of a table, point by point', async () => {
    const markdown =
      '# Delivery prices\n\n| Delivery | Time | Price | Insured |\n|---|---|---|---|\n| Standard | 4 days | 5 euros | yes |\n| Express | 1 day | 12 euros | yes |\n| Freight | 9 days | 40 euros | yes |'
    const { ask } = await withBot('sqlite', { documents: [...hotel, { id: 'delivery', title: 'Delivery', markdown }] })
    const { response } = await ask('Is express delivery better than standard delivery?')
    expect(response).toContain(
      '| | Standard | Express |\n| --- | --- | --- |\n| Time | 4 days | 1 day |\n| Price | 5 euros | 12 euros |',
    )
    expect(response).not.toMatch(/Freight|Insured/)
  })

  test('compares two sections with one quote from each, under its name', async () => {
    const markdown =
      '# Rooms\n\n## Garden room\n\nThe garden room looks onto the orchard and has one double bed.\n\n## Tower room\n\nThe tower room looks over the sea and has two beds and a balcony.'
    const { ask } = await withBot('sqlite', { documents: [...hotel, { id: 'rooms', title: 'Rooms', markdown }] })
    const { response } = await ask('What is the difference between the garden room and the tower room?')
    expect(response).toMatch(/\*\*Rooms › Garden room\*\*\n.*orchard/)
    expect(response).toMatch(/\*\*Rooms › Tower room\*\*\n.*balcony/)
  })

  test('names only the page that it quotes, linked to the heading of the answer', async () => {
    const documents = Array.from({ length: 9 }, (_, i) => ({
      id: `branch-${i}`,
      title: `Branch ${i}`,
      url: `https://shop.test/branch-${i}`,
      markdown: `# Branch ${i}\n\n## Gift vouchers\n\nGift vouchers are sold at the counter.\n\n## Gift wrapping\n\nGift vouchers are sold at the counter, wrapped.`,
    }))
    const { ask } = await withBot('sqlite', { documents })
    const { sources } = await ask('Where are gift vouchers sold?')
    expect(sources).toHaveLength(1)
    expect(sources[0].url).toMatch(/#gift-(vouchers|wrapping)$/)
  })
})

describe.each(engines)('a conversation on %s', (engine) => {
  test('a follow-up question is understood from the previous one', async () => {
    const { ask } = await withBot(engine)
    const first = await ask('What does breakfast cost?')
    expect(first.response).toContain('18 euros')
    const second = await ask('And for children?', first.session_id)
    expect(second.response).toContain('Children under six eat breakfast free of charge.')
    expect(second.sources[0].url).toBe('https://hotel.test/breakfast#prices')
  })

  test('a question on a new topic is not answered from the old one', async () => {
    const { ask } = await withBot(engine)
    const question = 'When is the pool on the roof open?'
    const { session_id } = await ask('What does breakfast cost?')
    await ask('And for children?', session_id)
    const answerInSession = await ask(question, session_id)
    const answerAlone = await ask(question)
    expect(answerInSession.response).toContain('open from April to October')
    expect([answerInSession.response, answerInSession.sources]).toEqual([answerAlone.response, answerAlone.sources])
  })
})

test('a message that only names a page is answered from it without a hedge', async () => {
  const { ask } = await withBot('sqlite')
  for (const message of ['parking', 'breakfast?', 'what is your parking policy', 'sauna']) {
    expect([message, (await ask(message)).decision]).toEqual([message, 'answer'])
  }
})

test('to a question for a figure, an answer without one is unsure', async () => {
  const times = (text: string) => [{ id: 'bikes', title: 'Bike couriers', url: 'https://shop.test/bikes', text }]
  const decided = async (text: string) => {
    const { ask } = await withBot('sqlite', { documents: times(text) })
    return (await ask('How long does delivery by bike courier take?')).decision
  }
  expect(await decided('Delivery by bike courier takes 3 days.')).toBe('answer')
  expect(await decided('Delivery by bike courier takes about a week.')).toBe('answer')
  expect(await decided('Delivery by bike courier takes longer when the roads are icy.')).toBe('suggest')
})

test('an unsure answer is not repeated to another question', async () => {
  const { ask } = await withBot('sqlite', { settings: { answer_threshold: 1, suggest_threshold: 0.01 } })
  const first = await ask('How much is parking in the garage?')
  expect(first).toMatchObject({ decision: 'suggest', response: expect.stringContaining('15 euros a night') })
  const followUpAnswer = await ask('Sorry, how much was parking in the garage?', first.session_id)
  expect(followUpAnswer.response).toContain('15 euros a night')
  const otherAnswer = await ask('Who painted it?', first.session_id)
  expect(otherAnswer.response).not.toContain('15 euros')
})

test('an unsure answer is not given to a question whose words the content does not know', async () => {
  const { ask } = await withBot('sqlite', { settings: { answer_threshold: 1, suggest_threshold: 0.01 } })
  expect(await ask('Which brewery sponsors the garage?')).toMatchObject({ answered: false, decision: 'fall_back' })
  expect(await ask('Is the garage heated?')).toMatchObject({ answered: true, decision: 'suggest' })
})

describe('hostile content', () => {
  const hostile: [name: string, body: object, question: string, stands: string][] = [
    [
      'a script tag in text',
      { text: 'The caretaker <script>alert(1)</script> lives in the lighthouse.' },
      'Where does the caretaker live?',
      'The caretaker <script>alert(1)</script> lives in the lighthouse.',
    ],
    [
      'a script tag in HTML',
      { html: '<p>The caretaker lives in the lighthouse.</p><script>alert("caretaker lighthouse")</script>' },
      'Where does the caretaker live?',
      'The caretaker lives in the lighthouse.',
    ],
    [
      'a Markdown image in text',
      { text: 'The caretaker ![x](https://evil.test/?q=1) lives in the lighthouse.' },
      'Where does the caretaker live?',
      'The caretaker ![x](https://evil.test/?q=1) lives in the lighthouse.',
    ],
    [
      'right-to-left marks',
      { text: 'The caretaker\u202E lives\u200F in the lighthouse.' },
      'Where does the caretaker live?',
      'The caretaker\u202E lives\u200F in the lighthouse.',
    ],
    [
      'a very long word',
      { text: `The caretaker lives in ${'lighthouse'.repeat(60)}.` },
      'Where does the caretaker live?',
      `The caretaker lives in ${'lighthouse'.repeat(60)}.`,
    ],
    [
      '10,000 times the same letter',
      { text: `${'z'.repeat(10_000)}\n\nThe caretaker lives in the lighthouse.` },
      'Where does the caretaker live?',
      'The caretaker lives in the lighthouse.',
    ],
  ]

  test.each(hostile)('with %s is answered with its text', async (_name, body, question, textOfPage) => {
    const { ask } = await withBot('sqlite', { documents: [...hotel, { id: 'hostile', title: 'Caretaker', ...body }] })
    const { response, answered } = await ask(question)
    expect(answered).toBe(true)
    expect(response).toContain(textOfPage)
    expect(response).not.toContain('alert("')
  })

  test('in a question gets an answer too', async () => {
    const { ask } = await withBot('sqlite')
    const questions = [
      '<script>alert(1)</script>',
      '![x](https://evil.test)',
      'z'.repeat(10_000),
      'breakfast '.repeat(999),
      '\u202E\u200F\u200E\u2066',
      '???',
      '🙂',
      '\u0301\u0301\u0301',
    ]
    for (const question of questions) {
      const { response } = await ask(question)
      expect(response).not.toBe('')
      expect(response).not.toContain('<script>')
    }
  })
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

test('filler words in a question do not hide the page it is about', async () => {
  const { ask } = await withBot('sqlite')
  for (const message of ['What is your parking policy?', 'I need information about parking', 'parking rules']) {
    const { sources } = await ask(message)
    expect([message, sources[0]?.title]).toEqual([message, 'Parking'])
  }
  // Nor do they produce an answer to an unrelated question.
  expect((await ask('What is your policy on penguins?')).answered).toBe(false)
})
