// A cited section of a source without a URL, for anyone with the link.
import type { SourceSection } from '@docent/contract'
import { buttonLabels } from '../../answers/fall-back.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { DocumentsTable } from '../../storage/documents.ts'

export interface Sections {
  documents: Pick<DocumentsTable, 'findPassages'>
  nameOf: (section: { documentId: string; ordinal: number; text: string }) => string
  ordinalOf: (name: string) => number | null
}

export async function readSource(
  { documents, nameOf, ordinalOf }: Sections,
  bot: BotRecord,
  documentId: string,
  section: string,
): Promise<SourceSection> {
  const { colour, logo_url } = bot.widget.look
  const look = { name: bot.name, colour, logo_url, site_url: bot.siteUrl }
  const ordinal = bot.sourcePages ? ordinalOf(section) : null
  const [passage] = ordinal === null ? [] : await documents.findPassages(bot.id, [{ documentId, ordinal }])
  if (passage && passage.url === null && nameOf(passage) === section) {
    const { title, headings, text, language } = passage
    return { found: true, title, headings, text, language, bot: look }
  }
  const text = buttonLabels(bot.language).sourceGone
  return { found: false, title: null, headings: [], text, language: bot.language, bot: look }
}
