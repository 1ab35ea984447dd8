// How to get in touch with the company, according to its own pages.
import { type AnalysedQuestion, analyseQuestion } from '../language/analyse.ts'
import { foldPhrase } from '../language/fold.ts'
import { type Language, languageData, languageOrEnglish, phrasesOf, stopWords } from '../language/languages.ts'
import { punctuationOf } from '../language/punctuation.ts'
import { isFrameWord } from '../language/question-words.ts'
import { words } from '../language/words.ts'
import type { Knowledge, Passage } from './types.ts'
import { emailAddresses, writtenPhone } from './understand/contact-details.ts'

const PASSAGES = 8
const UNREAD = /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|mailer[-_.]?daemon|bounces?|postmaster|notifications?)\b/
const OTHER_PURPOSE =
  /^(?:sales|vertrieb|ventas?|partners?|jobs?|careers?|bewerbung|press|presse|privacy|datenschutz|dpo|legal|abuse|security|billing)\b/
// Between the name of a page and that of its site: "Contact | Shop", "Contact – Shop".
const SEPARATOR = /\s[|–—·:-]\s|[|·:]/

/**
 * An email address or phone number on a page about getting in touch, or else that page, or else an address at the
 * company's own host. Undefined if there is none: an address within some article may be anybody's.
 */
export async function findContact(
  knowledge: Pick<Knowledge, 'find' | 'load'>,
  language: string,
  siteUrl: string,
): Promise<string | undefined> {
  for (const one of new Set([languageOrEnglish(language), 'en' as const])) {
    const contact = chooseContact(await findPassages(knowledge, one), siteUrl, language)
    if (contact) return contact
  }
  return undefined
}

/** Whether a question names nothing but ways to get in touch: "How can I reach you by phone?" */
export function asksForContact({ text, language }: Pick<AnalysedQuestion, 'text' | 'language'>): boolean {
  const { contact } = languageData[languageOrEnglish(language)]
  // As they stand: "phone" may be a way to get in touch, "phones" are goods.
  const ways = new Set(words(`${contact.words} ${contact.asks ?? ''}`, language))
  const contentWords = words(text, language).filter(
    (word) => !stopWords(language).has(word) && !isFrameWord(word, language),
  )
  return contentWords.length > 0 && contentWords.every((word) => ways.has(word))
}

async function findPassages(knowledge: Pick<Knowledge, 'find' | 'load'>, language: Language): Promise<Passage[]> {
  const question = analyseQuestion(languageData[language].contact.words, language)
  const candidates = knowledge.find({ question, context: [], vector: undefined }).slice(0, PASSAGES)
  return (await knowledge.load(candidates)).map(({ passage }) => passage)
}

function chooseContact(passages: Passage[], siteUrl: string, replyLanguage: string): string | undefined {
  const pages = passages.filter(isAboutContact)
  const linksOf = (passage: Passage) =>
    emailsIn(passage).filter((address) => [siteUrl, passage.url].map(hostOf).includes(address.split('@')[1] ?? ''))
  const isGeneral = (address: string) => !OTHER_PURPOSE.test(address)
  const [page] = pages
  return (
    pages.flatMap(linksOf).find(isGeneral) ??
    pages.flatMap(emailsIn).find(isGeneral) ??
    pages
      .map(({ text, language }) => writtenPhone(text, regionFor(siteUrl, language)))
      .find((phone) => phone !== null) ??
    (page ? pageLink(page, replyLanguage) : passages.flatMap(linksOf).find(isGeneral))
  )
}

function emailsIn({ text }: Passage): string[] {
  return emailAddresses(text).filter((address) => !UNREAD.test(address))
}

/** By its title or its own heading: "Contact us", "Contact | Shop". A page about contact lenses is not meant. */
function isAboutContact({ title, headings, language }: Passage): boolean {
  const names = [title, headings.at(-1) ?? ''].flatMap((name) => name.split(SEPARATOR))
  return names.some((name) => [languageOrEnglish(language), 'en' as const].some((one) => isContactName(name, one)))
}

function isContactName(name: string, language: Language): boolean {
  const foldedName = foldPhrase(name)
  const phrases = phrasesOf(languageData[language].contact.pages).map(foldPhrase)
  if (phrases.includes(foldedName)) return true
  if (languageData[language].isUnspaced) return phrases.some((phrase) => foldedName.replaceAll(' ', '') === phrase)
  // Several of them, or with words that add nothing: "How to contact us", "Contact and customer service".
  const contactWords = new Set(phrases.flatMap((phrase) => phrase.split(' ')))
  const stop = stopWords(language)
  const words = foldedName.split(' ')
  const isNamed = phrases.some((phrase) => ` ${foldedName} `.includes(` ${phrase} `))
  return isNamed && words.every((word) => contactWords.has(word) || stop.has(word))
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

/** A page's title: linked if it has a URL, else in the quotation marks of the reply's language. */
export function pageLink({ title, url }: Pick<Passage, 'title' | 'url'>, replyLanguage: string): string {
  if (url) return `[${title.replace(/[[\]]/g, '')}](${url})`
  const [opening, closing] = punctuationOf(replyLanguage).quotes
  return opening + title + closing
}
