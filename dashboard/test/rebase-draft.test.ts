import { expect, test } from 'vitest'
import { rebaseDraft } from '../src/forms/rebase-draft.ts'

test('what a colleague saved meanwhile comes in, and what was typed here stays', () => {
  const base = { title: 'Help', colour: '#111111', hours: { from: '09:00' } }
  const draft = { ...base, title: 'Ask us' }
  const now = { title: 'Help', colour: '#222222', hours: { from: '08:00' } }
  expect(rebaseDraft({ base, draft }, now)).toEqual({ title: 'Ask us', colour: '#222222', hours: { from: '08:00' } })
})
