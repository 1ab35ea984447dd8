// The first minute with a website: what it says about itself, and questions that its content answers.
import { BOT_LANGUAGES } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import topicQuestions from '../../src/bots/topic-questions.json' with { type: 'json' }
import { engines } from '../harness/database/databases.ts'
import { page, startSite } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { says } from '../language-model/fake-provider.ts'
import { withModel } from '../language-model/model-bot.ts'
import { start } from './crawl-bot.ts'

const token = ADMIN_TOKEN
const PREVIEW = 'POST /api/manage/v1/website-preview'
const PROPOSE = 'POST /api/manage/v1/bots/{botId}/suggested-questions/propose'
const picture = { headers: { 'content-type': 'image/png' }, body: new Uint8Array([0x89, 0x50, 0x4e, 0x47]) }

describe.each(engines)('on %s', (engine) => {
  test('a preview has the name, logo, colour and language that the website declares', async () => {
    const site = await startSite({
      '/': `<html lang="de-AT"><head><title>Start | Lampenhaus</title>
        <meta property="og:site_name" content="Lampenhaus Wien"><meta name="theme-color" content="#B03A2E">
        <link rel="icon" href="/small.png" sizes="16x16"><link rel="apple-touch-icon" href="/touch.png">
        </head><body><p>Leuchten aus Wien.</p></body></html>`,
      '/touch.png': picture,
    })
    const { call } = await start(engine)
    const { status, body } = await call(PREVIEW, { token, body: { url: site.url } })
    expect(status).toBe(200)
    expect(body).toEqual({
      url: `${site.url}/`,
      name: 'Lampenhaus Wien',
      language: 'de',
      colour: '#b03a2e',
      logo_url: `${site.url}/touch.png`,
    })
  })

  test('a preview reads undeclared colours from the styles, and skips icons that are missing', async () => {
    const css = ':root{--brand-primary: rgb(11, 95, 165);--grey:#eee} a{color:#c00} b{color:#c00} .x{background:#fff}'
    const site = await startSite({
      '/': page('Opening hours - Corner Bakery', 'We bake bread every morning and sell it until noon.', [], head),
      '/site.css': { headers: { 'content-type': 'text/css' }, body: css },
      '/icon.svg': { headers: { 'content-type': 'image/svg+xml' }, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    })
    const { call } = await start(engine)
    const { body } = await call(PREVIEW, { token, body: { url: site.url } })
    expect(body).toMatchObject({ name: 'Corner Bakery', language: 'en', colour: '#0b5fa5' })
    expect(body.logo_url).toBe(`${site.url}/icon.svg`)
  })

  test('a page made to exhaust its reader has a name, logo and colour as any other', async () => {
    const data = (json: string) => `<script type="application/ld+json">${json}</script>`
    const heads = {
      '/sizes': `<link rel="icon" href="/icon.png" sizes="${'1 '.repeat(180_000)}">`,
      '/lists': data('['.repeat(90_000) + ']'.repeat(90_000)),
      '/graphs': data(`${'{"@graph":'.repeat(15_000)}1${'}'.repeat(15_000)}`),
    }
    const text = 'We bake bread every morning.'
    const icon = '<link rel="icon" href="/icon.png"><style>a{color:#b03a2e}</style>'
    const pages = Object.entries(heads).map(([path, headHtml]) => [
      path,
      page('Delivery - Corner Bakery', text, [], icon + headHtml),
    ])
    const site = await startSite({ ...Object.fromEntries(pages), '/icon.png': picture })
    const { call } = await start(engine)
    for (const path of Object.keys(heads)) {
      const { status, body } = await call(PREVIEW, { token, body: { url: site.url + path } })
      expect([path, status]).toEqual([path, 200])
      expect(body).toMatchObject({ name: 'Corner Bakery', colour: '#b03a2e', logo_url: `${site.url}/icon.png` })
    }
  })

  test('a website that may not or cannot be read is a mistake in the URL', async () => {
    const site = await startSite({ '/broken': { status: 503 } })
    const { call } = await start(engine)
    const problem = async (url: string) => {
      const { status, body } = await call(PREVIEW, { token, body: { url } })
      expect([status, body.error.details[0].path]).toEqual([400, 'url'])
      return body.error.details[0].message as string
    }
    expect(await problem('http://10.0.0.1/')).toMatch(/private|internal|ALLOWED_PRIVATE_NETWORKS/i)
    expect(await problem(`${site.url}/broken`)).toContain('503')
  })

  test('proposed questions are those that the bot answers from the page they are on', async () => {
    const { call, createBot } = await start(engine)
    const markdown = `# Questions

## How long does delivery take?

Delivery takes two to three working days.

## Can I pay by invoice?

Yes, companies can pay by invoice within 14 days.

## How heavy may it be?

It may weigh 30 kilos.`
    const { botId } = await createBot({
      documents: [
        { id: 'faq', title: 'Questions', url: 'https://shop.test/faq', markdown },
        { id: 'care', title: 'Care of lamps', text: 'Dust a lamp with a dry cloth once a month.' },
        { id: 'prices', title: 'Prices in US$$', text: 'Lamps cost 20 to 90 dollars. Prices include taxes.' },
      ],
    })
    const { status, body } = await call(PROPOSE, { token, params: { botId } })
    expect(status).toBe(200)
    const questions = body.questions.map(({ question }: { question: string }) => question)
    expect(questions.slice(0, 2)).toEqual(['How long does delivery take?', 'Can I pay by invoice?'])
    expect(questions.slice(2)).toEqual([
      'What should I know about “Care of lamps”?',
      'What can you tell me about “Prices in US$$”?',
    ])
    expect(body.questions[0].response).toContain('two to three working days')
    expect(body.questions[0].sources[0].url).toContain('https://shop.test/faq')
  })

  test('of pages without questions of their own, five are proposed, at most two after one pattern', async () => {
    const { call, createBot } = await start(engine)
    const shop = `# About our shop

We are a family business in Linz.

## Opening hours

We are open from Monday to Friday, nine to five.

## 2. Gift cards

Gift cards are valid for three years.

## Repair service

Repairs take about a week.`
    const facts = {
      Delivery: 'Parcels arrive within three working days.',
      Returns: 'Lamps can be sent back within a month.',
      Payment: 'We accept cards and invoices.',
      Warranty: 'Every lamp has a warranty of five years.',
    }
    const pages = Object.entries(facts).map(([title, text]) => ({ id: title, title, text }))
    const { botId } = await createBot({ documents: [...pages, { id: 'Shop', title: 'Shop', markdown: shop }] })
    const { body } = await call(PROPOSE, { token, params: { botId } })
    expect(body.questions.map(({ question }: { question: string }) => question)).toEqual([
      'What should I know about “Delivery”?',
      'What can you tell me about “Payment”?',
      'What information is there about “Returns”?',
      'What should I know about “Warranty”?',
      'What can you tell me about “Opening hours”?',
    ])
  })

  test('proposing questions does not ask the language model of the bot', async () => {
    const { call, params, provider } = await withModel(engine, says('Anything.'))
    const { body } = await call(PROPOSE, { token, params })
    expect(body.questions).not.toEqual([])
    expect(provider.requests).toEqual([])
  })
})

const helpPages: Record<keyof typeof topicQuestions, [title: string, text: string]> = {
  en: ['Returns', 'Lamps can be sent back within a month.'],
  de: ['Rücksendung', 'Lampen können innerhalb eines Monats zurückgeschickt werden.'],
  fr: ['Retours', 'Les lampes peuvent être renvoyées pendant un mois.'],
  es: ['Devoluciones', 'Las lámparas se pueden devolver durante un mes.'],
  it: ['Resi', 'Le lampade si possono restituire entro un mese.'],
  pt: ['Devoluções', 'Os candeeiros podem ser devolvidos durante um mês.'],
  nl: ['Retourneren', 'Lampen kunnen binnen een maand worden teruggestuurd.'],
  pl: ['Zwroty', 'Lampy można odesłać w ciągu miesiąca.'],
  sv: ['Returer', 'Lampor kan skickas tillbaka inom en månad.'],
  da: ['Returnering', 'Lamper kan sendes tilbage inden for en måned.'],
  tr: ['Teslimat', 'Paketler üç iş günü içinde ulaşır.'],
  ar: ['الإرجاع', 'يمكن إعادة المصابيح خلال شهر واحد.'],
  ru: ['Возврат', 'Лампы можно вернуть в течение месяца.'],
  zh: ['退货', '灯具可在一个月内退回。'],
  ja: ['返品', 'ランプは一か月以内に返品できます。'],
}

test.each(BOT_LANGUAGES)('a bot answers what is proposed about a topic, by every pattern: %s', async (language) => {
  const { call, createBot } = await start('sqlite')
  const [title, text] = helpPages[language]
  const { botId } = await createBot({ language, documents: [{ id: 'help', title, text }] })
  for (const pattern of topicQuestions[language]) {
    const message = pattern.replace('{topic}', title)
    const { body } = await call('POST /api/manage/v1/bots/{botId}/try', { token, params: { botId }, body: { message } })
    expect([message, body.decision, body.response]).toEqual([message, 'answer', expect.stringContaining(text)])
  }
})

const head = '<link rel="stylesheet" href="/site.css"><link rel="icon" type="image/svg+xml" href="/icon.svg">'
