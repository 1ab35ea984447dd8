// Addresses that lead into the server's own network, and files that are damaged at random: the former are refused
// by crawls, webhooks and keys, the latter, tables with huge spans among them, are read in time or refused with a reason.

import type { Call } from '../../../server/test/harness/call.ts'
import { MANAGE } from '../../../server/test/harness/people.ts'
import { brokenBodies } from '../../../server/test/harness/samples/bad-input.ts'
import { hostileUrls, unsupportedUrls } from '../../../server/test/harness/samples/hostile-urls.ts'
import { docxOf, pdfOf } from '../../../server/test/harness/samples/sample-files.ts'
import { ADMIN_TOKEN } from '../../../server/test/harness/start-server.ts'
import { type PartOptions, type PartResult, startWatchedServer } from '../part.ts'
import { makeRandom, type Random } from './random.ts'

const token = ADMIN_TOKEN
const BOT = `${MANAGE}/bots/{botId}`
/** Places that take an address which the server will call. */
const takers: [route: string, body: (url: string) => object][] = [
  [`POST ${BOT}/crawls`, (url) => ({ url })],
  [`POST ${BOT}/webhooks`, (url) => ({ url })],
  [`POST ${BOT}/keys`, (url) => ({ name: 'x', webhook_url: url })],
]

/** One in so many files. */
const TABLES = 8
const MAX_TABLE_BYTES = 140_000
// Less than the default: without a bound on spans, a table of this size takes longer than that.
const environment = { PARSE_TIMEOUT_SECONDS: '10' }

const line = (text: string) => ({ text, size: 11 })
const whole: [name: string, content: Buffer][] = [
  ['a.pdf', pdfOf([[line('A warranty of seven years.'), line('Zips: two years.')], [line('Page two.')]])],
  ['a.docx', docxOf('<w:p><w:r><w:t>The shop opens at nine.</w:t></w:r></w:p>'.repeat(20))],
  ['a.html', Buffer.from(`<!doctype html><table><tr><th>A<td>B</table>${'<div><p>Text</p>'.repeat(50)}`)],
  ['a.md', Buffer.from('# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n  - two\n'.repeat(20))],
  ['a.csv', Buffer.from(`question,answer\n${'"Why, ""so""?",Because\n'.repeat(50)}`)],
  ['a.txt', Buffer.from('Plain text, in lines.\n\n'.repeat(50))],
]

export async function tryHostileInput({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const random = makeRandom(seed)
  const server = await startWatchedServer(engine, environment)
  const { call, createBot, baseUrl } = server
  const { botId } = await createBot()
  const problems: string[] = []
  const urls = await tryUrls(call, botId, problems)
  const counts = { urls, files: times, tables: 0, read: 0, refused: 0 }
  for (let n = 0; n < times; n++) {
    const isTable = random.chance(1 / TABLES)
    const [name, content] = isTable ? (['t.html', spanningTable(random)] as const) : random.pick(whole)
    const form = new FormData()
    form.append('file', new Blob([(isTable ? content : damage(content, random)) as never]), `${n}-${name}`)
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${baseUrl}${MANAGE}/bots/${botId}/files`, { method: 'POST', headers, body: form })
    const text = await response.text()
    const report = response.status === 200 ? JSON.parse(text) : null
    if (!report || /internal|went wrong on our side/.test(text))
      problems.push(`file ${n} (${name}): ${response.status} ${text}`)
    else counts[report.failed > 0 ? 'refused' : 'read']++
    if (isTable && report?.failed > 0) problems.push(`table ${n}: ${text} ← ${content.subarray(0, 500)}`)
    if (isTable) counts.tables++
  }
  return server.end({ counts, problems })
}

async function tryUrls(call: Call, botId: string, problems: string[]): Promise<number> {
  const urls = [...hostileUrls, ...unsupportedUrls]
  for (const [route, body] of takers)
    for (const url of urls) {
      const { status } = await call(route, { token, params: { botId }, body: body(url) })
      if (status !== 400) problems.push(`${route} takes ${url}: ${status}`)
    }
  return urls.length * takers.length
}

/** Cells that claim up to all columns and rows there could be, in one table or in many, within each other or not. */
function spanningTable(random: Random): Buffer {
  const spans = [0, 1, 2, 20, 50, 1000, 65_534, 1e9]
  const cell = () => {
    const text = random.pick(['a', 'b c', 'word '.repeat(random.below(200)), '<table><tr><td rowspan=9999>x</table>'])
    return `<${random.pick(['td', 'td', 'th'])} colspan=${random.pick(spans)} rowspan=${random.pick(spans)}>${text}`
  }
  const cells = Array.from({ length: 1 + random.below(5) }, () => `${random.chance(0.6) ? '<tr>' : ''}${cell()}`).join(
    '',
  )
  const isClosed = random.chance(0.3)
  const part = isClosed ? `<table><tr>${cells}</table>` : cells
  const bytes = random.chance(0.3) ? MAX_TABLE_BYTES : 1 + random.below(MAX_TABLE_BYTES / 10)
  const parts = part.repeat(Math.ceil(bytes / part.length))
  return Buffer.from(isClosed ? parts : `<table>${parts}</table>`)
}

/** Cut, overwritten, repeated, filled up with what breaks parsers. */
function damage(content: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(content)
  const at = random.below(bytes.length)
  const ways = [
    () => bytes.subarray(0, at),
    () => bytes.subarray(at),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.below(at + 1))]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(brokenBodies)[1]), bytes.subarray(at)]),
    () => Buffer.concat(Array.from({ length: 1 + random.below(20) }, () => bytes)),
    () => {
      for (let flips = 1 + random.below(30); flips > 0; flips--) bytes[random.below(bytes.length)] = random.below(256)
      return bytes
    },
  ]
  return random.pick(ways)()
}
