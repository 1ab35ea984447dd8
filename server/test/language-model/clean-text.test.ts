import { expect, test } from 'vitest'
import { createTextCleaner } from '../../src/answers/language-model/clean-text.ts'

const KNOWN = 'https://shop.example/a_(b)'

function clean(...deltas: string[]) {
  const cleaner = createTextCleaner(5, (url) => url === KNOWN)
  const text = deltas.map((delta) => cleaner.push(delta)).join('') + cleaner.end()
  return { text, used: cleaner.used, noAnswer: cleaner.saysNoAnswer() }
}

const cases: [text: string, expected: string, used: number[]][] = [
  ['3 days [1].', '3 days.', [1]],
  ['3 days[1], then', '3 days, then', [1]],
  ['3 days [1] then', '3 days then', [1]],
  ['3 days [1]then', '3 days then', [1]],
  ['A [1, 3]; b [2;1]', 'A; b', [1, 3, 2]],
  ['A [1][2] b [3] [4].', 'A b.', [1, 2, 3, 4]],
  ['A [1], [2] and b', 'A and b', [1, 2]],
  ['A [^2].', 'A.', [2]],
  ['A [2-4] b [4–5]', 'A b', [2, 3, 4, 5]],
  ['A [1 and 2] b', 'A b', [1, 2]],
  ['A [Source 2] [Quelle 3] [Passage #1]', 'A', [2, 3, 1]],
  ['A 【2†source】 b［3］', 'A b', [2, 3]],
  ['A [1](https://evil.example/x) b', 'A b', [1]],
  ['A [99] b [0] c [7-9]', 'A b c', []],
  ['Great![1] Yes! [2]', 'Great! Yes!', [1, 2]],
  ['[1] First\n[2] Second', 'First\nSecond', [1, 2]],
  ['- [1] item\n- other [2]\n\nEnd', '- item\n- other\n\nEnd', [1, 2]],
  ['运费[1]是三天[2]。', '运费是三天。', [1, 2]],
  ['since [2024] and [optional] [a', 'since [2024] and [optional] [a', []],
  ['`a[1]` and [1]', '`a[1]` and', [1]],
  ['```\na[2]\n``` [1]', '```\na[2]\n```', [1]],
  ['a stray ` here [1]\nand [2]', 'a stray ` here [1]\nand', [2]],
  [`[x](${KNOWN}) [y](https://evil.example/(z))`, `[x](${KNOWN}) y`, []],
  [`![x](${KNOWN})`, `[x](${KNOWN})`, []],
  ['![x](https://evil.example/a)', 'x', []],
  ['![x][ref] [x](<https://evil.example/a b>)', '! [x][ref] [x] (<https://evil.example/a b>)', []],
  ['![a [b]](https://evil.example/a)', '! [a [b]] (https://evil.example/a)', []],
  ['a  [  [1] ]!', 'a  [ ]!', [1]],
]

test.each(cases)('%j is shown as %j', (text, expected, used) => {
  expect(clean(text)).toMatchObject({ text: expected, used })
})

test('it does not matter where the stream is cut', () => {
  for (const [text, expected, used] of cases) {
    expect(clean(...text)).toMatchObject({ text: expected, used })
    for (let cut = 1; cut < text.length; cut++) {
      expect(clean(text.slice(0, cut), text.slice(cut)), `${text} cut at ${cut}`).toMatchObject({
        text: expected,
        used,
      })
    }
  }
})

test('random marks give the same text in one piece and in many', () => {
  const pieces = [
    '[',
    ']',
    '1',
    '9',
    ',',
    ' ',
    '!',
    '(',
    ')',
    '`',
    '```',
    '\n',
    'a',
    'NO_ANSWER_IN_SOURCES',
    'NO_',
    '【',
    '】',
    '^',
    'http://x',
  ]
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let round = 0; round < 20_000; round++) {
    const deltas = Array.from({ length: 1 + random(14) }, () => pieces[random(pieces.length)] ?? '')
    const whole = clean(deltas.join(''))
    expect(clean(...deltas), JSON.stringify(deltas)).toEqual(whole)
    expect(clean(...deltas.join('')), JSON.stringify(deltas)).toEqual(whole)
    expect(whole.text).not.toMatch(/!\[/)
  }
})

test('hostile repetition is not slow', () => {
  const started = performance.now()
  // Without bounds on the patterns a single one of these takes minutes.
  for (const piece of [' ', '[', '!', '`', '[1', '[x](', '([', '](', '[1] ', 'N', '【', '(a']) {
    clean(...Array.from({ length: 8000 }, () => piece))
    clean(piece.repeat(8000))
    clean(`[x](${piece.repeat(8000)}`)
  }
  expect(performance.now() - started).toBeLessThan(15_000)
})

test('text goes out as soon as it is decided', () => {
  const cleaner = createTextCleaner(5, () => false)
  expect(cleaner.push('We ship ')).toBe('We ship')
  expect(cleaner.push('within')).toBe(' within')
  expect(cleaner.push(' 3 days [')).toBe(' 3 days')
  expect(cleaner.push('1')).toBe('')
  expect(cleaner.push(']')).toBe('')
  expect(cleaner.push('. And')).toBe('. And')
})
