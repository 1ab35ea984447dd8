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

// A light stemmer for Polish, for which no package on npm has one: it takes the longest known ending of nouns, adjectives
// and verbs off. Forms with other vowels or consonants ("ręka", "rąk") stay apart. Headings find their section by words
// alone in .51 instead of .43 (lab/reports/quality-details.md).

const NOUNS =
  'owania owaniem owaniu owanie ania aniu aniem anie aniami aniach enia eniu eniem enie eniami eniach ości ość ością ościom ościami ościach iami ami iach ach owie om iom em iem ów ą ę a e i o u y ie'
const ADJECTIVES =
  'iejszy iejsza iejsze iejszego iejszej iejszych iejszym owany owana owane owanego owanej owanych owanym owanymi ego iego emu iemu ej iej ich ych im ym imi ymi ią'
const VERBS =
  'uje ujesz ują ujemy ujecie ujący ująca ujące ować ował owała owały ać asz amy acie ają ał ała ało ały aj ajcie ić isz imy icie ił iła iły eć esz emy ecie eją cie my'

const endings = Map.groupBy(
  [NOUNS, ADJECTIVES, VERBS].flatMap((list) => list.split(' ')),
  (ending) => ending.length,
)
const LONGEST_ENDING = Math.max(...endings.keys())
const SHORTEST_STEM = 3

function stemPolish(word: string): string {
  for (let length = Math.min(LONGEST_ENDING, word.length - SHORTEST_STEM); length > 0; length--)
    if (endings.get(length)?.includes(word.slice(-length))) return word.slice(0, -length)
  return word
}
