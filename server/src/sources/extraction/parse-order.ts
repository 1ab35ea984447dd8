import type { DocumentFormat } from '../../storage/documents.ts'

/** A job for a parser thread. */
export type ParseOrder =
  | { kind: 'page'; bytes: Uint8Array; contentType: string }
  | { kind: 'sitemap'; bytes: Uint8Array; limitBytes: number }
  | { kind: 'file'; bytes: Uint8Array; name: string }
  | { kind: 'document'; format: DocumentFormat; content: string; title: string; language: string }

export interface ThreadFailure {
  message: string
  /** False for internal errors, which users must not see. */
  isForPeople: boolean
}

export type ThreadMessage = 'ready' | { result: unknown } | { error: ThreadFailure }
