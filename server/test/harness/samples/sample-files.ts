// Minimal files of the types that can be uploaded.
import { deflateRawSync } from 'node:zlib'

/** A PDF with lines from the top down, in the given font size; a gap of 0 continues the paragraph. */
export function pdfOf(pages: { text: string; size: number; gap?: number }[][]): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']
  const kids: string[] = []
  for (const lines of pages) {
    let y = 760
    const content = lines
      .map(({ text, size, gap = 0 }) => {
        y -= size * 1.2 + gap
        const escapedText = text.replace(/[\\()]/g, (sign) => `\\${sign}`)
        return `BT /F1 ${size} Tf 60 ${y.toFixed(1)} Td (${escapedText}) Tj ET`
      })
      .join('\n')
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${objects.length} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    )
    kids.push(`${objects.length} 0 R`)
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`
  return pdfOfObjects(objects)
}

/** A PDF with one page that has this content stream. */
export function pdfOfStream(stream: Buffer, attributes: string): Buffer {
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    `<< /Length ${stream.length} ${attributes} >>\nstream\n${stream.toString('latin1')}\nendstream`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << >> >>',
  ])
}

function pdfOfObjects(objects: string[]): Buffer {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  text += offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${text}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`,
    'latin1',
  )
}

export function zipOf(entries: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const raw = Buffer.from(content)
    const data = deflateRawSync(raw)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(data.length, 18)
    local.writeUInt32LE(raw.length, 22)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(data.length, 20)
    central.writeUInt32LE(raw.length, 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt32LE(offset, 42)
    parts.push(local, Buffer.from(name), data)
    directory.push(central, Buffer.from(name))
    offset += 30 + name.length + data.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(entries).length, 8)
  end.writeUInt16LE(Object.keys(entries).length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** A Word document with this body. */
export function docxOf(body: string, numbering = ''): Buffer {
  return zipOf({
    'word/styles.xml': `<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Steps"><w:name w:val="List Number"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>`,
    'word/numbering.xml': `<w:numbering>${numbering}</w:numbering>`,
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
  })
}

const OFFICE_RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

function relationsOf(targets: string[], kind: string): string {
  const relations = targets.map(
    (target, index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE_RELATIONS}/${kind}" Target="${target}"/>`,
  )
  return `<Relationships>${relations.join('')}</Relationships>`
}

function contentTypes(mainPart: string, type: string): string {
  const main = `application/vnd.openxmlformats-officedocument.${type}.main+xml`
  return `<Types><Override PartName="/${mainPart}" ContentType="${main}"/></Types>`
}

interface SampleSheet {
  name: string
  /** The XML inside `sheetData`, and what follows it. */
  rows: string
  after?: string
  isHidden?: boolean
}

/** A workbook whose cells may refer to `strings`, and whose cell formats are 0: general, 1: date, 2: €, 3: percent. */
export function xlsxOf(sheets: SampleSheet[], strings: string[] = []): Buffer {
  const sheetElements = sheets.map(
    ({ name, isHidden }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  )
  return zipOf({
    '[Content_Types].xml': contentTypes('xl/workbook.xml', 'spreadsheetml.sheet'),
    'xl/workbook.xml': `<workbook><sheets>${sheetElements.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf(
      sheets.map((_, index) => `worksheets/data${index + 1}.xml`),
      'worksheet',
    ),
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-407]"/></numFmts>
      <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows, after = '' }, index) => [
        `xl/worksheets/data${index + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
  })
}

/** A presentation with these shapes (the XML inside `p:spTree`), a slide each. */
export function pptxOf(slides: string[], attributes: string[] = []): Buffer {
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('')
  return zipOf({
    '[Content_Types].xml': contentTypes('ppt/presentation.xml', 'presentationml.presentation'),
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationsOf(
      slides.map((_, index) => `slides/slide${index + 1}.xml`),
      'slide',
    ),
    ...Object.fromEntries(
      slides.map((shapes, index) => [
        `ppt/slides/slide${index + 1}.xml`,
        `<p:sld ${attributes[index] ?? ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  })
}

/** An OpenDocument text with this body and these automatic styles. */
export function odtOf(body: string, styles = '', manifest = ''): Buffer {
  return zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'META-INF/manifest.xml': `<manifest:manifest>${manifest}</manifest:manifest>`,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles>
      <office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  })
}
