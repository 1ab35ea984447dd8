import type { ConversationSummary, PageOf } from '@docent/contract'
import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('location', { origin: 'http://docent.test' })
afterAll(() => void vi.unstubAllGlobals())
const { hasLostWaiting } = await import('../src/features/inbox/use-conversations.ts')

const row = (minute: number, isWaiting = true) =>
  ({
    id: `cnv_${minute}`,
    updated_at: new Date(minute * 60_000).toISOString(),
    waiting: isWaiting ? { since: new Date(minute * 60_000).toISOString(), due_at: null } : null,
  }) as ConversationSummary
const top = (...items: ConversationSummary[]): PageOf<ConversationSummary> => ({ items, next_cursor: 'more' })

test('all rows are fetched again only when one of those waiting at the top is no longer waiting', () => {
  const knownRows = [row(1), row(2), row(3), row(4), row(9, false)]
  expect(hasLostWaiting(top(row(1), row(2)), knownRows)).toBe(false)
  expect(hasLostWaiting(top(row(1), row(3)), knownRows)).toBe(true)
  expect(hasLostWaiting(top(row(1), row(2), row(3), row(9, false)), knownRows)).toBe(true)
  expect(hasLostWaiting({ ...top(row(1)), next_cursor: null }, knownRows)).toBe(false)
})
