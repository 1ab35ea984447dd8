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
const LONGEST = Math.max(...endings.keys())
const SHORTEST_STEM = 3

export function stemPolish(word: string): string {
  for (let length = Math.min(LONGEST, word.length - SHORTEST_STEM); length > 0; length--)
    if (endings.get(length)?.includes(word.slice(-length))) return word.slice(0, -length)
  return word
}
