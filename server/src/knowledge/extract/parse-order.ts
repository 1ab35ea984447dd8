import type { DocumentFormat } from '../../storage/documents/document-rows.ts'

/** What a parsing thread is asked to do. */
export type ParseOrder =
  | { kind: 'page'; bytes: Uint8Array; contentType: string }
  | { kind: 'sitemap'; bytes: Uint8Array; limitBytes: number }
  | { kind: 'file'; bytes: Uint8Array; name: string }
  | { kind: 'document'; format: DocumentFormat; content: string; title: string; language: string }

export interface ThreadFailure {
  message: string
  /** Else it is an error of ours or of a parser, which nobody else should see. */
  isForPeople: boolean
}

export type ThreadMessage = 'ready' | { result: unknown } | { error: ThreadFailure }
