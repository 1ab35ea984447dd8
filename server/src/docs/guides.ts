// The guides in the repository's docs folder, in the order the docs site lists them, and a search in them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stopWords } from '../language/languages.ts'
import { stem } from '../language/stem.ts'
import { words } from '../language/words.ts'
import { splitDocument } from '../sources/documents/split-document.ts'

export interface Guide {
  /** Path below /docs/. */
  slug: string
  title: string
  group: string
  markdown: string
}

export const guideGroups: Readonly<Record<string, readonly string[]>> = {
  'Get started': ['first-bot', 'install', 'dashboard'],
  'Content and answers': ['knowledge', 'products', 'language-model', 'evaluating'],
  'Visitors and team': [
    'widget',
    'flows',
    'logged-in-visitors',
    'people',
    'notifications',
    'accounts',
    'single-sign-on',
    'privacy',
  ],
  Integrations: ['chat-api', 'actions', 'webhooks', 'openai', 'mcp', 'wordpress', 'shopify'],
  Operations: [
    'running',
    'sizing',
    'several-nodes',
    'monitoring',
    'backup',
    'moving',
    'moving-from-others',
    'lost-access',
    'cli',
  ],
}

const FOLDER = new URL('../../../docs/guides/', import.meta.url)

export function readGuides(): Guide[] {
  return Object.entries(guideGroups).flatMap(([group, slugs]) =>
    slugs.map((slug) => {
      const markdown = readFileSync(fileURLToPath(new URL(`${slug}.md`, FOLDER)), 'utf8')
      return { slug, title: /^# (.+)$/m.exec(markdown)?.[1]?.trim() ?? slug, group, markdown }
    }),
  )
}

export interface GuideHit {
  guide: Guide
  heading: string
  /** Includes the "#"; empty for the guide's beginning. */
  fragment: string
  excerpt: string
  /** Whether a word is one that was searched for. */
  isMatch: (word: string) => boolean
}

const MAX_HITS = 12
const HEADING_WEIGHT = 3
/** A section whose own heading is what was searched for. */
const EXACT_WEIGHT = 2
const EXCERPT_LENGTH = 180

/** Finds sections of the guides by word: enough for some twenty pages, and needs no bot. */
export function makeGuideSearch(guides: readonly Guide[]): (query: string) => GuideHit[] {
  const sections = guides.flatMap((guide) =>
    splitDocument({ format: 'markdown', content: guide.markdown, title: guide.title, language: 'en' }).map(
      ({ headings, anchor, text }) => {
        const heading = headings.at(-1) ?? guide.title
        const inHeading = stems(`${guide.title} ${headings.join(' ')}`)
        const place = { guide, heading, fragment: anchor ? `#${anchor}` : '', text }
        return { ...place, inOwnHeading: stems(heading), inHeading, inText: stems(text) }
      },
    ),
  )
  const rarity = (one: string) => {
    const count = sections.filter(({ inHeading, inText }) => inHeading.has(one) || inText.has(one)).length
    return Math.log(1 + sections.length / (count + 1))
  }

  return (query) => {
    // Single letters are keyboard keys in some guides, not words.
    const queryStems = [...stems(query)]
      .filter((one) => one.length > 1)
      .map((one) => ({ stem: one, weight: rarity(one) }))
    const askedStems = new Set(queryStems.map((one) => one.stem))
    return (
      sections
        .map((section) => {
          const { inOwnHeading, inHeading, inText } = section
          const place = (one: string) => (inHeading.has(one) ? HEADING_WEIGHT : 0) + (inText.has(one) ? 1 : 0)
          const sum = queryStems.reduce((total, { stem: one, weight }) => total + weight * place(one), 0)
          // A section with all the words comes before one that has a rare one often.
          const share = queryStems.filter(({ stem: one }) => place(one) > 0).length / queryStems.length
          const isExact =
            inOwnHeading.size === queryStems.length && queryStems.every(({ stem: one }) => inOwnHeading.has(one))
          return { section, score: sum * share ** 2 * (isExact ? EXACT_WEIGHT : 1) }
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
          excerpt: excerptOf(text, askedStems),
          isMatch: (word: string) => [...stems(word)].some((one) => askedStems.has(one)),
        }))
    )
  }
}

function isSame(one: Pick<GuideHit, 'guide' | 'fragment'>, other: Pick<GuideHit, 'guide' | 'fragment'>): boolean {
  return one.guide === other.guide && one.fragment === other.fragment
}

/** The first line with a matching word. */
function excerptOf(text: string, queryStems: ReadonlySet<string>): string {
  const lines = text.split('\n')
  const line = lines.find((one) => [...stems(one)].some((each) => queryStems.has(each))) ?? lines[0] ?? ''
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
