import { expect, test } from 'vitest'
import { makeSealedText } from '../../src/sealed-text.ts'

const { seal, open } = makeSealedText('a secret of the operator')

test('a sealed text can be opened in its own context, and is encrypted differently each time', () => {
  const sealedText = seal('sk-ä-🔑', 'bot_1')
  expect(open(sealedText, 'bot_1')).toBe('sk-ä-🔑')
  expect(sealedText).not.toContain('sk-')
  expect(seal('sk-ä-🔑', 'bot_1')).not.toBe(sealedText)
})

test('a sealed text cannot be opened in another context or with another secret', () => {
  const sealedText = seal('sk-1', 'bot_1')
  expect(open(sealedText, 'bot_2')).toBeNull()
  expect(makeSealedText('another secret').open(sealedText, 'bot_1')).toBeNull()
})

test('a text that was changed, cut off or never sealed is not opened', () => {
  const sealedText = seal('sk-1', 'bot_1')
  for (let length = 0; length < sealedText.length; length++)
    expect(open(sealedText.slice(0, length), 'bot_1')).toBeNull()
  for (let at = 0; at < sealedText.length - 1; at++) {
    const alteredText = sealedText.slice(0, at) + (sealedText[at] === 'A' ? 'B' : 'A') + sealedText.slice(at + 1)
    expect(open(alteredText, 'bot_1'), alteredText).toBeNull()
  }
  for (const text of ['', 'sk-1', 'v1.', 'v2.AAAA', 'v1.ä']) expect(open(text, 'bot_1')).toBeNull()
})
