import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SCREENS, screenPath } from '@docent/contract'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../src/', import.meta.url))
const readSource = (path: string) => readFileSync(root + path, 'utf8')

test('every screen is served by the router', () => {
  const usedNames = new Set(readSource('router.tsx').match(/(?<=SCREENS\.)\w+/g))
  expect(Object.keys(SCREENS).filter((name) => !usedNames.has(name))).toEqual([])
})

const firstSegments = new Set(Object.values(SCREENS).map((path) => path.split('/')[1] || 'none'))
const spelledOut = `['"\`]/(?:${[...firstSegments].join('|')})(?=[/?#'"\`]).*`
const withParameters = Object.entries(SCREENS).flatMap(([name, path]) => (path.includes('$') ? [name] : []))
const unfilled = `SCREENS\\.(?:${withParameters.join('|')})\\b`

test('every link to a screen is made from its name, with its parameters', () => {
  const isSource = (path: string) => /\.tsx?$/.test(path) && !path.startsWith('texts/') && path !== 'router.tsx'
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isSource)
  const badLinks = (text: string) => text.match(new RegExp(`${spelledOut}|${unfilled}`, 'g')) ?? []
  expect(badLinks('to="/bots"\nto={`/bots/x`}\nto={SCREENS.bot}\nto={SCREENS.bots}')).toHaveLength(3)
  expect(paths.flatMap((path) => badLinks(readSource(path)).map((link) => `${path}: ${link}`))).toEqual([])
})

test('parameters are filled in and encoded, and missing ones left out', () => {
  expect(screenPath('document', { botId: 'bot_1', documentId: 'a/b c' })).toBe(
    '/bots/bot_1/knowledge/documents/a%2Fb%20c',
  )
  expect(screenPath('inbox', {})).toBe('/inbox')
  expect(screenPath('inbox', { inboxBotId: 'bot_1', conversationId: 'con_1' })).toBe('/inbox/bot_1/con_1')
  expect(screenPath('home', {})).toBe('/')
})
