// The docs site's bot, which answers from this release's guides. Once deleted, it is not recreated.
import type { ImportDocuments } from '../sources/documents/documents.ts'
import { type BotRecord, type BotsTable, DOCS_BOT_ID, defaultWidgetRecord, newBot } from '../storage/bots.ts'
import { readGuides } from './guides.ts'

interface Deps {
  bots: Pick<BotsTable, 'find'>
  importDocuments: ImportDocuments
  workspaceId: string
  baseUrl: string
}

export function docsBot(workspaceId: string, baseUrl: string, createdAt: number): BotRecord {
  return newBot({
    workspaceId,
    id: DOCS_BOT_ID,
    name: 'Docent documentation',
    language: 'en',
    siteUrl: `${baseUrl}/docs`,
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
    createdAt,
  })
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
