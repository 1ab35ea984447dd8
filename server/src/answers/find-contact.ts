// How to get in touch with the company, according to its own pages.
import { analyseQuestion } from '../language/analyse.ts'
import { foldPhrase } from '../language/fold.ts'
import { type Language, languageData, languageOrEnglish, phrasesOf } from '../language/languages.ts'
import { stopWords } from '../language/stop-words.ts'
import type { Knowledge, Passage } from './types.ts'
import { emailAddresses, writtenPhone } from './understand/contact-details.ts'

const PASSAGES = 8
const unread = /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|mailer[-_.]?daemon|bounces?|postmaster|notifications?)\b/
const otherPurpose =
  /^(?:sales|vertrieb|ventas?|partners?|jobs?|careers?|bewerbung|press|presse|privacy|datenschutz|dpo|legal|abuse|security|billing)\b/
// Between the name of a page and that of its site: "Contact | Shop", "Contact – Shop".
const separator = /\s[|–—·:-]\s|[|·:]/

/**
 * An email address or phone number on a page about getting in touch, or else that page, or else an address at the
 * company's own host. Undefined if there is none: an address within some article may be anybody's.
 */
export async function findContact(
  knowledge: Pick<Knowledge, 'find' | 'read'>,
  language: string,
  siteUrl: string,
): Promise<string | undefined> {
  for (const one of new Set([languageOrEnglish(language), 'en' as const])) {
    const contact = chooseContact(await findPassages(knowledge, one), siteUrl)
    if (contact) return contact
  }
  return undefined
}

async function findPassages(knowledge: Pick<Knowledge, 'find' | 'read'>, language: Language): Promise<Passage[]> {
  const question = analyseQuestion(languageData[language].contact.words, language)
  const candidates = knowledge.find({ question, context: [], vector: undefined }).slice(0, PASSAGES)
  return (await knowledge.read(candidates)).map(({ passage }) => passage)
}

function chooseContact(passages: Passage[], siteUrl: string): string | undefined {
  const pages = passages.filter(isAboutContact)
  const own = (passage: Passage) =>
    emailsIn(passage).filter((address) => [siteUrl, passage.url].map(hostOf).includes(address.split('@')[1] ?? ''))
  const isGeneral = (address: string) => !otherPurpose.test(address)
  const [page] = pages
  return (
    pages.flatMap(own).find(isGeneral) ??
    pages.flatMap(emailsIn).find(isGeneral) ??
    pages
      .map(({ text, language }) => writtenPhone(text, regionFor(siteUrl, language)))
      .find((phone) => phone !== null) ??
    (page ? pageLink(page) : passages.flatMap(own).find(isGeneral))
  )
}

function emailsIn({ text }: Passage): string[] {
  return emailAddresses(text).filter((address) => !unread.test(address))
}

/** By its title or its own heading: "Contact us", "Contact | Shop". A page about contact lenses is not meant. */
function isAboutContact({ title, headings, language }: Passage): boolean {
  const names = [title, headings.at(-1) ?? ''].flatMap((name) => name.split(separator))
  return names.some((name) => [languageOrEnglish(language), 'en' as const].some((one) => isContactName(name, one)))
}

function isContactName(name: string, language: Language): boolean {
  const folded = foldPhrase(name)
  const phrases = phrasesOf(languageData[language].contact.pages).map(foldPhrase)
  if (phrases.includes(folded)) return true
  if (languageData[language].isUnspaced) return phrases.some((phrase) => folded.replaceAll(' ', '') === phrase)
  // Several of them, or with words that add nothing: "How to contact us", "Contact and customer service".
  const known = new Set(phrases.flatMap((phrase) => phrase.split(' ')))
  const stop = stopWords(language)
  const words = folded.split(' ')
  const isNamed = phrases.some((phrase) => ` ${folded} `.includes(` ${phrase} `))
  return isNamed && words.every((word) => known.has(word) || stop.has(word))
}

function hostOf(url: string | null): string | null {
  return url && URL.canParse(url) ? new URL(url).hostname.replace(/^(?:www|help|docs|support)\./, '') : null
}

const countries: Partial<Record<Language, string>> = { en: 'GB', ar: 'SA', da: 'DK', sv: 'SE', ja: 'JP', zh: 'CN' }

/** Where a number without a country code is from: the country of the site, or else of the language. */
function regionFor(siteUrl: string, language: string): string {
  const ending = /\.([a-z]{2})$/.exec(hostOf(siteUrl) ?? '')?.[1]
  return (ending === 'uk' ? 'gb' : (ending ?? countries[languageOrEnglish(language)] ?? language)).toUpperCase()
}

/** A page's title, linked if it has a URL. */
export function pageLink({ title, url }: Pick<Passage, 'title' | 'url'>): string {
  return url ? `[${title.replace(/[[\]]/g, '')}](${url})` : `“${title}”`
}
