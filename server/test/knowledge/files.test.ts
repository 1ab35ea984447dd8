// Uploaded files: each type is read and used at once, errors have a reason, and originals can be downloaded.
import { describe, expect, onTestFinished, test } from 'vitest'
import { readArchive } from '../../src/sources/files/read-export.ts'
import type { Database } from '../../src/storage/database.ts'
import { openFilesTable } from '../../src/storage/files.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { createDatabase, engines } from '../harness/database/databases.ts'
import { docxOf, odtOf, pdfOf, pptxOf, xlsxOf, zipOf } from '../harness/samples/sample-files.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { expectInOneAttempt } from '../harness/timing.ts'

const FILES = '/api/manage/v1/bots/{botId}/files'
const token = ADMIN_TOKEN

async function start(engine: (typeof engines)[number], environment: Record<string, string> = {}) {
  const server = await startServer(engine, { environment })
  const { botId, key } = await server.createBot()
  const params = { botId }

  const upload = (files: [string, Buffer | string][], fields: Record<string, string> = {}) =>
    uploadTo(botId, files, fields)

  async function uploadTo(botId: string, files: [string, Buffer | string][], fields: Record<string, string> = {}) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    for (const [name, content] of files) form.append('file', new Blob([content as never]), name)
    const url = `${server.baseUrl}/api/manage/v1/bots/${botId}/files`
    const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: response.status, body: (await response.json()) as any }
  }

  return {
    ...server,
    botId,
    params,
    upload,
    uploadTo,
    /** Why one file was refused. */
    refusal: async (name: string, content: Buffer | string) =>
      (await upload([[name, content]])).body.errors[0]?.message,
    ask: async (message: string) =>
      (await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })).body,
    list: async () => (await server.call(`GET ${FILES}`, { token, params })).body.items,
    document: async (documentId: string) =>
      (
        await server.call('GET /api/manage/v1/bots/{botId}/documents/{documentId}', {
          token,
          params: { botId, documentId },
        })
      ).body,
  }
}

const handbook = pdfOf([
  [
    { text: 'Warranty', size: 20 },
    { text: 'Every tent has a warranty of seven years against mate-', size: 11, gap: 10 },
    { text: 'rial faults (not against storms).', size: 11 },
    { text: 'Zips are covered for two years.', size: 11, gap: 20 },
  ],
])

const letter = docxOf(`
  <w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Opening hours</w:t></w:r></w:p>
  <w:p><w:r><w:t>The shop in Graz opens at </w:t></w:r><w:del><w:r><w:t>seven</w:t></w:r></w:del><w:r><w:t>nine &amp; closes at six.</w:t></w:r></w:p>
  <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>Closed on Sundays</w:t></w:r></w:p>
  <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Parking</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>40 places</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`)

const hutPrices = xlsxOf([
  {
    name: 'Huts',
    rows: `<row><c r="A1" t="inlineStr"><is><t>Hut</t></is></c><c r="B1" t="inlineStr"><is><t>Price of a bed</t></is></c></row>
      <row><c r="A2" t="inlineStr"><is><t>Falcon hut</t></is></c><c r="B2" s="2"><v>18.5</v></c></row>`,
  },
])

const clubSlides = pptxOf([
  `<p:sp><p:nvSpPr><p:ph type="title"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>Climbing club</a:t></a:r></a:p></p:txBody></p:sp>
   <p:sp><p:txBody><a:p><a:r><a:t>The climbing club meets on Thursdays.</a:t></a:r></a:p></p:txBody></p:sp>`,
])

describe.each(engines)('files on %s', (engine) => {
  test('of every type are read, and used in answers at once', async () => {
    const { upload, ask, list } = await start(engine)
    const report = await upload([
      ['handbook.pdf', handbook],
      ['hours.docx', letter],
      ['returns.md', '# Returns\n\nA jacket can be returned within 30 days.'],
      [
        'rental.html',
        '<html><head><title>Rental</title></head><body><main><h1>Rental</h1><p>Renting skis costs 25 euros a day.</p></main></body></html>',
      ],
      ['stoves.csv', 'Model;Fuel;Weight\nPika;gas;85 g\nMarmot;petrol;310 g\n'],
      ['note.txt', 'Gift cards are valid for five years.'],
      ['huts.xlsx', hutPrices],
      ['club.pptx', clubSlides],
      [
        'insurance.odt',
        odtOf('<text:h>Insurance</text:h><text:p>Rescue flights are insured up to 8000 euros.</text:p>'),
      ],
    ])
    expect(report).toMatchObject({ status: 200, body: { created: 9, failed: 0, errors: [] } })
    expect((await list()).map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'csv',
      'docx',
      'html',
      'markdown',
      'odt',
      'pdf',
      'pptx',
      'text',
      'xlsx',
    ])
    expect((await ask('How long is the warranty on a tent?')).response).toContain('seven years against material faults')
    expect((await ask('When does the shop in Graz open?')).response).toContain('opens at nine & closes at six')
    expect((await ask('Within how many days can a jacket be returned?')).response).toContain('30 days')
    expect((await ask('What does renting skis cost?')).response).toContain('25 euros')
    expect((await ask('What is the weight of the Pika stove?')).response).toContain('85 g')
    expect((await ask('How long are gift cards valid?')).response).toContain('five years')
    expect((await ask('What is the price of a bed in the Falcon hut?')).response).toContain('18.50 €')
    expect((await ask('When does the climbing club meet?')).response).toContain('on Thursdays')
    expect((await ask('Up to what amount are rescue flights insured?')).response).toContain('8000 euros')
  })

  test('can be downloaded unchanged, and are deleted with their document', async () => {
    const { call, upload, params, list, document } = await start(engine)
    const [file] = (
      await upload([['Übersicht 1.pdf', handbook]], { url: 'https://shop.test/handbook', title: 'Handbook' })
    ).body.files
    expect(file).toMatchObject({
      kind: 'pdf',
      title: 'Handbook',
      url: 'https://shop.test/handbook',
      size_bytes: handbook.length,
    })
    const content = await call(`GET ${FILES}/{fileId}/content`, { token, params: { ...params, fileId: file.id } })
    expect(content.text).toBe(handbook.toString('latin1'))
    expect(content.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('Übersicht 1.pdf')}`,
    })
    expect((await document(file.document_id)).title).toBe('Handbook')
    const response = await call(`DELETE ${FILES}/{fileId}`, { token, params: { ...params, fileId: file.id } })
    expect(response.status).toBe(204)
    expect(await list()).toEqual([])
    expect((await document(file.document_id)).error.code).toBe('not_found')
  })

  test('of the same name replace the previous one; unchanged ones change nothing', async () => {
    const { upload, list, document } = await start(engine)
    const first = (await upload([['a.txt', 'Old words.']])).body.files[0]
    expect((await upload([['a.txt', 'Old words.']])).body).toMatchObject({ unchanged: 1, created: 0 })
    expect((await upload([['a.txt', 'New words.']])).body).toMatchObject({ updated: 1, created: 0 })
    expect(await list()).toHaveLength(1)
    expect((await document(first.document_id)).content).toBe('New words.')
  })
})

const ids = ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210', 'aaaabbbbccccddddeeeeffff00001111']
const notion = {
  [`Handbook ${ids[0]}.md`]: `# Handbook\n\nBikes are serviced in [the workshop](Handbook/Workshop%20(new)%20${ids[1]}.md).\n\n![Logo](logo.png)`,
  [`Handbook/Workshop (new) ${ids[1]}.md`]: '# Workshop (new)\n\nThe workshop in Linz opens at ten.',
  [`Handbook/Empty ${'b'.repeat(32)}.md`]: '# Empty\n\n',
  [`Prices ${ids[2]}.csv`]: 'Service,Price\nTyre,9 EUR\n',
  [`Prices ${ids[2]}_all.csv`]: 'Service,Price\nTyre,9 EUR\nChain,20 EUR\n',
  'Handbook/logo.png': 'PNG',
}
const confluencePage = (space: string, title: string, body: string) =>
  `<html><head><title>${space} : ${title}</title></head><body><div id="page"><div id="main">
    <div id="main-header"><div id="breadcrumb-section"><ol><li><a href="index.html">Breadcrumb</a></li></ol></div>
    <h1 id="title-heading"><span id="title-text"> ${space} : ${title} </span></h1></div>
    <div id="content" class="view"><div class="page-metadata">Created by Ada</div>
    <div id="main-content" class="wiki-content group"><div class="toc-macro rbtoc1"><ul><li>Contents</li></ul></div>${body}</div>
    <div class="pageSection group"><h2>Attachments:</h2></div></div></div><div id="footer">Document generated</div></div></body></html>`
const confluence = {
  'SHOP/index.html': '<html><body><a href="Repairs_12.html">Repairs</a></body></html>',
  'SHOP/Repairs_12.html': confluencePage(
    'Shop',
    'Repairs : gears',
    '<p>A gear is <b>repaired</b> within two days.</p><br>',
  ),
  'SHOP/styles/site.css': 'x',
}
const articles = JSON.stringify({
  articles: [
    { id: 7, title: 'Vouchers', body: '<p>Vouchers never expire.</p>', html_url: 'https://help.shop.test/articles/7' },
    { id: 8, title: 'Draft', body: '<p>Not yet.</p>', draft: true },
    { id: 9, title: 'Nothing', body: null },
  ],
})

describe.each(engines)('exports on %s', (engine) => {
  test('of Notion, Confluence and Zendesk become one document per page, replaced by the next export', async () => {
    const { call, params, upload, ask, document } = await start(engine)
    const documents = async () =>
      (await call('GET /api/manage/v1/bots/{botId}/documents', { token, params })).body.items as Record<
        string,
        string
      >[]
    const titles = async () => (await documents()).map(({ title }) => title).sort()
    const report = await upload([
      ['export.zip', zipOf(notion)],
      ['space.zip', zipOf(confluence)],
      ['articles.json', articles],
    ])
    expect(report.body).toMatchObject({
      created: 3,
      errors: [{ index: 2, name: 'articles.json: articles.json, article 3', message: 'The article has no body.' }],
      files: [
        { kind: 'notion', document_id: null },
        { kind: 'confluence', document_id: null },
        { kind: 'zendesk', document_id: null },
      ],
    })
    expect(await titles()).toEqual(['Handbook', 'Prices', 'Repairs : gears', 'Vouchers', 'Workshop (new)'])
    expect((await documents()).every(({ crawl_id }) => crawl_id === null)).toBe(true)
    expect((await document(`notion-${ids[0]}`)).content).toBe('# Handbook\n\nBikes are serviced in the workshop.\n\n')
    expect((await document(`notion-${ids[2]}-table`)).content).toContain('20 EUR')
    expect((await document('confluence-12')).content).toBe('<p>A gear is <b>repaired</b> within two days.</p><br>')
    expect(await document('zendesk-7')).toMatchObject({ url: 'https://help.shop.test/articles/7' })
    expect((await ask('When does the workshop in Linz open?')).response).toContain('opens at ten')

    // The same pages in an archive of another name are the same documents.
    const laterExport = {
      ...notion,
      [`Handbook/Workshop (new) ${ids[1]}.md`]: '# Workshop\n\nThe workshop in Linz opens at eight.',
    }
    await upload([['export-2.zip', zipOf(laterExport)]])
    expect(await titles()).toEqual(['Handbook', 'Prices', 'Repairs : gears', 'Vouchers', 'Workshop'])
    expect((await ask('When does the workshop in Linz open?')).response).toContain('opens at eight')
    const { [`Handbook ${ids[0]}.md`]: _gone, ...fewer } = laterExport
    const response = await upload([['export-2.zip', zipOf(fewer)]])
    expect(response.body).toMatchObject({ updated: 1 })
    expect(await titles()).toEqual(['Prices', 'Repairs : gears', 'Vouchers', 'Workshop'])
    const fileId: string = response.body.files[0].id
    expect((await call(`DELETE ${FILES}/{fileId}`, { token, params: { ...params, fileId } })).status).toBe(204)
    expect(await titles()).toEqual(['Repairs : gears', 'Vouchers'])
  })

  test('of many pages are removed in batches, and each page is reported', async () => {
    const place = await createDatabase(engine)
    const database = await openDatabase({ ...place, databasePoolSize: 2 }, 1)
    onTestFinished(async () => {
      await database.close()
      await place.drop()
    })
    await database.write(`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('w', 'W', 'business', 1)`)
    await database.write(
      `INSERT INTO bots (id, workspace_id, name, language, tone, created_at) VALUES ('b', 'w', 'B', 'en', 'casual', 1)`,
    )
    await database.write(
      `INSERT INTO documents (bot_id, id, crawl_id, title, language, format, content, hash, passage_count, version,
         created_at, updated_at)
       WITH RECURSIVE pages (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM pages WHERE n < 450)
       SELECT 'b', 'doc_' || n, 'fil', 'Page', 'en', 'text', '', '', 0, 1, 1, 1 FROM pages`,
    )
    const batchSizes: number[] = []
    const transaction: Database['transaction'] = (work) =>
      database.transaction((tx) =>
        work({
          async query(sql, values) {
            const rows = await tx.query<never>(sql, values)
            if (sql.includes('DELETE FROM documents')) batchSizes.push(rows.length)
            return rows
          },
        }),
      )
    await openFilesTable({ ...database, transaction }).remove('b', 'fil', 'doc_fil')
    expect(Math.max(...batchSizes)).toBeLessThanOrEqual(200)
    expect(batchSizes.reduce((sum, count) => sum + count)).toBe(450)
    expect(await database.query('SELECT document_id FROM document_removals')).toHaveLength(450)
  })
})

test('an archive that is hostile or not an export is refused, and an invalid file in a valid one is reported', async () => {
  const limits = { maxDepth: 1000, maxBytes: 100_000 }
  const page = { [`Page ${ids[0]}.md`]: '# Page\n\nWords.' }
  const badArchives: [Record<string, string | Buffer>, string][] = [
    [{ ...page, [`Bomb ${ids[1]}.md`]: Buffer.alloc(200_000, 'a') }, 'too large'],
    [
      Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`P ${String(n).repeat(32)}.md`, 'a'.repeat(20_000)])),
      'too large',
    ],
    [Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`${n}.md`, ''])), 'more than 5000 pages'],
    [{ 'inner.zip': zipOf(page) }, 'archive within the archive'],
    [{ 'a.html': '<p>Some page</p>' }, 'not an export'],
    [{ 'a.json': '{"users":[]}' }, 'a.json: This JSON has no articles'],
    [{ [`Empty ${ids[0]}.md`]: '# Empty' }, 'no pages with text'],
  ]
  for (const [entries, message] of badArchives)
    await expect(readArchive(zipOf(entries), limits)).rejects.toThrow(message)
  const damagedZip = zipOf(page)
  damagedZip.writeUInt32LE(9_999_999, damagedZip.length - 6)
  await expect(readArchive(damagedZip, limits)).rejects.toThrow('damaged')
  const deep = {
    'A_1.html': confluencePage('S', 'Deep', '<div>'.repeat(2000)),
    'B_2.html': confluencePage('S', 'B', 'Words'),
  }
  const bad = { ...page, '../../etc/x.md': 'Out', '/root.md': 'Out', 'C:\\x.md': 'Out', 'inner.zip': zipOf(page) }
  expect(await readArchive(zipOf(bad), limits)).toMatchObject({
    kind: 'notion',
    pages: [{ title: 'Page' }],
    problems: [
      { name: '../../etc/x.md', message: 'Its path leads out of the archive.' },
      { name: '/root.md' },
      { name: 'C:\\x.md' },
      { name: 'inner.zip', message: expect.stringContaining('archive within') },
    ],
  })
  expect(await readArchive(zipOf(deep), limits)).toMatchObject({
    pages: [{ title: 'B' }],
    problems: [{ name: 'A_1.html' }],
  })
})

describe('a file that cannot be read', () => {
  test('is reported with the reason, and the others are added', async () => {
    const { upload, refusal } = await start('sqlite', { FILE_MAX_BYTES: '300000' })
    const response = await upload([
      ['broken.pdf', '%PDF-1.4 nothing more'],
      ['good.txt', 'All is well.'],
    ])
    expect(response.body).toMatchObject({ created: 1, failed: 1, errors: [{ index: 0, name: 'broken.pdf' }] })
    expect(await refusal('a.pdf', 'no pdf')).toContain('not a valid PDF')
    expect(await refusal('a.pdf', pdfOf([[]]))).toContain('no text')
    const strayPage = handbook.toString('latin1').replace('/Kids [5 0 R]', '/Kids [9 0 R]')
    expect(await refusal('a.pdf', Buffer.from(strayPage, 'latin1'))).toBe(
      'This file cannot be read. It may be damaged.',
    )
    expect(await refusal('a.docx', 'no docx')).toContain('not a valid Word document')
    expect(await refusal('a.docx', zipOf({ 'other.xml': 'x' }))).toContain('not a valid Word document')
    expect(await refusal('a.docx', letter.subarray(0, 200))).toContain('damaged')
    expect(await refusal('a.docx', docxBomb())).toContain('too large')
    expect(await refusal('a.doc', Buffer.from('d0cf11e0a1b11ae1ff', 'hex'))).toContain('.docx')
    expect(await refusal('a.exe', 'MZ')).toContain('Use PDF, DOCX')
    expect(await refusal('a.txt', Buffer.from([65, 0, 66]))).toContain('Use PDF, DOCX')
    expect(await refusal('a.txt', '')).toContain('empty')
    expect(await refusal('a.txt', ' \n ')).toContain('no text')
    expect(await refusal('a.csv', 'only,a,head\n')).toContain('no rows')
    expect(await refusal('a.txt', 'x'.repeat(300_001))).toContain('larger than')
    expect((await upload([['a.txt', 'hi']], { url: 'javascript:alert(1)' })).body.failed).toBe(1)
  })

  test('an incomplete form changes nothing, and one that is too large gets 413', async () => {
    const { upload, document, baseUrl, botId } = await start('sqlite')
    const [goodFile] = (await upload([['b.txt', 'The good one.']])).body.files
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' }
    const url = `${baseUrl}/api/manage/v1/bots/${botId}/files`
    const part = (name: string, text: string) =>
      `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${text}\r\n`
    const brokenBody = `${part('a.txt', 'Whole.')}${part('b.txt', 'The bad').trimEnd()}`
    expect((await fetch(url, { method: 'POST', headers, body: brokenBody })).status).toBe(400)
    expect((await document(goodFile.document_id)).content).toBe('The good one.')

    const large = Buffer.concat([Buffer.from(part('c.txt', 'x')), Buffer.alloc(101 * 1024 * 1024, 'x')])
    const response = await fetch(url, { method: 'POST', headers, body: large })
    expect(response.status).toBe(413)
  })

  test('a name or a word that only looks like another file type is accepted', async () => {
    const { upload } = await start('sqlite')
    const report = await upload([
      ['pkw.txt', 'PKW-Vermietung am Bahnhof.'],
      ['formats.md', 'Files that begin with %PDF-1.7 are PDFs.'],
    ])
    expect(report.body).toMatchObject({ created: 2, failed: 0 })
  })

  test('a file whose document was removed can be uploaded again', async () => {
    const { call, upload, document, params } = await start('sqlite')
    const [file] = (await upload([['a.txt', 'Words.']])).body.files
    const documentId = file.document_id
    await call('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', {
      token,
      params: { ...params, documentId },
    })
    await upload([['a.txt', 'Words.']])
    expect((await document(documentId)).content).toBe('Words.')
  })

  test('over a parsing limit is refused with the reason, and delays no other workspace', async () => {
    await expectInOneAttempt(async (attempt) => {
      const seconds = 2 * attempt
      const { upload, uploadTo, createBot } = await start('sqlite', { PARSE_TIMEOUT_SECONDS: String(seconds) })
      const otherBot = await createBot()
      const hostile = [
        upload([
          ['nested.docx', docxOf('<w:p>'.repeat(300_000))],
          ['nested.html', '<div>'.repeat(1_000_000)],
        ]),
        upload([['junk.pdf', `%PDF-1.4\n${'1 0 obj << /A [ '.repeat(60_000)}`]]),
        upload([['again.pdf', `%PDF-1.4\n${'2 0 obj << /A [ '.repeat(60_000)}`]]),
      ]
      for (let number = 0; number < 3; number++)
        expect((await uploadTo(otherBot.botId, [[`${number}.md`, '# Hours\n\nOpen all day.']])).body.created).toBe(1)
      expect(await Promise.race([Promise.all(hostile), 'still parsing'])).toBe('still parsing')
      const reports = await Promise.all(hostile)
      expect(reports.flatMap(({ body }) => body.errors.map(({ message }: { message: string }) => message))).toEqual([
        expect.stringContaining('nested more than'),
        expect.stringContaining('nested more than'),
        `This file takes longer than ${seconds} seconds to read. Split it into smaller parts.`,
        `This file takes longer than ${seconds} seconds to read. Split it into smaller parts.`,
      ])
    })
  })

  test('two parallel uploads of one name become one file', async () => {
    const { upload, list } = await start('sqlite')
    await Promise.all([upload([['a.txt', 'One.']]), upload([['a.txt', 'Two.']])])
    expect(await list()).toHaveLength(1)
  })

  test('a missing body, or one that is not a form, gets a clear error', async () => {
    const { call, params, baseUrl, botId } = await start('sqlite')
    const json = await call(`POST ${FILES}`, { token, params, body: { file: 'x' } })
    expect(json.body.error.code).toBe('unsupported_media_type')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' }
    const url = `${baseUrl}/api/manage/v1/bots/${botId}/files`
    for (const body of [
      '',
      'nonsense',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf',
    ]) {
      const response = await fetch(url, { method: 'POST', headers, body })
      expect([body, response.status]).toEqual([body, 400])
    }
    const noBoundary = { ...headers, 'content-type': 'multipart/form-data' }
    expect((await fetch(url, { method: 'POST', headers: noBoundary, body: 'x' })).status).toBe(400)
    const empty = await fetch(url, {
      method: 'POST',
      headers: { authorization: headers.authorization },
      body: new FormData(),
    })
    expect(empty.status).toBe(400)
  })
})

/** A few kilobytes that unpack to more than a hundred megabytes. */
function docxBomb(): Buffer {
  return zipOf({ 'word/document.xml': Buffer.alloc(101 * 1024 * 1024, ' ') })
}
