import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SCREENS, screenPath } from '@docent/contract'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../src/', import.meta.url))
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('texts/'))
  .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))

const firstSegments = [...new Set(Object.values(SCREENS).map((path) => path.split('/')[1]))].filter(Boolean)
const address = new RegExp(
  `(['"\`])(/(?:${firstSegments.join('|')})(?=[/?#'"\`])(?:\\$\\{[^{}]*(?:\\{[^{}]*\\}[^{}]*)*\\}|(?!\\1).)*)\\1`,
  'g',
)

/** The paths that a file links to, with "*" for what is filled in: "/bots/*\/leads". */
function linksOf(text: string): string[] {
  const bases = [...text.matchAll(/const (\w+) = (`\/[^`]*`)/g)]
  const expandedText = bases.reduce(
    (all, [, name, value = '']) => all.replaceAll(`\`\${${name}}/`, `${value.slice(0, -1)}/`),
    text,
  )
  return [...expandedText.matchAll(address)].map(([, , link = '']) =>
    link
      .replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, (_, at) => (link[at - 1] === '/' ? '*' : ''))
      .replace(/[?#].*/, ''),
  )
}

function isScreen(link: string): boolean {
  const segments = link.split('/')
  return Object.values(SCREENS).some((path) => {
    const expected = path.split('/')
    return (
      segments.length <= expected.length &&
      expected.every((segment, index) => {
        const linkSegment = segments[index]
        return linkSegment === undefined
          ? segment.startsWith('{-$')
          : segment.includes('$') || linkSegment === '*' || linkSegment === segment
      })
    )
  })
}

describe('every address in the dashboard', () => {
  const links = sources.flatMap(({ path, text }) => linksOf(text).map((link) => ({ path, link })))

  test('is found', () => expect(links.length).toBeGreaterThan(100))
  test('leads to a screen', () => expect(links.filter(({ link }) => !isScreen(link))).toEqual([]))
  test('is served by the router', () => {
    const router = sources.find(({ path }) => path === 'router.tsx')?.text ?? ''
    expect(Object.keys(SCREENS).filter((name) => !router.includes(`SCREENS.${name}`))).toEqual([])
  })
})

test('a link to no screen is found', () => {
  const links = linksOf(`const base = \`/bots/\${id}\`
    <Link to={\`\${base}/setings\`} /><Link to={\`/inbox/\${a({ b })}/\${c}?show=all\`} />`)
  expect(links).toEqual(['/bots/*', '/bots/*/setings', '/inbox/*/*'])
  expect(links.map(isScreen)).toEqual([true, false, true])
})

test('parameters are filled in and encoded, and missing ones left out', () => {
  expect(screenPath('document', { botId: 'bot_1', documentId: 'a/b c' })).toBe(
    '/bots/bot_1/knowledge/documents/a%2Fb%20c',
  )
  expect(screenPath('inbox', {})).toBe('/inbox')
  expect(screenPath('inbox', { inboxBotId: 'bot_1', conversationId: 'con_1' })).toBe('/inbox/bot_1/con_1')
  expect(screenPath('home', {})).toBe('/')
})
