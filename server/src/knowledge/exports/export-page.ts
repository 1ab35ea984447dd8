import { createHash } from 'node:crypto'

/** A page of an export, which becomes a document. */
export interface ExportPage {
  /** The same in every export of it, so that a later one takes its place. */
  id: string
  title: string
  /** Where it can be read, if the export tells. */
  url: string | null
  format: 'html' | 'markdown'
  content: string
}

/** A file of an export, unpacked. */
export interface ExportFile {
  path: string
  bytes: Buffer
}

/** What of an export was left out, and why. */
export interface ExportProblem {
  name: string
  message: string
}

/** Instead of an id that the export does not tell. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 26)
}
