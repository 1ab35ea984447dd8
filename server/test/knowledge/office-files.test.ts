// What is read of Excel, PowerPoint, OpenDocument and Word files, whatever program wrote them, and what is refused.
import { describe, expect, test } from 'vitest'
import { parseMarkdown } from '../../src/sources/documents/parse-markdown.ts'
import { splitPassages } from '../../src/sources/documents/split-document.ts'
import { defaultParseLimits } from '../../src/sources/extraction/parse-limits.ts'
import { readFile } from '../../src/sources/files/read-file.ts'
import { formatNumber } from '../../src/sources/files/read-xlsx.ts'
import { parseHtml } from '../../src/sources/html/parse-html.ts'
import { docxOf, odtOf, pptxOf, xlsxOf, zipOf } from '../harness/samples/sample-files.ts'

const limits = { ...defaultParseLimits, maxBytes: 8 * 1024 ** 2 }

/** The passages of a file, each after its headings. */
async function passagesOf(name: string, bytes: Buffer): Promise<string[]> {
  const { format, content } = await readFile(name, bytes, limits)
  const blocks = format === 'html' ? parseHtml(content) : parseMarkdown(content)
  return splitPassages(blocks, 'T', 'en').map(({ headings, text }) => [...headings, text].join(' > '))
}

const refusal = (name: string, bytes: Buffer) =>
  readFile(name, bytes, limits).then(
    () => 'read',
    (error: Error) => error.message,
  )

const cell = (reference: string, value: string | number, more = '') => `<c r="${reference}"${more}><v>${value}</v></c>`
const inline = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
const shared = (reference: string, index: number) => cell(reference, index, ' t="s"')

describe('an Excel workbook', () => {
  test('is read row by row with the names of its columns, below a title, with dates and prices as shown', async () => {
    const rows = `<row r="1">${inline('A1', 'Price list 2026')}</row>
      <row r="3">${shared('A3', 0)}${shared('B3', 1)}${inline('C3', 'Valid from')}${inline('D3', 'Discount')}</row>
      <row r="4">${inline('A4', 'Pika')}${cell('B4', 12.5, ' s="2"')}${cell('C4', 46023, ' s="1"')}${cell('D4', 0.15, ' s="3"')}</row>
      <row r="5">${inline('A5', 'Marmot')}${cell('B5', 1200, ' s="2"')}<c r="D5" t="e"><v>#REF!</v></c></row>`
    const hiddenSheet = { name: 'Margins', rows: `<row r="1">${inline('A1', 'Secret')}</row>`, isHidden: true }
    expect(
      await passagesOf('prices.xlsx', xlsxOf([{ name: 'Stoves', rows }, hiddenSheet], ['Model', 'Price'])),
    ).toEqual([
      'Price list 2026',
      'Pika > Price: 12.50 €\nValid from: 2026-01-01\nDiscount: 15%',
      'Marmot > Price: 1200.00 €',
    ])
  })

  test('has a section per sheet, and a cell over several rows counts for each', async () => {
    const rows = `<row>${inline('A1', 'Country')}${inline('B1', 'City')}</row><row>${inline('A2', 'Austria')}${inline('B2', 'Graz')}</row>
      <row>${inline('B3', 'Linz')}</row>`
    const after = '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A9:XFD1048576"/></mergeCells>'
    const list = `<row>${inline('A1', 'Bring a helmet.')}</row>`
    expect(
      await passagesOf(
        'a.xlsx',
        xlsxOf([
          { name: 'Shops', rows, after },
          { name: 'Notes', rows: list },
        ]),
      ),
    ).toEqual(['Shops > Austria > City: Graz', 'Shops > Austria > City: Linz', 'Notes > Bring a helmet.'])
  })

  test.each([
    [0.1 + 0.2, '', '0.3'],
    [1234.5, '#,##0.00', '1234.50'],
    [5, '0.0#', '5.0'],
    [9.9, '"$"#,##0.00', '$9.90'],
    [9.9, '[$CHF] #,##0.00', 'CHF 9.90'],
    [0.075, '0.0%', '7.5%'],
    [46023.75, 'dd.mm.yyyy hh:mm', '2026-01-01 18:00'],
    [0.5, 'h:mm AM/PM', '12:00'],
    [1.5, '[h]:mm', '36:00'],
    [12, '0" months"', '12'],
    [Number.NaN, '', ''],
  ])('%d in the format %s is %s', (value, format, text) => expect(formatNumber(value, format)).toBe(text))

  test('that is hostile is refused: too many rows, cells that share one long text, a bomb', async () => {
    const manyRows = Array.from({ length: 20_001 }, (_, n) => `<row><c><v>${n}</v></c></row>`).join('')
    expect(await refusal('a.xlsx', xlsxOf([{ name: 'A', rows: manyRows }]))).toContain('more than 20000 rows')
    const long = Array.from({ length: 500 }, (_, n) => `<row>${shared(`A${n + 1}`, 0)}</row>`).join('')
    expect(await refusal('a.xlsx', xlsxOf([{ name: 'A', rows: long }], ['word '.repeat(5000)]))).toContain(
      'more than 2000000 characters',
    )
    const names = `<row>${inline('A1', 'A')}${inline('B1', 'x'.repeat(30_000))}</row>`
    const wide = Array.from({ length: 5000 }, (_, n) => `<row>${cell(`A${n + 2}`, n)}${cell(`B${n + 2}`, n)}</row>`)
    const { content } = await readFile('a.xlsx', xlsxOf([{ name: 'A', rows: names + wide.join('') }]), limits)
    expect(content.length).toBe(2_000_001)
    const bomb = Array.from({ length: 3 }, (_, n) => ({ name: `S${n}`, rows: ' '.repeat(4 * 1024 ** 2) }))
    expect(await refusal('a.xlsx', xlsxOf(bomb))).toContain('too large once decompressed')
    expect(await refusal('a.xlsx', xlsxOf([{ name: 'A', rows: '<row>'.repeat(10_001) }]))).toContain('nested more than')
  })
})

describe('a PowerPoint presentation', () => {
  const shape = (paragraphs: string, placeholder?: string) =>
    `<p:sp><p:nvSpPr>${placeholder === undefined ? '' : `<p:ph ${placeholder}/>`}</p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`
  const text = (words: string, properties = '') => `<a:p>${properties}<a:r><a:t>${words}</a:t></a:r></a:p>`
  const row = (...cells: string[]) => `<a:tr>${cells.map((words) => `<a:tc>${text(words)}</a:tc>`).join('')}</a:tr>`

  test('is read slide by slide under its titles, with lists and tables; hidden slides and footers stay out', async () => {
    const numbering = '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>'
    const slides = [
      shape(text('Opening hours'), 'type="ctrTitle"') + shape(text('Valid all year'), 'type="subTitle" idx="1"'),
      shape(text('Returns'), 'type="title"') +
        shape(
          text('Print the label.', numbering) + text('A &amp; B', '<a:pPr lvl="1"/>') + text('Hand it in.', numbering),
          'idx="1"',
        ) +
        shape(text('7'), 'type="sldNum" idx="12"'),
      `<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>${row('Plan', 'Price')}${row('Small', '5 €')}</a:tbl></p:graphicFrame>`,
      shape(text('Not for customers'), 'type="title"'),
    ]
    expect(await passagesOf('a.pptx', pptxOf(slides, ['', '', '', 'show="0"']))).toEqual([
      'Opening hours > Valid all year',
      'Returns > 1. Print the label.\n   - A & B\n2. Hand it in.',
      'Slide 3 > - Small: Price 5 €',
    ])
  })
})

describe('an OpenDocument text', () => {
  const styles = `<style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style>
    <text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/>
    <text:list-level-style-bullet text:level="2"/></text:list-style>`
  const item = (words: string, more = '') => `<text:list-item><text:p>${words}</text:p>${more}</text:list-item>`

  test('keeps headings, numbered lists and tables; comments, deleted text and footnotes stay out', async () => {
    const body = `<text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes>
      <text:h text:outline-level="1">Assembly</text:h>
      <text:list text:style-name="L1">${item('Open<text:s text:c="999999999"/>the box.', `<text:list>${item('with care')}</text:list>`)}</text:list>
      <text:p>Wait.<office:annotation><text:p>Really?</text:p></office:annotation></text:p>
      <text:list text:style-name="L1" text:continue-numbering="true">${item('Lift <text:span text:style-name="T1">it</text:span>.')}</text:list>
      <text:h text:outline-level="2">Prices</text:h>
      <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Plan</text:p></table:table-cell><table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row></table:table-header-rows>
      <table:table-row><table:table-cell><text:p>Small</text:p></table:table-cell><table:table-cell table:number-columns-spanned="999999999"><text:p>5 €</text:p></table:table-cell><table:table-cell table:number-columns-repeated="999999999"/></table:table-row></table:table>`
    expect(await passagesOf('a.odt', odtOf(body, styles))).toEqual([
      'Assembly > 1. Open the box.\n   - with care\nWait.\n2. Lift it.',
      'Assembly > Prices > - Small: Price 5 €',
    ])
  })
})

describe('a Word document', () => {
  const paragraph = (words: string, properties = '') =>
    `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${words}</w:t></w:r></w:p>`
  const listed = (list: number) => `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`
  const level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Point"/></w:lvl>'

  test('keeps the numbers of lists that are defined late, by a list style, by overriding a level or shared', async () => {
    const numbering = `<w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num>
      <w:num w:numId="2"><w:abstractNumId w:val="6"/><w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl></w:lvlOverride></w:num>
      <w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="4"><w:abstractNumId w:val="7"/></w:num>
      <w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="Steps"/></w:abstractNum>
      <w:abstractNum w:abstractNumId="8"><w:styleLink w:val="Steps"/>${level}</w:abstractNum>
      <w:abstractNum w:abstractNumId="6"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
      <w:abstractNum w:abstractNumId="7">${level}</w:abstractNum>`
    const old = '<w:pPrChange><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:pPrChange>'
    const body = [
      ...[paragraph('By a list style.', listed(1)), paragraph('Changed.', `${listed(1)}${old}`)],
      ...[paragraph('Between.'), paragraph('Overridden.', listed(2)), paragraph('Between.')],
      ...[paragraph('Shared.', listed(3)), paragraph('Continued.', listed(4))],
    ]
    expect(await passagesOf('a.docx', docxOf(body.join(''), numbering))).toEqual([
      '1. By a list style.\n2. Changed.\nBetween.\n3. Overridden.\nBetween.\n1. Shared.\n2. Continued.',
    ])
  })

  test('is read with parts of any name, inherited styles and another prefix', async () => {
    const namespace = 'xmlns:ns0="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const bytes = zipOf({
      '[Content_Types].xml':
        '<Types><Override PartName="/word/document2.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      '_rels/.rels': `<Relationships><Relationship Id="a" Type="${relations}/officeDocument" Target="/word/document2.xml"/></Relationships>`,
      'word/_rels/document2.xml.rels': `<Relationships><Relationship Id="a" Type="${relations}/numbering" Target="numbers.xml"/><Relationship Id="b" Type="${relations}/styles" Target="styles2.xml"/></Relationships>`,
      'word/numbers.xml': `<w:numbering><w:abstractNum w:abstractNumId="1">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
      'word/styles2.xml': `<w:styles><w:style w:styleId="Point"><w:name w:val="Point"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
        <w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="Point"/></w:style><w:style w:styleId="Circle"><w:basedOn w:val="Circle"/></w:style></w:styles>`,
      'word/document2.xml': `<ns0:document ${namespace}><ns0:body>
        <ns0:p><ns0:pPr><ns0:pStyle ns0:val="Mine"/></ns0:pPr><ns0:r><ns0:t>Open it.</ns0:t></ns0:r></ns0:p>
        <ns0:p><ns0:pPr><ns0:pStyle ns0:val="Point"/></ns0:pPr><ns0:r><ns0:t>Close it.</ns0:t></ns0:r></ns0:p></ns0:body></ns0:document>`,
    })
    expect(await passagesOf('a.docx', bytes)).toEqual(['1. Open it.\n2. Close it.'])
  })
})

test('a file that cannot be read names what it is and what to do', async () => {
  const compound = (name: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(name, 'utf16le')])
  const zipped = (mimetype: string) => zipOf({ mimetype, 'content.xml': 'x' })
  const encryptionEntry = '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>'
  const expected: [string, Buffer, string][] = [
    ['a.xlsx', compound('EncryptedPackage'), 'This file is password-protected.'],
    ['a.odt', odtOf('x', '', encryptionEntry), 'This file is password-protected.'],
    ['a.doc', compound('WordDocument'), 'This file has the Word format of before 2007 (.doc). Save it as .docx.'],
    ['a.xls', compound('Workbook'), 'This file has the Excel format of before 2007 (.xls). Save it as .xlsx.'],
    ['a.xlsb', zipOf({ 'xl/workbook.bin': 'x' }), 'This is a binary Excel workbook (.xlsb). Save it as .xlsx.'],
    ['a.xlsx', zipOf({ 'other.xml': 'x' }), 'This file is not a valid Excel workbook.'],
    ['a.pptx', Buffer.from('no zip'), 'This file is not a valid PowerPoint presentation.'],
    [
      'a.ods',
      zipped('application/vnd.oasis.opendocument.spreadsheet'),
      'This is an OpenDocument spreadsheet. Save it as .xlsx or .csv.',
    ],
    ['a.epub', zipped('application/epub+zip'), 'This is an e-book. Save it as .pdf or .html.'],
    ['a.docx', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'This is a picture. Text in pictures is not read.'],
    ['a.rtf', Buffer.from('{\\rtf1 x}'), 'This is an RTF file. Save it as .docx.'],
    ['a.gz', Buffer.from('1f8b0800000000000003', 'hex'), 'This is a compressed archive. Use PDF, DOCX'],
    ['a.tex', Buffer.from('x'), 'Files of the type .tex are not supported. Use PDF, DOCX'],
  ]
  for (const [name, bytes, message] of expected)
    expect([name, await refusal(name, bytes)]).toEqual([name, expect.stringContaining(message)])
  // A workbook that is called a Word document is read as what it is.
  const workbook = xlsxOf([{ name: 'A', rows: `<row>${inline('A1', 'Words')}</row>` }])
  expect(await readFile('a.docx', workbook, limits)).toMatchObject({ kind: 'xlsx', content: 'Words' })
})
