// Finds sections of the guides by word: enough for some twenty pages, and needs no bot.
import { stem } from '../language/stem.ts'
import { stopWords } from '../language/stop-words.ts'
import { words } from '../language/words.ts'
import { splitDocument } from '../sources/documents/split-document.ts'
import type { Guide } from './guides.ts'

export interface GuideHit {
  guide: Guide
  heading: string
  /** Includes the "#"; empty for the guide's beginning. */
  fragment: string
  excerpt: string
}

const MAX_HITS = 12
const HEADING_WEIGHT = 3
const EXCERPT_LENGTH = 180

export function makeGuideSearch(guides: readonly Guide[]): (query: string) => GuideHit[] {
  const sections = guides.flatMap((guide) =>
    splitDocument({ format: 'markdown', content: guide.markdown, title: guide.title, language: 'en' }).map(
      ({ headings, anchor, text }) => {
        const heading = headings.at(-1) ?? guide.title
        const inHeading = stems(`${guide.title} ${headings.join(' ')}`)
        return { guide, heading, fragment: anchor ? `#${anchor}` : '', text, inHeading, inText: stems(text) }
      },
    ),
  )
  const rarity = (one: string) => {
    const count = sections.filter(({ inHeading, inText }) => inHeading.has(one) || inText.has(one)).length
    return Math.log(1 + sections.length / (count + 1))
  }

  return (query) => {
    // Single letters are keyboard keys in some guides, not words.
    const asked = [...stems(query)].filter((one) => one.length > 1).map((one) => ({ stem: one, weight: rarity(one) }))
    return (
      sections
        .map((section) => {
          const { inHeading, inText } = section
          const place = (one: string) => (inHeading.has(one) ? HEADING_WEIGHT : 0) + (inText.has(one) ? 1 : 0)
          return { section, score: asked.reduce((sum, { stem: one, weight }) => sum + weight * place(one), 0) }
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        // Long sections are split into several passages.
        .filter(({ section }, at, all) => all.findIndex((one) => isSame(one.section, section)) === at)
        .slice(0, MAX_HITS)
        .map(({ section: { guide, heading, fragment, text } }) => ({
          guide,
          heading,
          fragment,
          excerpt: excerptOf(text, new Set(asked.map((one) => one.stem))),
        }))
    )
  }
}

function isSame(one: Pick<GuideHit, 'guide' | 'fragment'>, other: Pick<GuideHit, 'guide' | 'fragment'>): boolean {
  return one.guide === other.guide && one.fragment === other.fragment
}

/** The first line with a matching word. */
function excerptOf(text: string, asked: ReadonlySet<string>): string {
  const lines = text.split('\n')
  const line = lines.find((one) => [...stems(one)].some((each) => asked.has(each))) ?? lines[0] ?? ''
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, line.lastIndexOf(' ', EXCERPT_LENGTH))} …` : line
}

function stems(text: string): Set<string> {
  const stop = stopWords('en')
  return new Set(
    words(text, 'en')
      .filter((word) => !stop.has(word))
      .map((word) => stem(word, 'en')),
  )
}
