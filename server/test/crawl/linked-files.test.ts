// Files that a site links to are read whatever content type its server sends for them.
import { expect, test } from 'vitest'
import { page, startSite } from '../harness/external/test-site.ts'
import { docxOf, odtOf, pdfOf, pptxOf, xlsxOf } from '../harness/samples/sample-files.ts'
import { start } from './crawl-bot.ts'

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

const formats = {
  pdf: {
    sample: (text: string) => pdfOf([[{ text, size: 12 }]]),
    types: ['application/pdf', 'application/pdf;charset=UTF-8', 'application/x-pdf'],
  },
  docx: {
    sample: (text: string) => docxOf(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`),
    types: [
      `${OPEN_XML}.wordprocessingml.document`,
      `${OPEN_XML}.wordprocessingml.document; charset=binary`,
      'application/vnd.ms-word.document.macroEnabled.12',
      // Servers that know only the format of 1997, or only that it is a ZIP archive.
      'application/msword',
      'application/zip',
      'application/x-zip-compressed',
    ],
  },
  xlsx: {
    sample: (text: string) =>
      xlsxOf([{ name: 'Sheet', rows: `<row><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>` }]),
    types: [`${OPEN_XML}.spreadsheetml.sheet`, 'application/vnd.ms-excel', 'application/zip'],
  },
  pptx: {
    sample: (text: string) => pptxOf([`<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`]),
    types: [`${OPEN_XML}.presentationml.presentation`, 'application/vnd.ms-powerpoint', 'application/zip'],
  },
  odt: {
    sample: (text: string) => odtOf(`<text:p>${text}</text:p>`),
    types: ['application/vnd.oasis.opendocument.text', 'application/x-vnd.oasis.opendocument.text', 'application/zip'],
  },
} as const

// Servers that do not know the type at all.
const unknownTypes = ['application/octet-stream', 'binary/octet-stream', 'application/force-download', 'text/plain', '']

test('a linked file of each format is read with every content type that servers send for it', async () => {
  const site = await startSite()
  const links: string[] = []
  const add = (path: string, headers: Record<string, string>, body: string | Buffer) => {
    site.pages.set(path, { headers, body })
    links.push(path)
    return path
  }
  for (const [extension, { sample, types }] of Object.entries(formats)) {
    for (const [number, type] of [...types, ...unknownTypes].entries())
      add(`/${number}.${extension}`, { 'content-type': type }, sample(`Copy ${number} of the ${extension} file.`))
    add(`/download?${extension}`, { 'content-type': types[0] }, sample(`A ${extension} without a name.`))
    const attachment = {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="x.bin"; filename*=UTF-8''price%20list.${extension}`,
    }
    add(`/attachment?${extension}`, attachment, sample(`A ${extension} named by its server.`))
    add(
      `/viewer.${extension}`,
      { 'content-type': 'text/html' },
      page(`Viewer of ${extension}`, `Shows a ${extension}.`),
    )
  }
  site.pages.set('/', page('Start', 'The start.', links))
  const server = await start('sqlite')
  const { id } = await server.readAll({ url: `${site.url}/` })
  const pages = await server.crawls.pages(id)
  const outcomes = links.map((path) => [path, pages.get(path)?.state, pages.get(path)?.reason])
  expect(outcomes).toEqual(links.map((path) => [path, 'done', null]))
  expect((await server.crawls.documents()).map(({ title }) => title)).toContain('price list')
})
