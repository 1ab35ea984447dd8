// The conversation on the screen: nothing of it outlives its widget or reaches into another.
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Entry } from '../src/chat/entries.ts'
import { makeMarkSeen } from '../src/more/mark-seen.ts'
import type { MoreView } from '../src/more/more-view.ts'
import { makeLogView } from '../src/view/log-view.ts'
import type { View } from '../src/view/view.ts'
import { newElement } from './dom.ts'

test('a widget that is taken off the page no longer runs a timer', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const config = { greeting: 'Hello', privacy_url: null, greeting_buttons: [] }
  const log = makeLogView({ texts: {}, language: 'en', config } as unknown as View)
  document.body.append(log.node)
  vi.advanceTimersByTime(120_000)
  expect(vi.getTimerCount()).toBe(1)
  log.node.remove()
  vi.advanceTimersByTime(60_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('of two widgets on a page each marks what was read in its own conversation', () => {
  const widgets = Array.from({ length: 2 }, () => {
    const node = newElement()
    const views = new Map([[{ id: 'm', role: 'visitor', created_at: '2026-01-01' } as Entry, { node }]])
    return { node, views, markSeen: makeMarkSeen({ moreTexts: { seen: 'Seen' } as MoreView['moreTexts'] }) }
  })
  for (const { views, markSeen } of widgets) for (const until of ['2026-01-02', '2026-01-03']) markSeen(views, until)
  expect(widgets.map(({ node }) => node.textContent)).toEqual(['Seen', 'Seen'])
})
