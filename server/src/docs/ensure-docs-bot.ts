// The docs site's bot, which answers from this release's guides. Once deleted, it is not recreated.
import { DEFAULT_RETENTION_DAYS } from '@docent/contract'
import type { ImportDocuments } from '../knowledge/documents/import-documents.ts'
import { type BotRecord, type BotsTable, defaultWidgetRecord } from '../storage/bots/bots.ts'
import { readGuides } from './guides.ts'

const DOCS_BOT_ID = 'bot_docs'

interface Deps {
  bots: Pick<BotsTable, 'find'>
  importDocuments: ImportDocuments
  workspaceId: string
  baseUrl: string
}

export function docsBot(workspaceId: string, baseUrl: string, createdAt: number): BotRecord {
  return {
    workspaceId,
    id: DOCS_BOT_ID,
    name: 'Docent documentation',
    language: 'en',
    siteUrl: `${baseUrl}/docs`,
    fallbackMessage: null,
    tone: 'formal' as const,
    answerThreshold: null,
    suggestThreshold: null,
    languageModel: null,
    widget: {
      ...defaultWidgetRecord,
      look: {
        ...defaultWidgetRecord.look,
        title: 'Docent help',
        suggested_questions: [
          'How do I add the widget to my site?',
          'How do I back up an instance?',
          'How are webhooks signed?',
        ],
      },
    },
    sourcePages: true,
    retentionDays: DEFAULT_RETENTION_DAYS,
    knowledgeVersion: 0,
    curatedVersion: 0,
    reportsEvents: false,
    productVersion: 0,
    productReadyVersion: 0,
    createdAt,
  }
}

/** Imports the guides, skipping unchanged ones; null if there is no docs bot. */
export async function ensureDocsBot({ bots, importDocuments, workspaceId, baseUrl }: Deps): Promise<string | null> {
  const bot = await bots.find(workspaceId, DOCS_BOT_ID)
  if (!bot) return null
  const documents = readGuides().map(({ slug, title, markdown }) => ({
    id: `guide-${slug}`,
    title,
    language: 'en',
    url: `${baseUrl}/docs/${slug}`,
    markdown,
  }))
  await importDocuments(bot, documents)
  return DOCS_BOT_ID
}
