import { createHash } from 'node:crypto'

/** A page of an export, which becomes a document. */
export interface ExportPage {
  /** The same in every export, so that a later one replaces the page. */
  id: string
  title: string
  /** The page's public URL, if the export contains it. */
  url: string | null
  format: 'html' | 'markdown'
  content: string
}

/** A file of an export, unpacked. */
export interface ExportFile {
  path: string
  bytes: Buffer
}

/** A skipped part of an export, and why. */
export interface ExportProblem {
  name: string
  message: string
}

/** Replaces an id that the export does not contain. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 26)
}
