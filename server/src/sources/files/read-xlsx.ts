// Reads an Excel workbook: each row of a visible sheet with the names of its columns, as a spreadsheet shows them.

import { DAY_MS } from '../../days.ts'
import { collapseSpaces } from '../../language/fold.ts'
import { LONGEST_TEXT, UnreadableFile } from '../extraction/parse-limits.ts'
import { parseXml } from '../extraction/parse-xml.ts'
import { mainPart, type OfficeArchive } from './office-archive.ts'
import { type Cells, tableText } from './table-text.ts'

const MAX_ROWS = 20_000
const MAX_COLUMNS = 16_384
const MAX_MERGES = 2000

export function readXlsx(archive: OfficeArchive): string {
  const { part, relations, limits } = archive
  const name = mainPart(archive, 'xl/workbook.xml')
  const workbook = part(name)
  if (workbook === undefined) throw new UnreadableFile('This file is not a valid Excel workbook.')
  const parts = relations(name)
  const xmlOf = (kind: string) => part(parts.find((one) => one.kind === kind)?.target ?? `xl/${kind}.xml`) ?? ''
  const context: SheetContext = {
    strings: readSharedStrings(xmlOf('sharedStrings'), limits.maxDepth),
    formats: readFormats(xmlOf('styles'), limits.maxDepth),
    countsFrom1904: /<(?:\w+:)?workbookPr\b[^>]*\bdate1904="(?:1|true)"/.test(workbook),
    maxDepth: limits.maxDepth,
    room: { rows: MAX_ROWS, characters: LONGEST_TEXT },
  }
  const sheets = visibleSheets(workbook, limits.maxDepth).map(({ title, relationId }, index) => {
    const target = parts.find(({ id }) => id === relationId)?.target ?? `xl/worksheets/sheet${index + 1}.xml`
    return { title, target }
  })
  const texts: string[] = []
  let length = 0
  for (const { title, target } of sheets) {
    // The rest would not fit into a document.
    if (length > LONGEST_TEXT) break
    const text = tableText(readSheet(part(target) ?? '', context))
    if (text === '') continue
    texts.push(sheets.length > 1 ? `# ${title}\n\n${text}` : text)
    length += text.length
  }
  return texts.join('\n\n')
}

function visibleSheets(workbook: string, maxDepth: number) {
  const sheets: { title: string; relationId: string }[] = []
  parseXml(workbook, maxDepth, {
    open(name, attributes) {
      if (localName(name) !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return
      const relationId = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1] ?? ''
      sheets.push({ title: collapseSpaces(attributes.name ?? ''), relationId })
    },
  })
  return sheets
}

/** Texts that cells refer to by number. */
function readSharedStrings(xml: string, maxDepth: number): string[] {
  const strings: string[] = []
  let text = ''
  let isText = false
  // How to pronounce a Japanese text.
  let isPhonetic = false
  parseXml(xml, maxDepth, {
    open(name) {
      const element = localName(name)
      if (element === 'si') text = ''
      else if (element === 'rPh') isPhonetic = true
      isText = element === 't' && !isPhonetic
    },
    text(part) {
      if (isText) text += part
    },
    close(name) {
      const element = localName(name)
      if (element === 'si') strings.push(text)
      else if (element === 'rPh') isPhonetic = false
      isText = false
    },
  })
  return strings
}

interface SheetContext {
  strings: string[]
  /** Of a cell's style, by its number. */
  formats: string[]
  countsFrom1904: boolean
  maxDepth: number
  /** How much more may be read, of all sheets together. */
  room: { rows: number; characters: number }
}

interface Merge {
  column: number
  from: number
  to: number
}

function readSheet(xml: string, { strings, formats, countsFrom1904, maxDepth, room }: SheetContext): Cells[] {
  const rows = new Map<number, Cells>()
  const merges: Merge[] = []
  let rowNumber = 0
  let column = 0
  let type = ''
  let format = ''
  let value = ''
  let isValue = false

  function cellText(): string {
    if (type === 's') return strings[Number(value)] ?? ''
    if (type === 'e') return ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type === 'd') return value.replace(/T00:00:00(\.0+)?Z?$/, '')
    if (type !== '' && type !== 'n') return value
    return value.trim() === '' ? '' : formatNumber(Number(value), format, countsFrom1904)
  }

  function endCell() {
    const text = collapseSpaces(cellText())
    if (text === '' || column < 1 || column > MAX_COLUMNS) return
    // Many cells may refer to one long text.
    room.characters -= text.length
    if (room.characters < 0)
      throw new UnreadableFile(`This workbook has more than ${LONGEST_TEXT} characters. Split it into smaller files.`)
    let cells = rows.get(rowNumber)
    if (!cells) {
      if (room.rows-- === 0) throw new UnreadableFile(`This workbook has more than ${MAX_ROWS} rows.`)
      cells = new Map()
      rows.set(rowNumber, cells)
    }
    cells.set(column, text)
  }

  parseXml(xml, maxDepth, {
    open(name, attributes) {
      const element = localName(name)
      if (element === 'row') {
        rowNumber = Number(attributes.r) || rowNumber + 1
        column = 0
      } else if (element === 'c') {
        column = columnOf(attributes.r) ?? column + 1
        type = attributes.t ?? ''
        format = formats[Number(attributes.s ?? 0)] ?? ''
        value = ''
      } else if (element === 'mergeCell' && merges.length < MAX_MERGES) {
        const [from = '', to = ''] = (attributes.ref ?? '').split(':')
        const merge = { column: columnOf(from) ?? 0, from: rowOf(from), to: rowOf(to) }
        if (merge.to > merge.from) merges.push(merge)
      }
      isValue = element === 'v' || (element === 't' && type === 'inlineStr')
    },
    text(part) {
      if (isValue) value += part
    },
    close(name) {
      isValue = false
      if (localName(name) === 'c') endCell()
    },
  })
  fillMerges(rows, merges)
  return [...rows].toSorted(([a], [b]) => a - b).map(([, cells]) => cells)
}

/** A cell over several rows belongs to each of them. Rows without any text of their own stay out. */
function fillMerges(rows: Map<number, Cells>, merges: Merge[]) {
  for (const { column, from, to } of merges) {
    const text = rows.get(from)?.get(column)
    if (text === undefined) continue
    for (const [number, cells] of rows) if (number > from && number <= to && !cells.has(column)) cells.set(column, text)
  }
}

/** "AB12" → 28. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1]
  return letters ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) : undefined
}

function rowOf(reference: string): number {
  return Number(/\d+$/.exec(reference)?.[0] ?? 0)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

// Numbers as the cell's format shows them: dates, percentages, prices.
const builtInFormats: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  22: 'yyyy-mm-dd hh:mm',
  18: 'h:mm',
  19: 'h:mm',
  20: 'h:mm',
  21: 'h:mm:ss',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
}
const LONGEST_FORMAT = 200

function readFormats(xml: string, maxDepth: number): string[] {
  const custom = new Map<number, string>()
  const formats: string[] = []
  let isCellFormat = false
  parseXml(xml, maxDepth, {
    open(name, attributes) {
      const element = localName(name)
      const id = Number(attributes.numFmtId)
      if (element === 'numFmt') custom.set(id, (attributes.formatCode ?? '').slice(0, LONGEST_FORMAT))
      else if (element === 'cellXfs') isCellFormat = true
      else if (element === 'xf' && isCellFormat) formats.push(custom.get(id) ?? builtInFormats[id] ?? '')
    },
    close(name) {
      if (localName(name) === 'cellXfs') isCellFormat = false
    },
  })
  return formats
}

export function formatNumber(value: number, format: string, countsFrom1904 = false): string {
  if (!Number.isFinite(value)) return ''
  const positive = format.split(';', 1)[0] ?? ''
  const pattern = positive.replace(/"[^"]*"|\[(?![hms]+\])[^\]]*\]|\\.|_./gi, '')
  if (/[dyhs]|m+[^a-z]*m/i.test(pattern) && !/[#0?]/.test(pattern.replace(/\.0+/, '')))
    return formatDate(value, pattern, countsFrom1904)
  const decimals = /[0#?]\.([0#?]+)/.exec(pattern)?.[1] ?? ''
  if (pattern.includes('%')) return `${round(value * 100, decimals)}%`
  const number = /[0#?]/.test(pattern) ? round(value, decimals) : String(Number(value.toPrecision(15)))
  const currency =
    /\[\$([^\]-]+)/.exec(positive)?.[1]?.trim() ?? /[€$£¥₹]|"\s*(?:[A-Z]{3}|kr|zł|Kč|Ft)\s*"/.exec(positive)?.[0]
  if (!currency) return number
  const sign = currency.replaceAll('"', '').trim()
  const isFirst = positive.search(/[0#?]/) > positive.indexOf(currency)
  return isFirst ? `${sign}${sign.length > 1 ? ' ' : ''}${number}` : `${number} ${sign}`
}

/** "0.0#" has one or two decimals. */
function round(value: number, decimals: string): string {
  const optional = /[#?]*$/.exec(decimals)?.[0].length ?? 0
  const text = value.toFixed(Math.min(decimals.length, 10))
  return optional > 0 ? text.replace(new RegExp(`0{1,${optional}}$`), '').replace(/\.$/, '') : text
}

function formatDate(serial: number, pattern: string, countsFrom1904: boolean): string {
  if (/\[h/i.test(pattern))
    return `${Math.floor(serial * 24)}:${String(Math.round(serial * 1440) % 60).padStart(2, '0')}`
  const hasTime = /[hs]/i.test(pattern)
  const hasDay = /[dy]/i.test(pattern) || !hasTime
  // Excel believes that 1900 was a leap year: dates before March 1900 are a day off.
  const start = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const time = new Date(start + Math.round((serial * DAY_MS) / 1000) * 1000)
  if (Number.isNaN(time.getTime())) return String(serial)
  const [day = '', clock = ''] = time.toISOString().split('T')
  const shownTime = clock.slice(0, /s/i.test(pattern) ? 8 : 5)
  return [hasDay ? day : '', hasTime ? shownTime : ''].filter(Boolean).join(' ')
}
