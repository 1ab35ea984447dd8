// The guides in the repository's docs folder, in the order the docs site lists them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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
