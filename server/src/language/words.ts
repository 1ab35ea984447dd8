// Text into the words that count: lower case, accents folded, stop words gone, stemmed by language.
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stopWords } from './stop-words.ts'

const stemmers: Record<string, (word: string) => string> = {
  da: danish,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
  sv: swedish,
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
// Scripts written without spaces, where only a dictionary finds the words.
const NEEDS_DICTIONARY =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)?/gu

export function words(text: string, language: string): string[] {
  const stem = stemmers[language]
  const ignored = stopWords[language]
  const found: string[] = []
  for (const word of rawWords(text)) {
    const plain = fold(word)
    if (ignored?.has(plain)) continue
    found.push(stem ? stem(plain) : plain)
  }
  return found
}

function rawWords(text: string): string[] {
  const normal = text.normalize('NFKC').toLowerCase()
  if (!NEEDS_DICTIONARY.test(normal)) return normal.match(WORD) ?? []
  return [...segmenter.segment(normal)].filter((part) => part.isWordLike).map((part) => part.segment)
}

function fold(word: string): string {
  const bare = word.replace(/['’]s?$|['’]/g, '')
  return bare.normalize('NFD').replace(/\p{M}/gu, '')
}
