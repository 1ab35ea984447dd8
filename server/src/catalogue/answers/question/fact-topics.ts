// Words people use for one property, whatever the shop calls it. Compared by stem.
import { byLanguage, languageOrEnglish } from '../../../language/languages.ts'
import { stem } from '../../../language/stem.ts'

const topicsByStem = byLanguage(({ products }, language) => {
  const known = new Map<string, ReadonlySet<string>>()
  for (const line of products.factTopics ?? []) {
    const stems = line.split(' ').map((one) => stem(one, language))
    for (const one of stems) known.set(one, new Set([...(known.get(one) ?? []), ...stems]))
  }
  return known.size > 0 ? known : undefined
})
const none: ReadonlySet<string> = new Set()

/** Stems that ask for the same property; English if the language has no topics. */
export function topicOf(word: string, language: string): ReadonlySet<string> {
  const topics = topicsByStem(languageOrEnglish(language)) ?? topicsByStem('en')
  return topics?.get(word) ?? none
}
