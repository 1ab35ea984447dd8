import { expect, test } from 'vitest'
import { stem } from '../../src/language/stem.ts'

test.each([
  ['pl', 'kurtka kurtki kurtkę kurtką kurtkom kurtkami'],
  ['pl', 'plecak plecaka plecakiem plecaki plecaków'],
  ['pl', 'czerwony czerwona czerwonego czerwonej czerwonymi'],
  ['pl', 'instalować instaluje instalują instalowanie'],
  ['sv', 'jacka jackan jackor'],
])('in "%s", forms of a word have one stem: %s', (language, forms) => {
  expect(new Set(forms.split(' ').map((form) => stem(form, language))).size).toBe(1)
})

test.each(['but', 'dom', 'zł', 'usb'])('short Polish words stay whole: %s', (word) => {
  expect(stem(word, 'pl')).toBe(word.replace('ł', 'l'))
})
