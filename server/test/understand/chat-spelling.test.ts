import { expect, test } from 'vitest'
import { expandChatSpelling } from '../../src/language/chat-spelling.ts'
import { detectLanguage } from '../../src/language/detect/detect.ts'

test.each([
  ['do u ship to norway', 'do you ship to norway'],
  ['whats ur return policy', "what's your return policy"],
  ['Whats included? I dont know', "What's included? I don't know"],
  ['r dogs allowed pls', 'are dogs allowed please'],
])('chat spelling is written out: %s', (typed, written) => {
  expect(expandChatSpelling(typed, 'en')).toBe(written)
})

test.each(['R packages, IM and U-Bahn', 'the u.s. office-r', "what's your policy", 'constructor __proto__ toString'])(
  'names and ordinary words stay: %s',
  (text) => {
    expect(expandChatSpelling(text, 'en')).toBe(text)
  },
)

test('other languages are left alone', () => {
  expect(expandChatSpelling('im Laden', 'de')).toBe('im Laden')
})

test.each(['do u ship to norway', 'im a student', 'i didnt go last week, money?', 'dont want a box next week'])(
  'chat spelling is recognised as English: %s',
  async (text) => {
    expect(await detectLanguage(text, 'en')).toBe('en')
  },
)
