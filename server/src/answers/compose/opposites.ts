// A sentence can share nearly every word with a question and still not answer it, when one of them denies
// what the other says or turns it round.

const denial =
  /\b(?:not|no|never|none|neither|nor|nobody|nothing|without|cannot|unable|fail(?:s|ed)?|lack(?:s|ed)?|refuse[sd]?|\w+n't|\w+n’t|nicht|kein\w*|nie|niemals|ohne|nunca|ning[uú]n\w*|sin|pas|jamais|sans|aucun\w*|non|mai|senza|não|sem|niet|geen|nooit|zonder)\b|ليس|(?:^|\s)(?:لم|لا|لن)\s|不|没有|无法|(?:^|\s)(?:не|нет)\s|ない/iu

export const denies = (text: string): boolean => denial.test(text)

const pairs = `before/after first/last more/less more/fewer most/least most/fewest largest/smallest biggest/smallest highest/lowest
  increase/decrease increased/decreased increases/decreases rise/fall rose/fell best/worst north/south east/west northern/southern
  eastern/western upper/lower above/below inside/outside open/closed opened/closed start/end started/ended began/ended earliest/latest
  oldest/youngest oldest/newest old/new early/late win/lose won/lost allowed/forbidden permitted/prohibited legal/illegal
  same/different public/private male/female men/women always/never high/low large/small long/short minimum/maximum strong/weak
  vor/nach erste/letzte mehr/weniger größte/kleinste höchste/niedrigste beste/schlechteste nördlich/südlich offen/geschlossen
  antes/después más/menos mayor/menor primero/último norte/sur avant/après plus/moins premier/dernier nord/sud`
const opposites = new Map<string, string[]>()
for (const pair of pairs.split(/\s+/)) {
  const [one = '', other = ''] = pair.split('/')
  opposites.set(one, [...(opposites.get(one) ?? []), other])
  opposites.set(other, [...(opposites.get(other) ?? []), one])
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}+/gu))

/** Whether the sentence holds the opposite of a word of the question, and not the word itself. */
export function saysOpposite(question: string, sentence: string): boolean {
  const held = wordsOf(sentence)
  for (const word of wordsOf(question)) {
    if (!held.has(word) && opposites.get(word)?.some((other) => held.has(other))) return true
  }
  return false
}
