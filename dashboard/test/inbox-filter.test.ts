// The inbox's filters live in the URL and in saved views, which people share and edit by hand.
import { expect, test } from 'vitest'
import { type InboxFilter, SHOWS, toFilter, toQuery } from '../src/features/inbox/filter.ts'

const views = SHOWS.flatMap((show): InboxFilter[] => (show === 'all' ? [{}] : [{ show }]))
const more: InboxFilter[] = [
  { show: 'open', assignee: 'mem_1', tag: 'returns', bot: 'bot_1', channel: 'widget' },
  { show: 'resolved', visitor: 'vis_1', q: 'invoice 12' },
  { had: 'rating_down', since: '2026-11-01T00:00:00Z', until: '2026-11-08T00:00:00Z' },
]

test.each([...views, ...more])('a saved filter %o opens as the same view', (filter) => {
  expect(toFilter(toQuery(filter))).toEqual(filter)
})

test('the view of one’s own conversations asks for open ones assigned to oneself', () => {
  expect(toQuery({ show: 'mine' })).toEqual({ status: 'open', assignee: 'me' })
  expect(toQuery({ show: 'unanswered', bot: 'bot_1' })).toEqual({ unanswered: true, bot_id: 'bot_1' })
})

test('a search waits for its second letter, and the time zone of the days is not sent', () => {
  expect(toQuery({ q: ' a ' })).toEqual({})
  expect(toQuery({ q: ' ab ', tz: 'Europe/Vienna' })).toEqual({ q: 'ab' })
})

test('what no filter can be is left out', () => {
  const query = { status: 'bot', channel: 'fax', since: 'yesterday', had: 'nothing' } as never
  expect(toFilter(query)).toEqual({})
})
