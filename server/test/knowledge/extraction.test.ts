// Text extraction: a page's text in order and its metadata, however broken the page is.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createDeflate, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { textOfBlocks } from '../../src/sources/documents/document-blocks.ts'
import { splitPassages } from '../../src/sources/documents/split-document.ts'
import { extractPage } from '../../src/sources/extraction/extract-page.ts'
import { startExtractor } from '../../src/sources/extraction/extractor.ts'
import { makeFairQueue } from '../../src/sources/extraction/fair-queue.ts'
import { readSitemap } from '../../src/sources/extraction/read-sitemap.ts'
import { readDocx } from '../../src/sources/files/read-docx.ts'
import { parseHtml } from '../../src/sources/html/parse-html.ts'
import { measureCpuMs } from '../harness/event-loop.ts'
import { articlePage, faqPage, microdataPage, structuredPage } from '../harness/samples/help-pages.ts'
import { docxOf, pdfOf, pdfOfStream } from '../harness/samples/sample-files.ts'
import { expectBelow, expectInOneAttempt } from '../harness/timing.ts'

const extract = (html: string | Buffer, contentType = 'text/html') => extractPage(Buffer.from(html), contentType)
const fileOf = (bytes: Buffer) => ({ sizeBytes: bytes.length, memoryBytes: bytes.length, read: async () => bytes })
const textOf = (html: string) => textOfBlocks(parseHtml(html))

const helpPage = `<html><head><title>Help – Acme</title></head><body>
  <header><nav><a href="/">Home</a><a href="/shop">Shop</a></nav></header>
  <div id="cookie-consent"><p>We use cookies. <button>Accept</button></p></div>
  <main><h1>Help</h1>
    <section><h2 id="shipping">Shipping</h2>
      <table><tr><th>Country</th><th>Standard</th></tr><tr><td>Germany</td><td>3.90 €</td></tr></table></section>
    <section><h2 id="returns">Returns</h2><ul><li>30 days</li><li>Free of charge</li></ul></section>
    <section><h2>Contact</h2><p>Write to us.</p></section>
  </main>
  <aside>Subscribe to our newsletter</aside><footer>Imprint</footer></body></html>`

test('a page of many small parts is kept complete, with headings, anchors, tables and lists, without its navigation', () => {
  const { title, content: html } = extract(helpPage)
  expect(title).toBe('Help')
  const blocks = parseHtml(html)
  expect(blocks).toContainEqual({ kind: 'heading', level: 2, text: 'Shipping', anchor: 'shipping' })
  expect(blocks).toContainEqual({ kind: 'text', text: '- Germany: Standard 3.90 €' })
  expect(blocks).toContainEqual({ kind: 'text', text: '- 30 days\n- Free of charge' })
  expect(blocks).toContainEqual({ kind: 'heading', level: 2, text: 'Contact', anchor: null })
  expect(textOf(html)).not.toMatch(/cookies|Home|newsletter|Imprint/)
})

describe('a page that scripts make', () => {
  const frame = (data: string, body = '<div id="__next"></div>') =>
    `<html><head><title>Help</title><script src="/app.js"></script></head><body>
      <noscript>You need to enable JavaScript to run this app.</noscript>${body}${data}</body></html>`
  const props = {
    buildId: 'a b c d e f g h i j k l m n',
    page: {
      title: 'Returns and refunds',
      sections: [
        { heading: 'Deadline', body: 'You can return a jacket within 30 days of delivery.' },
        { heading: 'Costs', body: '<p>Returns are <b>free of charge</b> in Germany and Austria.</p>' },
      ],
      menu: [{ label: 'Home', url: 'https://shop.test/a b c d' }],
      style: 'color: red; background: blue; margin: 0 auto; padding: 1px',
      cssClass: 'one two three four five six',
    },
  }
  const next = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props })}</script>`

  test.each([
    ['__NEXT_DATA__', frame(next)],
    ['an assignment', frame(`<script>window.__STATE__ = ${JSON.stringify(props)};</script>`, '<div id="root"></div>')],
    ['a page without a usual frame', frame(next, '<my-application></my-application>')],
  ])('is read from %s, with its headings, and without code', (_, html) => {
    const { content, needsScripts, contentHash } = extract(html)
    expect(needsScripts).toBe(false)
    expect(contentHash).not.toBeNull()
    const blocks = parseHtml(content)
    expect(blocks).toContainEqual({ kind: 'heading', level: 2, text: 'Deadline', anchor: null })
    const text = textOf(content)
    expect(text).toContain('You can return a jacket within 30 days of delivery.')
    expect(text).toContain('Returns are free of charge in Germany and Austria.')
    expect(text).not.toMatch(/JavaScript|color|a b c|two three|Home/)
  })

  test('is read from JSON-LD and microdata', () => {
    const article = {
      '@type': 'Article',
      headline: 'Care',
      articleBody: 'Wash wool by hand in cold water and dry it flat.',
    }
    const json = `<script type="application/ld+json">${JSON.stringify(article)}</script>`
    expect(textOf(extract(frame(json)).content)).toContain('Wash wool by hand in cold water')
    const product = `<div itemscope itemtype="https://schema.org/Product"><meta itemprop="name" content="Drift tent">
      <meta itemprop="description" content="A light tent for two people and three seasons.">
      <span itemprop="offers" itemscope><meta itemprop="price" content="249.00"><meta itemprop="priceCurrency" content="EUR"></span></div>`
    const text = textOf(extract(frame('', product)).content)
    expect(text).toContain('Drift tent')
    expect(text).toContain('A light tent for two people')
    expect(text).toContain('Price: 249.00 EUR')
  })

  test('is read product by product where microdata names several, whatever the page is called', () => {
    const product = (name: string, price: string) => `<li itemscope itemtype="https://schema.org/Product">
      <span itemprop="brand" itemscope><meta itemprop="name" content="Nordlys"></span>
      <h3 itemprop="name">${name} <b>tent</b></h3>
      <div itemprop="offers" itemscope><meta itemprop="price" content="${price}"><meta itemprop="priceCurrency" content="EUR"></div>
      <div itemprop="review" itemscope><meta itemprop="name" content="Great buy"></div></li>`
    const nameless = '<li itemscope itemtype="https://schema.org/Product"><meta itemprop="price" content="7.00"></li>'
    const list = `<h1>All tents</h1><ul>${product('Drift', '249.00')}${product('Dune', '199.00')}${nameless}</ul>`
    const headings = parseHtml(extract(frame('', list)).content).flatMap((block) =>
      block.kind === 'heading' ? [block.text] : [],
    )
    expect(headings.filter((text) => text === 'All tents').length).toBeLessThanOrEqual(1)
    const text = textOf(extract(frame('', list)).content)
    expect(text).toMatch(/Drift tent\s[^€]*Price: 249\.00 EUR/)
    expect(text).toMatch(/Dune tent\s[^€]*Price: 199\.00 EUR/)
    expect(text).not.toContain('7.00')
    expect(headings).not.toContain('Nordlys')
  })

  test('long runs of letters and open tags in such data are read in time', async () => {
    const data = { a: 'ab12'.repeat(50_000), b: '<p '.repeat(50_000), c: `word and word and ${'x'.repeat(200_000)}` }
    const hostile = frame(`<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script>`)
    await expectBelow(2000, () => measureCpuMs(() => extract(hostile)))
  })

  test('without such data needs JavaScript; a short page with text does not', () => {
    const empty = '{"props": {"pageProps": {}}, "page": "/", "query": {}}'
    const bare =
      '<html><head><script type="module" src="/a.js"></script></head><body><app-root></app-root></body></html>'
    const loadingPage = '<html><body><div id="app">Loading…</div><script src="/a.js"></script></body></html>'
    for (const html of [frame(''), frame(`<script type="application/json">${empty}</script>`), bare, loadingPage])
      expect(extract(html).needsScripts).toBe(true)
    const short =
      '<html><body><h1>Opening hours</h1><p>Monday to Friday, 9 to 5.</p><script src="/stats.js"></script></body></html>'
    const pageWithNotice = short.replace('<h1>', '<noscript>Some features need JavaScript.</noscript><h1>')
    for (const html of [short, pageWithNotice])
      expect(extract(html)).toMatchObject({ needsScripts: false, contentHash: expect.any(String) })
    expect(textOf(extract(pageWithNotice).content)).toContain('Monday to Friday')
    const renderedPage = frame(
      next,
      `<div id="__next"><main><h1>Help</h1><p>${'Parcels take two days. '.repeat(20)}</p></main></div>`,
    )
    expect(textOf(extract(renderedPage).content)).not.toContain('30 days')
    expect(extract('<html><body></body></html>').needsScripts).toBe(false)
  })

  test('is read however its data is made', () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    for (const data of [
      deep,
      '{',
      '[[[',
      'null',
      '"text"',
      '{"__proto__": {"text": "A sentence with five words here."}}',
    ])
      expect(() => extract(frame(`<script type="application/json">${data}</script>`))).not.toThrow()
    const manySentences = JSON.stringify(
      Array.from({ length: 40_000 }, (_, at) => `Sentence number ${at} of a very long list.`),
    )
    const { content } = extract(frame(`<script type="application/json">${manySentences.slice(0, 900_000)}"]</script>`))
    expect(content.length).toBeLessThan(2_000_000)
  })
})

test('an FAQ, a product and breadcrumbs are taken from structured data', () => {
  const data = [
    {
      '@graph': [
        {
          '@type': 'BreadcrumbList',
          itemListElement: [
            { position: 2, name: 'Boats' },
            { position: 1, name: 'Home' },
            { position: 3, item: { name: 'Kayak' } },
          ],
        },
      ],
    },
    {
      '@type': ['Product'],
      name: 'Kayak One',
      brand: { name: 'Acme' },
      sku: 'K1',
      offers: [{ price: 899, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' }],
      aggregateRating: { ratingValue: '4.5', reviewCount: 12 },
    },
    {
      '@type': 'FAQPage',
      mainEntity: [
        { '@type': 'Question', name: 'Does it float?', acceptedAnswer: { '@type': 'Answer', text: 'It <b>does</b>.' } },
        {
          '@type': 'Question',
          name: 'Told already?',
          acceptedAnswer: { '@type': 'Answer', text: 'The text says this.' },
        },
      ],
    },
  ]
  const scripts = data.map((part) => `<script type="application/ld+json">${JSON.stringify(part)}</script>`).join('')
  const { content: html } = extract(`<html><head>${scripts}<script type="application/ld+json">{broken</script></head>
    <body><main><h1>Kayak</h1><p>The text says this.</p></main></body></html>`)
  const text = textOf(html)
  for (const fact of ['Price: 899 EUR', 'Availability: in stock', 'Brand: Acme', 'SKU: K1', 'Rating: 4.5 (12 reviews)'])
    expect(text).toContain(fact)
  expect(parseHtml(html)[0]).toMatchObject({ kind: 'heading', text: 'Boats' })
  expect(text).toContain('Does it float?\nIt does.')
  expect(text).not.toContain('Told already?')
})

describe('pages of help centres', () => {
  function outline(html: string): string[] {
    const { title, content } = extract(html)
    const passages = splitPassages(parseHtml(content), title, 'en')
    return passages.map(({ headings, text }) => [...headings, text].join(' > '))
  }

  test('an article is extracted without breadcrumbs, contents, feedback, related articles and pagination', () => {
    expect(outline(articlePage)).toEqual([
      'Updated 3 weeks ago\nYou can return an unridden bike within 30 days & get your money back – we pay the carrier.',
      'Before you start > What you need > - the order number\n- the original box',
      'Booking the pick-up > 1. Open Orders.\n2. Choose Return:\n   1. bike only\n   2. bike and parts\n3. Print the label.\n' +
        'Then, at the depot:\n4. Tape the box.\n7. Hand it over.\n8. Keep the receipt.',
      'Booking the pick-up > Costs by country > - Austria: Pick-up Standard free, Pick-up Express 9 €\n' +
        '- Norway: Pick-up Standard 29 €, Pick-up Express 49 €',
    ])
  })

  test('a link back above the title is left out, and a link within a sentence stays', () => {
    const page = `<main><p class="back"><a href="/help">← All help pages</a></p><p>See <a href="/x">sizes</a> first.</p>
      <article><h1>Rental</h1><p>A tent costs 9 € a day.</p><p><a href="/prices">All prices</a></p></article></main>`
    expect(outline(page).join()).toBe('See sizes first.,A tent costs 9 € a day.\nAll prices')
  })

  test('hidden text of accordions, definition lists, details and tabs is read below its question', () => {
    expect(outline(faqPage)).toEqual([
      'Frequently asked questions > Here is what customers ask us most often.',
      'Frequently asked questions > Delivery > How long does delivery take? > Two to four working days.',
      'Frequently asked questions > Delivery > Do you deliver abroad? > Yes, to:\n- Austria\n- Switzerland',
      'Frequently asked questions > Payment > Can I pay by invoice? > Yes, from your second order on.',
      'Frequently asked questions > Payment > Is my card stored? > No.\nIt is kept by the bank alone.',
      'Frequently asked questions > Payment > Still unsure? Write to help@larkspur.test.',
      'Frequently asked questions > Account > How do I close my account? > Write to us.',
      'Frequently asked questions > Account > Can I reopen it? > Within 30 days.',
      'Frequently asked questions > Account > Outside of the accordion.',
      'Frequently asked questions > Account > What about vouchers? > They are lost.',
      'Frequently asked questions > Account > After the details.',
      'Frequently asked questions > Account > Who may ride it? > Anyone over 16.',
      'Frequently asked questions > Account > With a helmet? > Yes.\nAlways.',
      'Frequently asked questions > Account > Weight: 14 kg\nFrame: Steel',
      'Frequently asked questions > Account > iPhone > Tap the gear.',
      'Frequently asked questions > Account > Android > Swipe from the left.',
      'Frequently asked questions > Account > The end of the page.',
    ])
  })

  test('questions are recognised by microdata, and by JSON-LD if the markup does not show them', () => {
    expect(outline(microdataPage)).toEqual([
      'Where is my parcel? > Look into your account.',
      'May I change the address? > Until it has left.',
    ])
    expect(outline(structuredPage)).toEqual([
      'Where is my parcel? > Look into your account, under orders.',
      'Opening hours > Monday to Friday, 9 to 5\nWe never sell your data',
      'More > Text.',
      'Not shown? > Shown by the data alone.',
    ])
  })
})

describe('Word documents', () => {
  const run = (text: string, bold = false) =>
    `<w:r>${bold ? '<w:rPr><w:b/></w:rPr>' : ''}<w:t xml:space="preserve">${text}</w:t></w:r>`
  const paragraph = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
  const item = (text: string, list: number, depth = 0) =>
    paragraph(run(text), `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`)
  const cell = (content: string) => `<w:tc>${paragraph(content)}</w:tc>`
  const numbering = `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>
    <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`
  const textsOf = (body: string) =>
    splitPassages(parseHtml(readDocx(docxOf(body, numbering))), 'T', 'en').map(({ headings, text }) =>
      [...headings, text].join(' > '),
    )

  test('numbered lists keep their start and their numbers, even across a paragraph', () => {
    const body = [
      item('Open the box.', 1),
      item('Take out:', 1),
      ...[item('the frame', 1, 1), item('the wheels', 1, 1)],
      paragraph(run('Now it gets heavy.')),
      paragraph(run('Lift it.'), '<w:pStyle w:val="Steps"/>'),
      item('Bring a friend', 2),
      item('Go on.', 3),
    ]
    expect(textsOf(body.join(''))).toEqual([
      '1. Open the box.\n2. Take out:\n   1. the frame\n   2. the wheels\nNow it gets heavy.\n3. Lift it.\n- Bring a friend\n5. Go on.',
    ])
  })

  test('bold lines are headings, and a header row or a bold first row names the columns', () => {
    const head = `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell(run('Plan'))}${cell(run('Price'))}</w:tr>`
    const bold = `<w:tr>${cell(run('Plan', true))}${cell(run('Pri', true) + run('ce', true))}</w:tr>`
    const row = `<w:tr>${cell(run('Small'))}${cell(run('5 €'))}</w:tr>`
    for (const first of [head, bold])
      expect(textsOf(`${paragraph(run('Our plans', true))}<w:tbl>${first}${row}</w:tbl>`)).toEqual([
        'Our plans > - Small: Price 5 €',
      ])
  })
})

test('links, canonical, base and robots are read, and nofollow links skipped', () => {
  const page = extract(`<html><head><base href="/sub/"><link rel="canonical" href="/c">
    <meta name="ROBOTS" content="NoIndex, nofollow"><meta name="otherbot" content="noindex"></head>
    <body><a href=" /a ">a</a><a href="/b" rel="external nofollow">b</a><area href="/d"><a>none</a></body></html>`)
  expect(page).toMatchObject({ base: '/sub/', canonical: '/c', links: ['/a', '/d'], noindex: true, nofollow: true })
})

describe('characters', () => {
  const latin = Buffer.from('<p>Stra\xdfe</p>', 'latin1')
  test.each([
    ['named in the header', latin, 'text/html; charset=ISO-8859-1'],
    ['named by nobody', latin, 'text/html'],
    ['named in a meta element', Buffer.from('<meta charset=windows-1252><p>Stra\xdfe</p>', 'latin1'), 'text/html'],
    ['in UTF-8', Buffer.from('<p>Straße</p>'), 'text/html'],
    ['with an unknown name', Buffer.from('<p>Straße</p>'), 'text/html; charset=none'],
    ['in UTF-16', Buffer.from('\uFEFF<p>Straße</p>', 'utf16le'), 'text/html'],
  ])('%s are read', (_, bytes, type) => expect(textOf(extractPage(bytes, type).content)).toBe('Straße'))
})

test.each([
  '',
  '<',
  '<html>',
  '<!doctype html>',
  '<html><frameset><frame src=a></frameset></html>',
  '<script>x</script>',
  '\0\0',
])('%j gives no content and no error', (html) => expect(extract(html)).toMatchObject({ contentHash: null, links: [] }))

test('the same text under another URL is recognised as a duplicate, another title or text is not', () => {
  const hash = (html: string) => extract(html).contentHash
  const page = (title: string, text: string) =>
    `<html><title>${title}</title><body><main><p>${text}</p></main></body></html>`
  expect(hash(page('A', 'One text.'))).toBe(hash(`${page('A', 'One  text.')}<!-- made at noon -->`))
  expect(hash(page('A', 'One text.'))).not.toBe(hash(page('B', 'One text.')))
  expect(hash(page('A', 'One text.'))).not.toBe(hash(page('A', 'Another text.')))
})

describe('sitemaps', () => {
  const read = (text: string | Uint8Array) => readSitemap(Buffer.from(text), { maxDepth: 100, maxBytes: 10_000 })
  const urls =
    '<urlset xmlns="x"><url><loc> https://a.test/?a=1&amp;b=2 </loc><image:image><image:loc>https://a.test/i.png</image:loc></image:image></url></urlset>'
  test.each([
    ['a set', urls, { pages: [{ url: 'https://a.test/?a=1&b=2' }], sitemaps: [] }],
    ['a zipped set', gzipSync(urls), { pages: [{ url: 'https://a.test/?a=1&b=2' }], sitemaps: [] }],
    [
      'an index',
      '<?xml version="1.0"?><sitemapindex><sitemap><loc>https://a.test/1.xml</loc></sitemap></sitemapindex>',
      { pages: [], sitemaps: ['https://a.test/1.xml'] },
    ],
    [
      'a list of lines',
      'https://a.test/1\nhttps://a.test/2\n',
      { pages: [{ url: 'https://a.test/1' }, { url: 'https://a.test/2' }], sitemaps: [] },
    ],
    ['a page', '<html><body>Not found</body></html>', null],
    ['nothing', '', null],
    [
      'one cut off',
      '<urlset><url><loc>https://a.test/1</loc></url><url><loc>https://a.te',
      { pages: [{ url: 'https://a.test/1' }], sitemaps: [] },
    ],
    [
      'one with times of change',
      `<urlset>${['2026-01-02T03:04:05+01:00', '2026-01-02T03:04:05', '2026-01-02', 'today'].map((time, n) => `<url><loc>/${n}</loc><lastmod> ${time} </lastmod></url>`).join('')}</urlset>`,
      {
        pages: [
          { url: '/0', changedAt: Date.UTC(2026, 0, 2, 2, 4, 5) },
          { url: '/1', changedAt: Date.UTC(2026, 0, 2, 3, 4, 5) },
          { url: '/2', changedAt: Date.UTC(2026, 0, 3, 12) },
          { url: '/3' },
        ],
        sitemaps: [],
      },
    ],
  ])('%s', (_, text, value) => expect(read(text)).toEqual(value))

  test('a compressed sitemap that exceeds the limit when unpacked is refused', () => {
    expect(() => read(gzipSync(Buffer.alloc(100_000, ' ')))).toThrow()
  })
})

/** Keeps the parser busy longer than any test waits. */
const endless = () => Buffer.from(`%PDF-1.4\n${'1 0 obj << /A [ '.repeat(60_000)}`)

test('at most two files are parsed at once, of any workspaces, and a third waits', async () => {
  const timeoutMs = 500
  await expectInOneAttempt(async () => {
    const extractor = startExtractor({ timeoutMs })
    onTestFinished(() => extractor.close())
    const endTimes = ['a', 'b', 'c'].map(async (workspaceId) => {
      const file = extractor.file(workspaceId, fileOf(endless()), 'endless.pdf')
      await expect(file).rejects.toMatchObject({ name: 'Unreadable' })
      return performance.now()
    })
    const [first = 0, , third = 0] = (await Promise.all(endTimes)).sort((a, b) => a - b)
    // Each runs until its time limit, so the third started after another had ended.
    expect(third - first).toBeGreaterThanOrEqual(timeoutMs - 10)
  })
})

test('a file that keeps the parser busy is ended at the time limit, and the next one is read', async () => {
  await expectInOneAttempt(async (attempt) => {
    const extractor = startExtractor({ timeoutMs: 1000 * attempt, threads: 1 })
    onTestFinished(() => extractor.close())
    await extractor.page('a', Buffer.from('<p>warm</p>'), 'text/html')
    let turns = 0
    const counter = setInterval(() => turns++, 10)
    const [busy, next] = await Promise.allSettled([
      extractor.file('a', fileOf(endless()), 'endless.pdf'),
      extractor.page('a', Buffer.from('<title>Next</title><p>Read.</p>'), 'text/html'),
    ])
    clearInterval(counter)
    expect(busy).toMatchObject({ status: 'rejected', reason: { name: 'Unreadable' } })
    expect(next).toMatchObject({ status: 'fulfilled', value: { title: 'Next' } })
    // The event loop was not blocked.
    expect(turns).toBeGreaterThan(50)
  })
})

test('a file that unpacks to more than the memory limit is ended, and the next one is read', async () => {
  const extractor = startExtractor({ timeoutMs: 60_000 })
  onTestFinished(() => extractor.close())
  const megabyte = Buffer.alloc(1024 ** 2, ' ')
  const content = await buffer(Readable.from(Array.from({ length: 700 }, () => megabyte)).pipe(createDeflate()))
  const bomb = pdfOfStream(content, '/Filter /FlateDecode')
  const before = process.memoryUsage.rss()
  let most = 0
  const memoryTimer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 10)
  const [busy, next] = await Promise.allSettled([
    extractor.file('a', fileOf(bomb), 'bomb.pdf'),
    extractor.file('b', fileOf(pdfOf([[{ text: 'A small one.', size: 12 }]])), 'small.pdf'),
  ])
  clearInterval(memoryTimer)
  expect(busy).toMatchObject({ reason: { name: 'Unreadable', message: 'This file is too large once decompressed.' } })
  expect(next).toMatchObject({ value: { content: 'A small one.' } })
  expect((most - before) / 1024 ** 2).toBeLessThan(1000)
})

test('too deeply nested markup is refused, in every part that is parsed', async () => {
  const extractor = startExtractor({ maxDepth: 200 })
  onTestFinished(() => extractor.close())
  const nested = (tag: string, depth: number) => Buffer.from(`${tag.repeat(depth)}text`)
  const message = 'This file is nested more than 200 elements deep.'
  const expectedError = { name: 'Unreadable', message }
  await expect(extractor.page('a', nested('<div>', 201), 'text/html')).rejects.toMatchObject(expectedError)
  const sitemap = Buffer.from(`<urlset>${'<url>'.repeat(201)}`)
  await expect(extractor.sitemap('a', sitemap, 10_000)).rejects.toMatchObject(expectedError)
  const styles = docxOf('', '<w:num>'.repeat(201))
  await expect(extractor.file('a', fileOf(styles), 'a.docx')).rejects.toMatchObject(expectedError)
  await expect(extractor.file('a', fileOf(docxOf('<w:p>'.repeat(201))), 'a.docx')).rejects.toMatchObject(expectedError)
  expect((await extractor.page('a', nested('<div>', 199), 'text/html')).content).toContain('text')
})

describe('jobs that wait for a thread', () => {
  const job = (workspaceId: string, waitingBytes = 1) => ({ workspaceId, waitingBytes, isLarge: false })

  test('alternate between workspaces, and those that used less time go first', () => {
    const queue = makeFairQueue(1000, () => 0)
    const busyJobs = [job('much'), job('much'), job('much')]
    const otherJob = job('little')
    for (const one of [...busyJobs, otherJob]) queue.add(one)
    const order = Array.from({ length: 4 }, () => {
      const nextJob = queue.take(1)
      if (nextJob) queue.release(nextJob, 100)
      return nextJob?.workspaceId
    })
    expect(order).toEqual(['much', 'little', 'much', 'much'])
  })

  test('leave the last thread to a workspace without one that used little recently', () => {
    let now = 0
    const queue = makeFairQueue(1000, () => now)
    const first = job('slow')
    for (const one of [first, job('slow'), job('other')]) queue.add(one)
    expect(queue.take(2)).toBe(first)
    expect(queue.take(1)?.workspaceId).toBe('other')
    queue.release(first, 30_000)
    // The other job is still running.
    expect(queue.take(1)).toBeNull()
    now = 3_600_000
    expect(queue.take(1)?.workspaceId).toBe('slow')
  })

  test('run one at a time if they are large, and small ones overtake them', () => {
    const queue = makeFairQueue(1000)
    const [first, second] = [job('a'), job('b')].map((one) => ({ ...one, isLarge: true }))
    for (const one of [first, second, job('c')]) if (one) queue.add(one)
    expect(queue.take(3)).toBe(first)
    expect(queue.take(2)?.workspaceId).toBe('c')
    expect(queue.take(1)).toBeNull()
    if (first) queue.release(first, 1)
    expect(queue.take(2)).toBe(second)
  })

  test('are limited in bytes, per workspace and in total', () => {
    const queue = makeFairQueue(1000)
    expect(queue.add(job('a', 2000))).toBe(true)
    expect(queue.add(job('a'))).toBe(false)
    queue.takeAll()
    expect([queue.add(job('a', 400)), queue.add(job('a', 400)), queue.add(job('b', 400))]).toEqual([true, false, true])
    expect([queue.add(job('c', 400)), queue.add(job('c', 1))]).toEqual([true, false])
  })

  test('of two workspaces that fill the queue leave space for one job of a third', () => {
    const queue = makeFairQueue(1000)
    const queuedJobs = ['a', 'b'].map((workspaceId) => queue.add(job(workspaceId, 500)))
    expect([...queuedJobs, queue.add(job('c', 100)), queue.add(job('c', 100))]).toEqual([true, true, true, false])
    queue.take(2)
    queue.take(2)
    const nextJob = queue.take(2)
    expect(nextJob?.workspaceId).toBe('c')
  })
})
