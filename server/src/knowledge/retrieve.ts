// Finds passages for a question. One index per bot in memory, built from the database when first asked
// and again when the bot's knowledge version has moved on; the bots asked longest ago are dropped first.
import type { DocumentsTable } from '../storage/documents.ts'
import { buildWordIndex, type WordHit, type WordIndex } from './word-index.ts'

const BOTS_IN_MEMORY = 500

export interface KnowledgeOf {
  botId: string
  language: string
  version: number
}

export type RetrievePassages = (bot: KnowledgeOf, question: string, limit: number) => Promise<WordHit[]>

export function retriever(documents: Pick<DocumentsTable, 'listPassages'>): RetrievePassages {
  const indexes = new Map<string, { version: number; index: Promise<WordIndex> }>()

  async function indexOf(bot: KnowledgeOf): Promise<WordIndex> {
    const { version } = bot
    const name = `${bot.botId} ${bot.language}`
    let entry = indexes.get(name)
    if (entry?.version !== version) {
      const index = documents.listPassages(bot.botId).then((passages) => buildWordIndex(passages, bot.language))
      entry = { version, index }
      index.catch(() => indexes.delete(name))
    }
    indexes.delete(name)
    indexes.set(name, entry)
    const [oldest] = indexes.keys()
    if (indexes.size > BOTS_IN_MEMORY && oldest) indexes.delete(oldest)
    return entry.index
  }

  return async (bot, question, limit) => (await indexOf(bot)).search(question, limit)
}
