import { expect, test } from 'vitest'
import { makeTextCleaner } from '../../src/answers/language-model/output.ts'
import { measureCpuMs } from '../harness/event-loop.ts'
import { expectBelow } from '../harness/timing.ts'

const KNOWN = 'https://shop.example/a_(b)'

function clean(...deltas: string[]) {
  const cleaner = makeTextCleaner(
    { passages: 5, products: 3 },
    (url) => url === KNOWN || url === 'https://www.shop.example/s',
  )
  const text = deltas.map((delta) => cleaner.push(delta)).join('') + cleaner.end()
  return { text, used: cleaner.used, products: cleaner.usedProducts }
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
  ['![x][ref] [x](<https://evil.example/a b>)', '! [x][ref] [x] (‹… b>)', []],
  ['![a [b]](https://evil.example/a)', '! [a [b]] (…)', []],
  ['A 【1\n】 [1,\n2] b', 'A 【1\n】 [1,\n2] b', []],
  ['a  [  [1] ]!', 'a  [ ]!', [1]],
]

const EVIL = 'https://evil.example/?d=your+words'
const addresses: [text: string, expected: string][] = [
  // What looks like code here may not be code to the page's renderer.
  [`a stray \` then [our form](${EVIL}) here`, 'a stray ` then [our form] (…) here'],
  [`so \`\`\` then [our form](${EVIL}) here`, 'so ``` then [our form] (…) here'],
  [`\`[x](${KNOWN}) b\``, `\`[x](${KNOWN}) b\``],
  ['`list[0](1)` a[1:2]: b', '`list[0] (1)` a[1:2] : b'],
  [`\`[x](javascript:alert(1)) [y](//evil.example/a)`, '`[x] (javascript:alert(1)) [y] (//evil.example/a)'],
  // Reference links.
  [`See [our form][ref].\n\n[ref]: ${EVIL}\n`, 'See [our form][ref].\n\n[ref] : …\n'],
  ['[our form][ref]\n\n[ref]:\n//evil.example/a', '[our form][ref]\n\n[ref] :\n//evil.example/a'],
  // Bare URLs, which pages turn into links.
  [`See <${EVIL}>.`, 'See ….'],
  [`See <${KNOWN}>.`, `See <${KNOWN}>.`],
  [`See ${EVIL}.`, 'See ….'],
  [`See ${EVIL}`, 'See …'],
  [`(HTTP://evil.example/a), **ftp://evil.example** or "www.evil.example/a"!`, '(…), **…** or "…"!'],
  [`See ${KNOWN}, (${KNOWN}). **${KNOWN}**`, `See ${KNOWN}, (${KNOWN}). **${KNOWN}**`],
  [`${KNOWN}?d=your+words ${KNOWN}words ${KNOWN}.words`, '… … …'],
  [`${KNOWN}"words <${KNOWN}>words`, `${KNOWN} "words <${KNOWN}> words`],
  [`\`a](${KNOWN})words`, `\`a](${KNOWN}) words`],
  [`请看${KNOWN}了解。`, `请看${KNOWN} 了解。`],
  [`请看${EVIL}。谢谢`, '请看…。谢谢'],
  ['htt[1]ps://evil.example/a ww[P1]w.evil.example', '… …'],
  [
    'https\\://evil.example http&#58;//evil.example www&period;evil.example',
    '… http& #58;//evil.example www& period;evil.example',
  ],
  ['www.shop.example/s and www.other.example', 'www.shop.example/s and …'],
  [
    'An address starts with https:// or "www.", R&D; what, how',
    'An address starts with https:// or "www.", R&D; what, how',
  ],
  // HTML.
  [`a <img src="${EVIL}"> b`, 'a ‹img src="…"> b'],
  [`<a href='${EVIL}'>x</a><!-- y --><?z`, "‹a href='…'>x‹/a>‹!-- y -->‹?z"],
  ['`<IMG src=//evil.example/a>', '`‹IMG src=//evil.example/a>'],
  ['x < 5, y <5, z<=6, I <3 you, a <', 'x < 5, y <5, z<=6, I <3 you, a <'],
]

test.each(addresses)('%j loses the URLs that no passage contains: %j', (text, expected) => {
  expect(clean(text).text).toBe(expected)
  expect(clean(...text).text).toBe(expected)
  for (let length = 1; length < text.length; length++) {
    expect(clean(text.slice(0, length), text.slice(length)).text, `cut at ${length}`).toBe(expected)
  }
})

test('a URL that is too long to check is removed too', () => {
  const text = `See https://evil.example/${'a'.repeat(5000)} there`
  expect(clean(text).text).not.toContain('://')
  expect(clean(...text).text).toBe(clean(text).text)
})

test.each(cases)('%j is shown as %j', (text, expected, usedSources) => {
  expect(clean(text)).toMatchObject({ text: expected, used: usedSources })
})

test('the result does not depend on where the stream is split', () => {
  for (const [text, expected, usedSources] of cases) {
    expect(clean(...text)).toMatchObject({ text: expected, used: usedSources })
    for (let length = 1; length < text.length; length++) {
      expect(clean(text.slice(0, length), text.slice(length)), `${text} cut at ${length}`).toMatchObject({
        text: expected,
        used: usedSources,
      })
    }
  }
})

test('random marks give the same text in one chunk and in many', () => {
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
    '[P2]',
    'NO_',
    '【',
    '】',
    '^',
    'http://x',
    'www.',
    KNOWN,
    '<',
    '>',
    ':',
    '"',
    '&',
    '#',
    '\\',
  ]
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let round = 0; round < 20_000; round++) {
    const deltas = Array.from({ length: 1 + random(14) }, () => pieces[random(pieces.length)] ?? '')
    const wholeText = clean(deltas.join(''))
    expect(clean(...deltas), JSON.stringify(deltas)).toEqual(wholeText)
    expect(clean(...deltas.join('')), JSON.stringify(deltas)).toEqual(wholeText)
    expect(wholeText.text, JSON.stringify(deltas)).not.toMatch(/!\[|\]:|<[a-z/!]|http:|www\.[a-z]|&#/)
    // A known URL is always followed by a delimiter.
    expect(wholeText.text, JSON.stringify(deltas)).not.toMatch(
      /https:\/\/(?!shop\.example\/a_\(b\)[^\sa-z0-9]*(?:\s|$|\]\())/,
    )
  }
})

test('hostile repetition is processed quickly', async () => {
  const pieces = [
    ...[' ', '[', '!', '`', '[1', '[x](', '([', '](', '[1] ', 'N', '【', '(a'],
    ...['https://', 'www.', '<a', '](a(', 'h', '&'],
  ]
  // Without limits in the patterns, a single one of these takes minutes.
  const cleanAll = () => {
    for (const piece of pieces) {
      clean(...Array.from({ length: 8000 }, () => piece))
      clean(piece.repeat(8000))
      clean(`[x](${piece.repeat(8000)}`)
      clean(`https://x${piece.repeat(8000)}`)
      clean(`\`](${piece.repeat(8000)}`)
    }
  }
  await expectBelow(15_000, () => measureCpuMs(cleanAll))
})

test('text goes out as soon as it is decided', () => {
  const cleaner = makeTextCleaner({ passages: 5, products: 0 }, () => false)
  expect(cleaner.push('We ship ')).toBe('We ship')
  expect(cleaner.push('within')).toBe(' within')
  expect(cleaner.push(' 3 days [')).toBe(' 3 days')
  expect(cleaner.push('1')).toBe('')
  expect(cleaner.push(']')).toBe('')
  expect(cleaner.push('. And')).toBe('. And')
})
