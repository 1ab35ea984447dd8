// Why a file cannot be read, and what to do about it: recognised by its content, because names lie.
import { UnreadableFile } from '../extraction/parse-limits.ts'

const SUPPORTED = 'Use PDF, DOCX, XLSX, PPTX, ODT, HTML, Markdown, text, CSV or an export.'
// The container of Office up to 2003, and of its encrypted files to this day.
const COMPOUND_FILE = 'd0cf11e0a1b11ae1'

/** The first bytes of a file → what it is. */
const SIGNATURES: [RegExp, string][] = [
  [/^(89504e47|ffd8ff|47494638|49492a00|4d4d002a|424d|52494646.{8}57454250|.{8}6674797068656963)/, 'picture'],
  [/^(494433|fffb|664c6143|4f676753|52494646.{8}57415645)/, 'sound file'],
  [/^(.{8}66747970|1a45dfa3|52494646.{8}41564920)/, 'video or sound file'],
  [/^(1f8b|425a68|fd377a585a|377abcaf271c|52617221)/, 'compressed archive'],
  [/^(4d5a|7f454c46)/, 'program'],
]

/** Names in a compound file, in UTF-16 → the old format and its successor. */
const OLD_OFFICE = [
  ['WordDocument', 'the Word format of before 2007 (.doc). Save it as .docx'],
  ['Workbook', 'the Excel format of before 2007 (.xls). Save it as .xlsx'],
  ['PowerPoint Document', 'the PowerPoint format of before 2007 (.ppt). Save it as .pptx'],
] as const

/** Undefined for content that may be text. */
export function unsupportedContent(bytes: Buffer): UnreadableFile | undefined {
  const start = bytes.toString('hex', 0, 16)
  if (start.startsWith(COMPOUND_FILE)) return compoundFile(bytes)
  if (bytes.toString('latin1', 0, 5) === '{\\rtf') return new UnreadableFile('This is an RTF file. Save it as .docx.')
  const kind = SIGNATURES.find(([signature]) => signature.test(start))?.[1]
  // The same letters may begin a text.
  if (!kind || !bytes.subarray(0, 512).includes(0)) return undefined
  if (kind === 'picture') return new UnreadableFile('This is a picture. Text in pictures is not read.', 'no_text')
  return new UnreadableFile(`This is a ${kind}. ${SUPPORTED}`)
}

export function unsupportedType(extension: string): UnreadableFile {
  return new UnreadableFile(
    extension === ''
      ? `This file type is not supported. ${SUPPORTED}`
      : `Files of the type .${extension.slice(0, 20)} are not supported. ${SUPPORTED}`,
  )
}

function compoundFile(bytes: Buffer): UnreadableFile {
  const has = (name: string) => bytes.includes(Buffer.from(name, 'utf16le'))
  if (has('EncryptedPackage')) return new UnreadableFile('This file is password-protected.', 'password_protected')
  const old = OLD_OFFICE.find(([name]) => has(name))?.[1]
  return new UnreadableFile(
    old ? `This file has ${old}.` : 'This Office format is too old. Save the file as .docx, .xlsx, .pptx or .pdf.',
  )
}

const openDocuments: Record<string, string> = {
  spreadsheet: 'an OpenDocument spreadsheet. Save it as .xlsx or .csv',
  presentation: 'an OpenDocument presentation. Save it as .pptx or .pdf',
  graphics: 'an OpenDocument drawing. Save it as .pdf',
}

const officeNames: Record<string, string> = {
  docx: 'Word document',
  xlsx: 'Excel workbook',
  pptx: 'PowerPoint presentation',
  odt: 'OpenDocument text',
  pdf: 'PDF',
}

/** For a ZIP archive that is no document we read; undefined where it may be an export. */
export function unsupportedArchive(
  extension: string,
  mimeType: string,
  has: (name: string) => boolean,
): UnreadableFile | undefined {
  const openDocument = openDocuments[/opendocument\.(\w+)/.exec(mimeType)?.[1] ?? '']
  if (openDocument) return new UnreadableFile(`This is ${openDocument}.`)
  if (mimeType === 'application/epub+zip') return new UnreadableFile('This is an e-book. Save it as .pdf or .html.')
  if (has('xl/workbook.bin')) return new UnreadableFile('This is a binary Excel workbook (.xlsb). Save it as .xlsx.')
  if (has('Index/Document.iwa') || has('Index.zip'))
    return new UnreadableFile(
      'This is a file of Pages, Numbers or Keynote. Export it as PDF, Word, Excel or PowerPoint.',
    )
  return invalidFile(extension)
}

/** Where the name promises something that the content is not. */
export function invalidFile(extension: string): UnreadableFile | undefined {
  const name = officeNames[extension]
  return name === undefined ? undefined : new UnreadableFile(`This file is not a valid ${name}.`)
}
