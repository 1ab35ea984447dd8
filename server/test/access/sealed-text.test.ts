import { expect, test } from 'vitest'
import { makeSealedText } from '../../src/sealed-text.ts'

const { seal, open } = makeSealedText('a secret of the operator')

test('a sealed text can be opened in its own context, and is encrypted differently each time', () => {
  const sealed = seal('sk-ä-🔑', 'bot_1')
  expect(open(sealed, 'bot_1')).toBe('sk-ä-🔑')
  expect(sealed).not.toContain('sk-')
  expect(seal('sk-ä-🔑', 'bot_1')).not.toBe(sealed)
})

test('a sealed text cannot be opened in another context or with another secret', () => {
  const sealed = seal('sk-1', 'bot_1')
  expect(open(sealed, 'bot_2')).toBeNull()
  expect(makeSealedText('another secret').open(sealed, 'bot_1')).toBeNull()
})

test('a text that was changed, cut off or never sealed is not opened', () => {
  const sealed = seal('sk-1', 'bot_1')
  for (let cut = 0; cut < sealed.length; cut++) expect(open(sealed.slice(0, cut), 'bot_1')).toBeNull()
  for (let at = 0; at < sealed.length - 1; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(open(changed, 'bot_1'), changed).toBeNull()
  }
  for (const text of ['', 'sk-1', 'v1.', 'v2.AAAA', 'v1.ä']) expect(open(text, 'bot_1')).toBeNull()
})
