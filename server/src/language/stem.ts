import { stemmer as ar } from '@orama/stemmers/arabic'
import { stemmer as bg } from '@orama/stemmers/bulgarian'
import { stemmer as da } from '@orama/stemmers/danish'
import { stemmer as nl } from '@orama/stemmers/dutch'
import { stemmer as en } from '@orama/stemmers/english'
import { stemmer as fi } from '@orama/stemmers/finnish'
import { stemmer as fr } from '@orama/stemmers/french'
import { stemmer as de } from '@orama/stemmers/german'
import { stemmer as el } from '@orama/stemmers/greek'
import { stemmer as hu } from '@orama/stemmers/hungarian'
import { stemmer as hi } from '@orama/stemmers/indian'
import { stemmer as id } from '@orama/stemmers/indonesian'
import { stemmer as it } from '@orama/stemmers/italian'
import { stemmer as lt } from '@orama/stemmers/lithuanian'
import { stemmer as no } from '@orama/stemmers/norwegian'
import { stemmer as pt } from '@orama/stemmers/portuguese'
import { stemmer as ro } from '@orama/stemmers/romanian'
import { stemmer as ru } from '@orama/stemmers/russian'
import { stemmer as sr } from '@orama/stemmers/serbian'
import { stemmer as es } from '@orama/stemmers/spanish'
import { stemmer as sv } from '@orama/stemmers/swedish'
import { stemmer as tr } from '@orama/stemmers/turkish'
import { stemmer as uk } from '@orama/stemmers/ukrainian'
import { fold } from './fold.ts'
import { stemPolish } from './stem-polish.ts'

const stemmers: Record<string, (word: string) => string> = {
  ar,
  bg,
  da,
  de,
  el,
  en,
  es,
  fi,
  fr,
  hi,
  hu,
  id,
  it,
  lt,
  nl,
  no,
  pl: stemPolish,
  pt,
  ro,
  ru,
  sr,
  // "Jackan", the jacket, like "jacka" and "jackor".
  sv: (word) => sv(word).replace(/(?<=.{3})an$/, ''),
  tr,
  uk,
}
const MAX_CACHED = 50_000
const caches = new Map<string, Map<string, string>>()

/** The folded stem of a normalised word; the folded word itself if the language has no stemmer. */
export function stem(word: string, language: string): string {
  const code = language.slice(0, 2)
  const cache = cacheFor(code)
  const cachedStem = cache.get(word)
  if (cachedStem !== undefined) return cachedStem
  // Fold after stemming: most stemmers look for accented endings.
  const newStem = fold(stemmers[code]?.(word) || word)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(word, newStem)
  return newStem
}

function cacheFor(code: string): Map<string, string> {
  let cache = caches.get(code)
  if (!cache) {
    cache = new Map()
    caches.set(code, cache)
  }
  return cache
}
