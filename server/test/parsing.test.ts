// What becomes of a document: blocks, then passages. Hostile content takes no longer than its length.
import { describe, expect, test } from 'vitest'
import { readableRow } from '../src/knowledge/document-blocks.ts'
import { parseHtml } from '../src/knowledge/parse-html.ts'
import { parseMarkdown } from '../src/knowledge/parse-markdown.ts'
import { splitPassages } from '../src/knowledge/split-passages.ts'

const BOUND_MS = 4000

function inTime<T>(work: () => T): T {
  const start = performance.now()
  const result = work()
  expect(performance.now() - start).toBeLessThan(BOUND_MS)
  return result
}

const texts = (blocks: { text: string }[]) => blocks.map(({ text }) => text)

describe('Markdown', () => {
  test.each([
    ['a heading with a hole', `# a${' '.repeat(4000)}x`],
    ['a heading of spaces', `#${' '.repeat(500_000)}\u2028x`],
    ['a heading of marks', `# ${'# '.repeat(500_000)}x`],
    ['half anchors', `# ${' {#a'.repeat(300_000)}`],
    ['images without end', '!['.repeat(500_000)],
    ['links without end', '[a]('.repeat(300_000)],
    ['links without text', '['.repeat(1_000_000)],
    ['tags without end', '<a'.repeat(500_000)],
    ['addresses without end', '<http:'.repeat(200_000)],
    ['bold without end', '**a '.repeat(300_000)],
    ['bold with underscores', '__a '.repeat(300_000)],
    ['italics without end', ' *a'.repeat(300_000)],
    ['stars', '*'.repeat(1_000_000)],
    ['single stars in bold', `**${'a*b'.repeat(300_000)}`],
    ['code without end', '` `` '.repeat(300_000)],
    ['a table rule of spaces', `|${' '.repeat(500_000)}x`],
    ['a spaced line', `${' '.repeat(500_000)}x`],
    ['a table rule that fails', `${'--|'.repeat(300_000)}x`],
    ['a rule that fails', `${'- '.repeat(300_000)}x`],
    ['soft-wrapped lines', 'a\n'.repeat(200_000)],
    ['an HTML table without end', '<table>\n\n'.repeat(100_000)],
    ['comments without end', '<!--'.repeat(300_000)],
    ['entities without end', '&'.repeat(1_000_000)],
    ['a long list of links', '- [a](b)\n'.repeat(100_000)],
    ['steps within steps', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}1. a`).join('\n')],
  ])('%s takes linear time', (_, content) => {
    inTime(() => parseMarkdown(content))
  })

  test('HTML within it is read as HTML, also where a tag spans lines', () => {
    const content = `Prices:

<table
  class="wide">
<tr><th>Plan</th><th>Price</th></tr>

<tr><td>Small</td><td>5&nbsp;€ &amp; tax</td></tr>
</table>

After it.`
    expect(texts(parseMarkdown(content))).toEqual(['Prices:', '- Small: Price 5 € & tax', 'After it.'])
  })

  test('links and emphasis may span lines, and entities are characters', () => {
    expect(texts(parseMarkdown('See the [opening\nhours](/hours) of our **main\nshop** &amp; caf&#233;.'))).toEqual([
      'See the opening hours of our main shop & café.',
    ])
  })

  test('steps that are all written as 1. are counted', () => {
    expect(texts(parseMarkdown('1. Open it.\n1. Choose:\n   1. red\n   1. blue\n1. Save.'))).toEqual([
      '1. Open it.\n2. Choose:\n   1. red\n   2. blue\n3. Save.',
    ])
  })

  test('a bold line on its own is a heading', () => {
    const [heading, text] = parseMarkdown('**Lost keys**\n\nAsk at the desk.')
    expect(heading).toMatchObject({ kind: 'heading', text: 'Lost keys' })
    expect(text).toMatchObject({ kind: 'text', text: 'Ask at the desk.' })
  })

  test('a list of nothing but links is left out, unless a sentence introduces it', () => {
    const links = '- [Returns](/returns)\n- [Shipping](/shipping)'
    expect(texts(parseMarkdown(`## Related articles\n\n${links}`))).toEqual(['Related articles'])
    expect(texts(parseMarkdown(`You can ask us about:\n\n${links}`))).toEqual([
      'You can ask us about:',
      '- Returns\n- Shipping',
    ])
  })

  test('inline marks go, words stay', () => {
    const line =
      'A **bold *and* strong** and *soft* __under__ word, ![logo](a.png "x") [here](https://a.test/b) `code` <b>tag</b> ' +
      '[![badge](b.png)](https://b.test) <https://c.test> ***both*** 2 * 3 snake_case \\* end'
    expect(texts(parseMarkdown(line))).toEqual([
      'A bold and strong and soft under word, logo here code tag badge https://c.test both 2 * 3 snake_case * end',
    ])
  })

  test('a heading loses its closing marks and gives its anchor', () => {
    const heading = (line: string) => parseMarkdown(line).map((block) => (block.kind === 'heading' ? block : null))[0]
    expect(heading('## Prices and costs ##  ')).toMatchObject({ level: 2, text: 'Prices and costs' })
    expect(heading('## Prices {#cost}')).toMatchObject({ text: 'Prices', anchor: 'cost' })
    expect(heading('## Prices {#cost} ##')).toMatchObject({ text: 'Prices', anchor: 'cost' })
    expect(heading('   ### **Shipping** to [EU](/eu)')).toMatchObject({ level: 3, text: 'Shipping to EU' })
    expect(heading('# C#')).toMatchObject({ text: 'C#' })
    expect(parseMarkdown('# \n#tag')).toEqual([{ kind: 'text', text: '#tag' }])
  })

  test('a table row stands on its own', () => {
    const table = '| To | Standard | Express |\n|---|:--:|---|\n| Germany | 3.90 € | 9.90 € |\n| France | 5 € | |'
    expect(texts(parseMarkdown(table))).toEqual(['- Germany: Standard 3.90 €, Express 9.90 €\n- France: Standard 5 €'])
  })

  test('a long table head does not multiply with the rows', () => {
    const table = `|a|${'head '.repeat(10_000)}|\n|--|--|\n${'|a|b|\n'.repeat(20_000)}`
    const [block] = inTime(() => parseMarkdown(table))
    expect(block?.text.length).toBeLessThan(1_000_000)
    expect(readableRow(['a', 'x'.repeat(1000)], ['one', 'two'])).toBe('- one | two')
  })
})

describe('HTML', () => {
  test.each([
    ['cells', '<td>a'.repeat(300_000)],
    ['a row of cells', `<table><tr><th>a<th>b<tr>${'<td>a'.repeat(300_000)}`],
    ['nested blocks', '<div>'.repeat(400_000)],
    ['nested marks and paragraphs', `${'<b>'.repeat(300_000)}${'<p>'.repeat(300_000)}`],
    ['nested drawings', '<svg>'.repeat(400_000)],
    ['nested tables', '<table><tr><th>a<th>b<tr><td>'.repeat(60_000)],
    ['scripts in a drawing', `<svg>${'<script>'.repeat(200_000)}`],
    ['ends without a start', `${'<b>'.repeat(100)}${'</x>'.repeat(450_000)}`],
    ['ends of paragraphs', '</p>'.repeat(400_000)],
    ['character references', '&amp;'.repeat(400_000)],
    ['list items', '<li>a'.repeat(300_000)],
    ['attributes', `<a ${'b '.repeat(500_000)}>`],
    ['tags without end', '<a'.repeat(500_000)],
    ['comments without end', '<!--'.repeat(400_000)],
  ])('%s take linear time', (_, content) => {
    inTime(() => parseHtml(content))
  })

  test('text below the deepest level is still read, and scripts are still left out', () => {
    const deep = `${'<div>'.repeat(1000)}one<script>two</script><p>three</p>${'</div>'.repeat(1000)}<p>four</p>`
    expect(texts(parseHtml(deep))).toEqual(['one', 'three', 'four'])
  })

  test('a row of a table with a header row stands on its own', () => {
    const table = `<p>Prices:</p>
      <table>
        <thead><tr><th><p>To</p></th> <th>Standard</th> <th>Express</th></tr></thead>
        <tbody>
          <tr><th>Germany</th> <td><p>3.90&nbsp;€</p></td> <td>9.90<br>€</td></tr>
          <tr><td>France</td> <td>5 €</td> <td></td></tr>
        </tbody>
      </table><p>All with tax.</p>`
    expect(texts(parseHtml(table))).toEqual([
      'Prices:',
      '- Germany: Standard 3.90 €, Express 9.90 €\n- France: Standard 5 €',
      'All with tax.',
    ])
  })

  test('cells that span are told under the right heads, or plainly', () => {
    const wide =
      '<table><tr><th>To<th colspan=2>Price<tr><td>Germany<td>3 €<td>9 €<tr><td colspan=2>Spain<td>7 €</table>'
    expect(texts(parseHtml(wide))).toEqual(['- Germany: Price 3 €, Price 9 €\n- Spain: Price 7 €'])
    const tall = '<table><tr><th>To<th>How<th>Price<tr><td rowspan=2>Germany<td>Post<td>3 €<tr><td>Van<td>9 €</table>'
    expect(texts(parseHtml(tall))).toEqual(['To | How | Price\nGermany | Post | 3 €\nVan | 9 €'])
  })

  test('tables without a header row keep their cells side by side', () => {
    const plain = '<table><tr>\n<td>a</td>\n<td>b</td></tr>\n<tr><th>c</th><td>d</td></tr></table>'
    expect(texts(parseHtml(plain))).toEqual(['a | b\nc | d'])
    expect(texts(parseHtml('<table><tr><th>a<th>b</table>'))).toEqual(['a | b'])
    const layout =
      '<table><tr><td><h2>Title</h2><p>One</p><table><tr><th>a<th>b<tr><td>c<td>d</table><p>Two</p></table>'
    expect(texts(parseHtml(layout))).toEqual(['Title', 'One', '- c: b d', 'Two'])
  })
})

describe('passages', () => {
  const split = (text: string) => splitPassages([{ kind: 'text', text }], 'Title', 'en')
  const longest = (text: string) => Math.max(...inTime(() => split(text)).map((passage) => passage.text.length))

  test.each([
    ['one word of 2 MB', 'x'.repeat(2_000_000)],
    ['Chinese without spaces', '汉'.repeat(500_000)],
    ['emoji', '😀'.repeat(300_000)],
    ['lines of one long word each', `${'y'.repeat(1500)}\n`.repeat(600)],
    ['long words in short sentences', `${`${'z'.repeat(300)}. `.repeat(3000)}`],
  ])('%s are cut into passages of at most 2,000 characters', (_, text) => {
    expect(longest(text)).toBeLessThanOrEqual(2000)
    const together = split(text).map((passage) => passage.text)
    expect(together.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    for (const piece of together) expect(piece.isWellFormed()).toBe(true)
  })

  test('short blocks with long words do not add up to a long passage', () => {
    const blocks = Array.from({ length: 20 }, () => ({ kind: 'text' as const, text: 'w'.repeat(1000) }))
    for (const { text } of splitPassages(blocks, 'Title', 'en')) expect(text.length).toBeLessThanOrEqual(2000)
  })

  test('one row of a table stays whole up to 3,000 characters', () => {
    const row = (length: number) => `- ${'cell, '.repeat(length / 6)}`.trim()
    const text = `- first: row\n${row(2900)}\n- last: row`
    expect(split(text).map((passage) => passage.text)).toContain(row(2900))
    expect(longest(`- first: row\n${row(60_000)}`)).toBeLessThanOrEqual(3000)
  })

  test('a heading of 1 MB is not stored again with each passage', () => {
    const heading = { kind: 'heading' as const, level: 1, text: 'h'.repeat(1_000_000), anchor: 'h'.repeat(1_000_000) }
    const [passage] = splitPassages([heading, { kind: 'text', text: 'words' }], 'Title', 'en')
    expect(JSON.stringify(passage).length).toBeLessThan(1000)
  })
})
