// Which documents are almost the same, and which may be out of date.
import { describe, expect, test } from 'vitest'
import { pastAnnouncement } from '../../src/language/past-dates.ts'
import { groupAlike, likeness, SketchList, sketchOf } from '../../src/language/text-sketch.ts'
import { engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const token = ADMIN_TOKEN
const DAY_MS = 86_400_000

const returns = (days: number) =>
  `You can send every lamp back within ${days} days after it has arrived. Put it into its box, add the form that came with the parcel, and bring it to a shop near you. We pay for the way back and send you the money within a week.`
const cleaningText =
  'Switch the lamp off and let it cool down before you clean it. Wipe the shade with a dry and soft cloth, and never use water, oil or a spray on any of its parts.'
const page = (id: string, title: string, ...sections: string[]) => ({
  id,
  title,
  url: `https://lamps.example/${id}`,
  html: `<h1>${title}</h1>${sections.map((text, index) => `<h2>Part ${index}</h2><p>${text}</p>`).join('')}`,
})

describe.each(engines)('on %s', (engine) => {
  test('duplicates are listed with what they share, until one is excluded or all are confirmed', async () => {
    const server = await startServer(engine)
    const { botId } = await server.createBot()
    const params = { botId }
    const otherBot = await server.createBot()
    const add = (bot: string, documents: object[]) =>
      server.call(`POST ${BOT}/documents`, { token, params: { botId: bot }, body: { documents } })
    await add(botId, [page('returns', 'Returns', returns(30), cleaningText)])
    server.clock.now += 1000
    await add(botId, [
      page('returns-print', 'Returns (print)', returns(14), cleaningText),
      page(
        'about',
        'About us',
        'We have made lamps by hand since our grandmother opened the first shop in the old town.',
      ),
    ])
    // Another bot's copy is none of this bot's business.
    await add(otherBot.botId, [page('returns', 'Returns', returns(30), cleaningText)])
    const review = async () => (await server.call(`GET ${BOT}/content-review`, { token, params })).body

    const { duplicates, duplicate_count, outdated, complete } = await review()
    expect({ duplicate_count, outdated, complete }).toEqual({ duplicate_count: 1, outdated: [], complete: true })
    expect(duplicates).toEqual([
      {
        passages: 2,
        heading: 'Part 0',
        excerpt: expect.stringMatching(/^You can send every lamp back/),
        document_count: 2,
        documents: [
          expect.objectContaining({ id: 'returns-print', passages: expect.any(Number) }),
          expect.objectContaining({ id: 'returns', url: 'https://lamps.example/returns' }),
        ],
      },
    ])
    const [copy] = duplicates[0].documents
    expect(copy.passage_ids).toHaveLength(2)

    const exclude = (passageId: string, isExcluded: boolean) =>
      server.call(`PATCH ${BOT}/documents/{documentId}/passages/{passageId}`, {
        token,
        params: { ...params, documentId: 'returns-print', passageId },
        body: { excluded: isExcluded },
      })
    for (const id of copy.passage_ids) expect((await exclude(id, true)).status).toBe(200)
    expect((await review()).duplicates).toEqual([])
    for (const id of copy.passage_ids) await exclude(id, false)
    expect((await review()).duplicate_count).toBe(1)

    const confirm = (documentId: string) =>
      server.call(`POST ${BOT}/documents/{documentId}/reviewed`, { token, params: { ...params, documentId } })
    expect((await confirm('nothing')).status).toBe(404)
    expect((await confirm('returns')).status).toBe(204)
    expect((await review()).duplicate_count).toBe(1)
    expect((await confirm('returns-print')).status).toBe(204)
    expect((await review()).duplicate_count).toBe(0)
    // Once a confirmed document changes, it is listed again.
    server.clock.now += 1000
    await add(botId, [page('returns', 'Returns', returns(28), cleaningText)])
    expect((await review()).duplicate_count).toBe(1)
  })

  test('a text that many documents share is listed with all of them, and goes when they are confirmed', async () => {
    const server = await startServer(engine)
    const { botId } = await server.createBot()
    const params = { botId }
    const ids = Array.from({ length: 12 }, (_, index) => `page-${index}`)
    const documents = ids.map((id) => page(id, id, cleaningText))
    await server.call(`POST ${BOT}/documents`, { token, params, body: { documents } })
    const review = async () => (await server.call(`GET ${BOT}/content-review`, { token, params })).body
    // Whoever asks at the same time gets the same.
    const [{ duplicates }, same] = await Promise.all([review(), review()])
    expect(same.duplicates).toEqual(duplicates)
    expect(duplicates).toHaveLength(1)
    expect(duplicates[0]).toMatchObject({ document_count: 12, excerpt: expect.stringMatching(/^Switch the lamp off/) })
    const listedDocuments = duplicates[0].documents as { id: string; passage_ids: string[] }[]
    expect(listedDocuments.map(({ id }) => id).sort()).toEqual(ids.toSorted())
    expect(listedDocuments.every(({ passage_ids }) => passage_ids.length === 1)).toBe(true)
    for (const documentId of ids)
      await server.call(`POST ${BOT}/documents/{documentId}/reviewed`, { token, params: { botId, documentId } })
    expect((await review()).duplicate_count).toBe(0)
  })

  test('documents with dates that are over, and old texts, are listed once each until confirmed', async () => {
    const server = await startServer(engine)
    const { botId } = await server.createBot()
    const params = { botId }
    const year = new Date(server.clock.now).getUTCFullYear()
    const documents = [
      page(
        'offer',
        'Offer',
        `All floor lamps are cheaper. The offer is valid until 31 December ${year - 1}, as long as we have any.`,
      ),
      page('hours', `Opening hours ${year - 2}`, 'We are there on weekdays.'),
      page(
        'history',
        'History',
        `We started in ${year - 20}, and moved in ${year - 3}. The new shop is open until 31 December ${year + 1}.`,
      ),
    ]
    await server.call(`POST ${BOT}/documents`, { token, params, body: { documents } })
    const review = async () => {
      const { body } = await server.call(`GET ${BOT}/content-review`, { token, params })
      return body.outdated as {
        document_id: string
        reason: string
        excerpt: string | null
        passage_id: string | null
      }[]
    }
    const reasons = async () => (await review()).map(({ document_id, reason }) => `${document_id} ${reason}`)

    expect(await reasons()).toEqual(['hours past_date', 'offer past_date'])
    const [hours, offer] = await review()
    expect(hours?.excerpt).toBe(`Opening hours ${year - 2}`)
    expect(offer?.excerpt).toContain(`valid until 31 December ${year - 1}`)
    expect(offer?.passage_id).toMatch(/^psg_/)
    const documentId = 'hours'
    await server.call(`POST ${BOT}/documents/{documentId}/reviewed`, { token, params: { botId, documentId } })
    expect(await reasons()).toEqual(['offer past_date'])

    server.clock.now += 366 * DAY_MS
    expect(await reasons()).toEqual(['offer past_date', 'history unchanged'])
  })
})

test.each([
  'Offer valid until 31 December 2024.',
  'Valid until 12/31/2024 in all shops',
  'Das Angebot ist gültig bis 31.12.2024.',
  'Gültig bis zum 31. Dezember 2024.',
  'Offre valable jusqu’au 31/12/2024.',
  "Valable jusqu'au 31 décembre 2024",
  'Oferta válida hasta el 31/12/2024.',
  'Offerta valida fino al 31/12/2024.',
  'Promoção válida até 31/12/2024.',
  'Geldig tot 31-12-2024.',
])('%s is over in 2026', (text) => {
  expect(pastAnnouncement(text, Date.UTC(2026, 5))).toBe(text)
  expect(pastAnnouncement(text, Date.UTC(2024, 5))).toBeUndefined()
})

test.each([
  'Gültig vom 1.12.2024 bis 31.3.2027.',
  'Valid for the season 2024/2025',
  'We are open until 8. Since 2020 we deliver.',
])('%s is not over in 2026', (text) => {
  expect(pastAnnouncement(text, Date.UTC(2026, 5))).toBeUndefined()
})

test('almost the same texts are found among many without comparing each with each', async () => {
  const words = 'lamp shade light wall desk floor cable plug switch bulb warm cold glass steel oak brass'.split(' ')
  let seed = 7
  const next = (most: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % most
  }
  const texts = Array.from({ length: 20_000 }, (_, index) =>
    Array.from({ length: 60 }, () => `${words[next(words.length)]}${next(40)}`)
      .join(' ')
      .concat(` ${index}`),
  )
  const copies = Array.from({ length: 50 }, (_, index) => `${texts[index * 300]} and one more sentence`)
  const sketches = new SketchList()
  for (const text of [...texts, ...copies]) sketches.push(sketchOf(text) ?? new Uint32Array())
  const groups = await groupAlike(sketches, () => new Promise((resolve) => setImmediate(resolve)))
  const expected = copies.map((_, index) => [index * 300, texts.length + index])
  expect(groups).toEqual(expected)
  expect(likeness(sketches.at(0), sketches.at(1))).toBeLessThan(0.3)
  expect(sketchOf('Read more')).toBeUndefined()
})
