// The reader model: what it adds to an answer, and that nothing depends on it.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTokenizer, plainWords } from '../../src/inference/wordpiece.ts'
import { ADMIN_TOKEN, startServer, type TestBot, type TestServer } from '../harness/start-server.ts'
import { expectInOneAttempt } from '../harness/timing.ts'
import { waitFor } from '../harness/wait.ts'

const on = { EMBEDDINGS: 'on' }

const markdown = `# Orders and returns

## Sending things back

You have 30 days to send back anything that is unworn and has its tags. Sale items can only be exchanged.

## When the money arrives

Refunds reach your card within five working days of the parcel arriving at our warehouse.

## Express delivery

Express parcels ordered before noon arrive on the next working day and cost 9.90 euros.

## Gift wrapping

We do not wrap presents. You can add a printed card for 2 euros at the checkout.`

const account = `## Delete your account

Open Settings and choose Delete account. You have 14 days to change your mind.`

const documents = [
  { id: 'account', title: 'Your account', url: 'https://shop.example/account', markdown: account },
  { id: 'orders', title: 'Orders and returns', url: 'https://shop.example/orders', markdown },
  {
    id: 'contact',
    title: 'Contact',
    url: 'https://shop.example/contact',
    text: 'Write to hello@shop.example any time.',
  },
]

async function readingServer(onEnd: (stop: () => Promise<void>) => void) {
  const server = await startServer('sqlite', { environment: on, onEnd })
  const bot = await server.createBot({ documents })
  const { call } = server
  const knowledge = async () =>
    (await call('GET /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId: bot.botId } })).body.knowledge
  const isRead = ({ status, embedded_passages }: Record<string, unknown>) =>
    status === 'ready' && embedded_passages === 6
  await waitFor(async () => isRead(await knowledge()), 'the vectors')
  return createAsk(server, bot)
}

function createAsk({ call }: TestServer, { botId, key }: TestBot) {
  return async (message: string, session?: string) => {
    const body = { bot_id: botId, message, ...(session ? { session_id: session } : {}) }
    return (await call('POST /api/v1/chat', { token: key, body })).body
  }
}

// On a slow machine a reading may be late for its question, but is there for the next.
describe('with the reader', () => {
  let ask: ReturnType<typeof createAsk>
  let stop: () => Promise<void>
  beforeAll(async () => {
    ask = await readingServer((end) => {
      stop = end
    })
  })
  afterAll(() => stop())

  test('a typo does not change the answer', () =>
    expectInOneAttempt(async () => {
      for (const [typo, right] of [
        ['how long unitl i have my cash agian', 'how long until i have my cash again'],
        ['can i exchnage sale itmes', 'can i exchange sale items'],
      ] as const) {
        const [one, other] = [await ask(typo), await ask(right)]
        expect([typo, one.response, one.confidence]).toEqual([typo, other.response, other.confidence])
      }
    }))

  test('questions in other words are answered from the right section', () =>
    expectInOneAttempt(async () => {
      const lateAnswer = await ask('how long until i have my cash again')
      expect(lateAnswer.response).toContain('five working days')
      const quick = await ask('next day delivery price')
      expect(quick.response).toContain('next working day')
      expect(quick.sources).toMatchObject([{ url: 'https://shop.example/orders#express-delivery' }])
    }))

  test('a question of which the content knows no word may still be answered', () =>
    expectInOneAttempt(async () => {
      const { response, answered } = await ask('i want my profile wiped, how')
      expect([answered, response]).toEqual([true, expect.stringContaining('choose Delete account')])
    }))

  test('an off-topic question after one on topic is declined, and the next follow-up is understood', () =>
    expectInOneAttempt(async () => {
      const first = await ask('how many days do i have to return a jacket')
      expect(first.response).toContain('30 days')
      const poem = await ask('write me a poem', first.session_id)
      expect(poem).toMatchObject({ answered: false, sources: [] })
      const express = await ask('and how fast is express?', first.session_id)
      expect(express.response).toContain('next working day')
    }))

  test('a follow-up is answered from the section that was shown already, when it is what was asked', () =>
    expectInOneAttempt(async () => {
      const first = await ask('how many days do i have to return a jacket')
      const followUpAnswer = await ask('and sale items?', first.session_id)
      expect(followUpAnswer.response).toContain('only be exchanged')
    }))

  test('both parts of a question are answered, each from its own section', () =>
    expectInOneAttempt(async () => {
      const twoPartAnswer = await ask('how many days do i have to send it back and how much is express delivery?')
      expect(twoPartAnswer.response).toContain('30 days')
      expect(twoPartAnswer.response).toContain('9.90 euros')
    }))

  test('the second part of a question is about the first, not about what was said before', () =>
    expectInOneAttempt(async () => {
      const first = await ask('can you add a printed card to a gift')
      expect(first.response).toContain('2 euros')
      const twoPartAnswer = await ask('do you have express delivery and what does it cost', first.session_id)
      expect(twoPartAnswer.response).toContain('9.90 euros')
      expect(twoPartAnswer.response).not.toContain('2 euros')
    }))

  test('a question that the content does not answer is declined, with contact details', () =>
    expectInOneAttempt(async () => {
      const answer = await ask('who is the president of france')
      expect(answer).toMatchObject({ answered: false, sources: [] })
      expect(answer.response).toContain('hello@shop.example')
      expect(answer.response).not.toContain('shop.example/orders')
    }))

  test('/readyz reports the reader, or why there is none', async () => {
    const server = await startServer('sqlite', { environment: on })
    const details = async (of: TestServer) => (await of.call('GET /readyz')).body.details.reader
    await expect.poll(() => details(server)).toMatch(/^docent-reader-/)
    expect(await details(await startServer('sqlite'))).toBe('absent: switched off')
  })
})

describe('tokens', () => {
  const tokenize = makeTokenizer(['[UNK]', 'return', '##s', 'cafe', 'it', "'", 's', '30', '€'])

  test('have their position in the text, also for parts of a word', () => {
    const { ids, starts, ends } = tokenize("It's 30 Returns")
    expect(ids).toEqual([4, 5, 6, 7, 1, 2])
    expect(starts).toEqual([0, 2, 3, 5, 8, 14])
    expect(ends).toEqual([2, 3, 4, 7, 14, 15])
  })

  test('of a word with an accent have positions too, and an unknown word is one token', () => {
    expect(tokenize('Cafés')).toEqual({ ids: [3, 2], starts: [0, 4], ends: [4, 5] })
    expect(tokenize('zebra')).toEqual({ ids: [0], starts: [0], ends: [5] })
  })

  test('keep the marks that are part of a letter, and lose accents, vowel signs and emoji variants', () => {
    const pieces = ['[UNK]', 'が', '##ぎ', '한', '##국', 'की', 'прием', 'κεφαλη', 'كتاب', 'istanbul', '漢', '字', '❤']
    const ids = (text: string) => makeTokenizer(pieces)(text).ids
    // Composed and decomposed forms are the same.
    expect(ids('がぎ')).toEqual([1, 2])
    expect(ids('がぎ'.normalize('NFD'))).toEqual([1, 2])
    expect(ids('한국')).toEqual([3, 4])
    expect(ids('की')).toEqual([5])
    expect(ids('Приём Κεφαλή كِتَاب İstanbul')).toEqual([6, 7, 8, 9])
    expect(ids('漢字❤\uFE0F')).toEqual([10, 11, 12])
  })

  test('of English text stay as they were without the pieces for other languages, but for one word in a thousand', () => {
    const folder = new URL('../../../lab/training/', import.meta.url)
    const all = readFileSync(new URL('vocabulary.txt', folder), 'utf8').split('\n')
    const [now, before] = [makeTokenizer(all), makeTokenizer(all.slice(0, 30_522))]
    const cut = (text: string) => [now, before].map((tokens) => tokens(text).ids.join(' '))
    const [ids, idsBefore] =
      cut(`How do I cancel my subscription, and will you refund unused days? We refurbish headphones,
      smartwatches and e-bikes; warranty repairs take 10–14 business days. Café Zoë's naïve résumé isn't invoiced.`)
    expect(ids).toEqual(idsBefore)
    const words = ['w10', 'w11', 'w12', 'w13', 'w14'].flatMap((name) => [
      ...plainWords(readFileSync(new URL(`questions/${name}.tsv`, folder), 'utf8')),
    ])
    const changedWords = words.filter((word) => new Set(cut(word)).size > 1)
    expect(changedWords.length / words.length).toBeLessThan(0.001)
  })
})
