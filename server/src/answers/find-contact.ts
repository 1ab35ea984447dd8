// How to contact the company, according to its own pages.
import { analyseQuestion } from '../language/analyse.ts'
import { languageData, languageOrEnglish } from '../language/languages.ts'
import { pageLink } from './page-link.ts'
import type { Knowledge } from './types.ts'
import { emailAddresses } from './understand/contact-details.ts'

const PASSAGES = 5

/**
 * An email address at the company's own host, or else the contact page or the address on it; undefined if there is
 * neither. An address within some article may be anybody's.
 */
export async function findContact(
  knowledge: Pick<Knowledge, 'find' | 'read'>,
  language: string,
  siteUrl: string,
): Promise<string | undefined> {
  const text = languageData[languageOrEnglish(language)].contact.words
  const question = analyseQuestion(text, language)
  const candidates = knowledge.find({ question, context: [], vector: undefined }).slice(0, PASSAGES)
  for (const { passage } of await knowledge.read(candidates)) {
    const emails = emailAddresses(passage.text)
    const hosts = [siteUrl, passage.url].map(hostOf)
    const own = emails.find((address) => hosts.includes(address.slice(address.indexOf('@') + 1)))
    if (own) return own
    if (isAboutContact([passage.title, ...passage.headings].join(' '), text)) return emails[0] ?? pageLink(passage)
  }
  return undefined
}

function isAboutContact(title: string, words: string): boolean {
  const [contact = ''] = words.split(' ')
  return title.toLowerCase().includes(contact.toLowerCase())
}

function hostOf(url: string | null): string | null {
  return url && URL.canParse(url) ? new URL(url).hostname.replace(/^(?:www|help|docs|support)\./, '') : null
}
