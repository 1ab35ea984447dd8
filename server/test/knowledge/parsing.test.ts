// Documents are parsed into blocks, then split into passages. Hostile content takes linear time.
import { describe, expect, test } from 'vitest'
import { type Block, readableRow, textOfBlocks } from '../../src/sources/documents/document-blocks.ts'
import { parseMarkdown } from '../../src/sources/documents/parse-markdown.ts'
import { splitPassages } from '../../src/sources/documents/split-document.ts'
import { parseHtml } from '../../src/sources/html/parse-html.ts'
import { measureCpuMs } from '../harness/event-loop.ts'
import { expectBelow } from '../harness/timing.ts'

const BOUND_MS = 4000

async function inTime<T>(work: () => T): Promise<T> {
  const results: T[] = []
  await expectBelow(BOUND_MS, () => measureCpuMs(() => results.push(work())))
  return results[0] as T
}

const texts = (blocks: Block[]) => blocks.flatMap((block) => (block.kind === 'end' ? [] : [block.text]))

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
  ])('%s takes linear time', async (_, content) => {
    await inTime(() => parseMarkdown(content))
  })

  test('embedded HTML is read as HTML, even if a tag spans lines', () => {
    const content = `Prices:

<table
  class="wide">
<tr><th>Plan</th><th>Price</th></tr>

<tr><td>Small</td><td>5&nbsp;€ &amp; tax</td></tr>
</table>

After it.`
    expect(texts(parseMarkdown(content))).toEqual(['Prices:', '- Small: Price 5 € & tax', 'After it.'])
  })

  test('all entities are decoded, and a tag written with them stays text', () => {
    expect(texts(parseMarkdown('Costs 5&#x20;&euro;.&#x20;\n\nPut &lt;b&gt; around it.'))).toEqual([
      'Costs 5 €.',
      'Put <b> around it.',
    ])
  })

  test('links and emphasis may span lines, and entities are characters', () => {
    const code = 'Loads `/widget/<language>.json` and `a_b_c`, **not** `**x**`; `<b>` &amp; `&amp;`.'
    expect(texts(parseMarkdown(code))).toEqual(['Loads /widget/<language>.json and a_b_c, not **x**; <b> & &amp;.'])
    expect(texts(parseMarkdown('See the [opening\nhours](/hours) of our **main\nshop** &amp; caf&#233;.'))).toEqual([
      'See the opening hours of our main shop & café.',
    ])
  })

  test('steps that are all written as 1. are renumbered', () => {
    expect(texts(parseMarkdown('1. Open it.\n1. Choose:\n   1. red\n   1. blue\n1. Save.'))).toEqual([
      '1. Open it.\n2. Choose:\n   1. red\n   2. blue\n3. Save.',
    ])
  })

  test('a bold line on its own is a heading', () => {
    const [heading, text] = parseMarkdown('**Lost keys**\n\nAsk at the desk.')
    expect(heading).toMatchObject({ kind: 'heading', text: 'Lost keys' })
    expect(text).toMatchObject({ kind: 'text', text: 'Ask at the desk.' })
  })

  test('a list of only links is left out, unless a sentence introduces it', () => {
    const links = '- [Returns](/returns)\n- [Shipping](/shipping)'
    expect(texts(parseMarkdown(`## Related articles\n\n${links}`))).toEqual(['Related articles'])
    expect(texts(parseMarkdown(`You can ask us about:\n\n${links}`))).toEqual([
      'You can ask us about:',
      '- Returns\n- Shipping',
    ])
  })

  test('the content of <details> is Markdown below its summary, and an empty one is plain text', () => {
    const content = `## Tiers

<details>

<summary>Can I <b>hide</b> one?</summary>

Yes, in **two** steps:

1. Open it.
1. Hide it.

</details>

<details><summary>Offer rewards</summary>

</details>

After it.

### Prices

Free.`
    const passages = splitPassages(parseMarkdown(content), 'Title', 'en')
    expect(passages.map(({ headings, text }) => [...headings, text].join(' > '))).toEqual([
      'Tiers > Can I hide one? > Yes, in two steps:\n1. Open it.\n2. Hide it.',
      'Tiers > Offer rewards\nAfter it.',
      'Tiers > Prices > Free.',
    ])
  })

  test('inline marks are removed, words are kept', () => {
    const line =
      'A **bold *and* strong** and *soft* __under__ word, ![logo](a.png "x") [here](https://a.test/b) `code` <b>tag</b> ' +
      '[![badge](b.png)](https://b.test) <https://c.test> ***both*** 2 * 3 snake_case \\* end'
    expect(texts(parseMarkdown(line))).toEqual([
      'A bold and strong and soft under word, logo here code tag badge https://c.test both 2 * 3 snake_case * end',
    ])
  })

  test('a heading loses its closing marks and has an anchor', () => {
    const heading = (line: string) => parseMarkdown(line).map((block) => (block.kind === 'heading' ? block : null))[0]
    expect(heading('## Prices and costs ##  ')).toMatchObject({ level: 2, text: 'Prices and costs' })
    expect(heading('## Prices {#cost}')).toMatchObject({ text: 'Prices', anchor: 'cost' })
    expect(heading('## Prices {#cost} ##')).toMatchObject({ text: 'Prices', anchor: 'cost' })
    expect(heading('   ### **Shipping** to [EU](/eu)')).toMatchObject({ level: 3, text: 'Shipping to EU' })
    expect(heading('# C#')).toMatchObject({ text: 'C#' })
    expect(parseMarkdown('# \n#tag')).toEqual([{ kind: 'text', text: '#tag' }])
  })

  test('a table row can be read on its own', () => {
    const table = '| To | Standard | Express |\n|---|:--:|---|\n| Germany | 3.90 € | 9.90 € |\n| France | 5 € | |'
    expect(texts(parseMarkdown(table))).toEqual(['- Germany: Standard 3.90 €, Express 9.90 €\n- France: Standard 5 €'])
  })

  test('a long table header is not repeated with every row', async () => {
    const table = `|a|${'head '.repeat(10_000)}|\n|--|--|\n${'|a|b|\n'.repeat(20_000)}`
    const [block] = await inTime(() => parseMarkdown(table))
    expect(textOfBlocks(block ? [block] : []).length).toBeLessThan(1_000_000)
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
    ['bold paragraphs', '<p><b>ab</b></p>'.repeat(60_000)],
    ['bold lines', '<b>ab</b><br>'.repeat(100_000)],
    ['lists within lists', '<ol><li>a'.repeat(150_000)],
    ['links within links', '<a>b'.repeat(150_000)],
    ['folded sections', '<details><summary>a</summary>'.repeat(60_000)],
    ['summaries', '<summary><a>'.repeat(60_000)],
    ['definitions', `<dl>${'<dt>a<dd>b'.repeat(100_000)}`],
    ['classes', `<p class="${'faq-question '.repeat(100_000)}">`],
    ['tall cells', `<table>${'<tr><td rowspan=50>a'.repeat(60_000)}`],
  ])('%s take linear time', async (_, content) => {
    await inTime(() => parseHtml(content))
  })

  test('text below the maximum depth is still read, without scripts', () => {
    const deep = `${'<div>'.repeat(1000)}one<script>two</script><p>three</p>${'</div>'.repeat(1000)}<p>four</p>`
    expect(texts(parseHtml(deep))).toEqual(['one', 'three', 'four'])
  })

  test('a row of a table with a header row can be read on its own', () => {
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

  test('spanning cells are repeated in every column and row that they cover', () => {
    const wide =
      '<table><tr><th>To<th colspan=2>Price<tr><td>Germany<td>3 €<td>9 €<tr><td colspan=2>Spain<td>7 €</table>'
    expect(texts(parseHtml(wide))).toEqual(['- Germany: Price 3 €, Price 9 €\n- Spain: Price 7 €'])
    const tall = '<table><tr><th>To<th>How<th>Price<tr><td rowspan=2>Germany<td>Post<td>3 €<tr><td>Van<td>9 €</table>'
    expect(texts(parseHtml(tall))).toEqual(['- Germany: How Post, Price 3 €\n- Germany: How Van, Price 9 €'])
  })

  test.each([
    ['of one table', `<table>${'<tr><td colspan=20 rowspan=50>a'.repeat(4500)}</table>`],
    [
      'of many tables',
      `<table><tr>${'<td colspan=20 rowspan=50>a'.repeat(20)}${'<tr>'.repeat(50)}</table>`.repeat(180),
    ],
    [
      'of a long cell',
      `<table><tr><td colspan=20 rowspan=50>${'word '.repeat(27_000)}${'<tr><td>b'.repeat(50)}</table>`,
    ],
    ['of header cells', `<table>${'<tr><th colspan=20 rowspan=50>a<th colspan=20>b'.repeat(2900)}</table>`],
  ])('138 KB of spans %s take no longer than other pages, and the document does not grow', async (_what, html) => {
    await expectBelow(600, () => measureCpuMs(() => parseHtml(html)))
    expect(textOfBlocks(parseHtml(html)).length).toBeLessThan(5 * html.length)
  })

  test('rows of tables without a header row keep their cells together, after the row header if there is one', () => {
    const plain = '<table><tr>\n<td>a</td>\n<td>b</td></tr>\n<tr><th>c</th><td>d</td></tr></table>'
    expect(texts(parseHtml(plain))).toEqual(['a | b\nc: d'])
    expect(texts(parseHtml('<table><tr><th>a<th>b</table>'))).toEqual(['a | b'])
    const layout =
      '<table><tr><td><h2>Title</h2><p>One</p><table><tr><th>a<th>b<tr><td>c<td>d</table><p>Two</p></table>'
    expect(texts(parseHtml(layout))).toEqual(['Title', 'One', '- c: b d', 'Two'])
  })

  const outline = (html: string) =>
    splitPassages(parseHtml(html), 'Title', 'en').map(({ headings, text }) => [...headings, text].join(' > '))

  test('numbered lists keep their numbers, even nested or with a start or value, and their last item', () => {
    const list = `<ol><li><p>Open <em>Orders</em>.</p></li>
      <li><p>Choose:</p><ol><li>bike only</li><li>bike and parts</li></ol></li><li>Print it.</ol>
      <p>Then:</p><ol start="4"><li>Tape the box.</li><li value="7">Hand it over.</li><li>Keep the <b>receipt</b></li></ol>
      <ul><li>A bike <ul><li>with lights</li></ul></li><li>A lock</li></ul>`
    expect(texts(parseHtml(list))).toEqual([
      '1. Open Orders.\n2. Choose:\n   1. bike only\n   2. bike and parts\n3. Print it.',
      'Then:',
      '4. Tape the box.\n7. Hand it over.\n8. Keep the receipt',
      '- A bike\n   - with lights\n- A lock',
    ])
  })

  test('a bold line is the heading of what follows, or plain text if nothing does', () => {
    expect(outline('<h2>Shop</h2><p><strong>Lost keys:</strong></p><p>Ask at the desk.</p>')).toEqual([
      'Shop > Lost keys > Ask at the desk.',
    ])
    expect(outline('<p><b>Opening hours</b><br>9 to 5<br><b>Phone</b><br>555</p>')).toEqual([
      'Opening hours > 9 to 5',
      'Phone > 555',
    ])
    expect(outline('<p><b>We never sell your data</b></p><h2>More</h2><p>Text with a <b>bold</b> word.</p>')).toEqual([
      'We never sell your data',
      'More > Text with a bold word.',
    ])
  })

  test('navigation links are left out, unless a sentence or a question introduces them', () => {
    const links = '<ul><li><a href="/a">Returns</a></li><li><a href="/b">Shipping &amp; costs</a></li></ul>'
    expect(outline(`<p>Read on.</p>${links}<p><a href="/a">One</a> | <a href="/b">Two</a></p>`)).toEqual(['Read on.'])
    expect(outline(`<p>We help with:</p>${links}`)).toEqual(['We help with:\n- Returns\n- Shipping & costs'])
    expect(outline(`<h2>What can I ask?</h2>${links}`)).toEqual(['What can I ask? > - Returns\n- Shipping & costs'])
    expect(outline('<p><a href="/form.pdf">Download the form</a></p>')).toEqual(['Download the form'])
  })

  test.each([
    ['a table of contents', '<p><b>On this page</b></p><ul><li><a href="#a">One</a></li></ul>'],
    ['related articles', '<h2>Related articles:</h2><p><a href="/a">Refunds</a> – when they come</p>'],
    ['related articles in German', '<h3>Ähnliche Artikel</h3><ul><li><a href="/a">Versand</a></li></ul>'],
    ['a question for feedback', '<div><span>Was this article helpful?</span> <button>Yes</button> No</div>'],
    ['a count of votes', '<p>12 out of 20 found this helpful</p>'],
    ['the way on', '<p><a href="/n">Next article →</a></p><p>Back to top</p>'],
    ['breadcrumbs', '<ol class="breadcrumbs"><li><a href="/">Help</a></li><li>Returns</li></ol>'],
    ['a cookie banner', '<div id="cookie-banner"><p>We use cookies.</p></div>'],
    ['a pager', '<div class="prev-next"><a href="/a">Orders</a> <a href="/b">Refunds</a></div>'],
  ])('%s does not become a passage', (_, html) => {
    expect(outline(`<p>Before.</p>${html}<h2>After</h2><p>Text.</p>`)).toEqual(['Before.', 'After > Text.'])
  })

  test('the title of a collapsed section is the heading of its text only', () => {
    const details = (inner: string) => `<h2>Help</h2>${inner}<p>Write to us.</p>`
    const found = (...middle: string[]) => [...middle.map((text) => `Help > ${text}`), 'Help > Write to us.']
    expect(
      outline(details('<details><summary>May I <b>pay later</b>?</summary><p>Yes.</p><p>Within a week.</p></details>')),
    ).toEqual(found('May I pay later? > Yes.\nWithin a week.'))
    const button = (number: number, question: string) =>
      `<div class="row"><button aria-expanded="false" aria-controls="p${number}">${question}</button></div>`
    expect(
      outline(
        details(
          `<div>${button(1, 'One?')}<div id="p1" hidden>A.</div>${button(2, 'Two?')}<div id="p2" hidden>B.</div></div>`,
        ),
      ),
    ).toEqual(found('One? > A.', 'Two? > B.'))
    expect(
      outline(
        details(
          '<h3><button aria-expanded="true">One?</button></h3><div>A.</div><h3><button>Two?</button></h3><div>B.</div>',
        ),
      ),
    ).toEqual(['Help > One? > A.', 'Help > Two? > B.\nWrite to us.'])
    expect(
      outline(
        details(
          '<div class="faq-item"><div class="faq-question"><span>One?</span></div><div class="faq-answer">A.</div></div>',
        ),
      ),
    ).toEqual(found('One? > A.'))
  })

  test('questions of a definition list are headings of their answers, facts stay together', () => {
    expect(
      outline(
        '<dl><dt>Who may ride it?</dt><dd>Anyone over 16.</dd><dt>With a helmet?</dt><dd><p>Yes.</p><p>Always.</p></dd></dl><p>End.</p>',
      ),
    ).toEqual(['Who may ride it? > Anyone over 16.', 'With a helmet? > Yes.\nAlways.', 'End.'])
    expect(outline('<dl><dt>Weight</dt><dd>14 kg</dd><dt>Frame</dt><dd>Steel</dd></dl>')).toEqual([
      'Weight: 14 kg\nFrame: Steel',
    ])
  })

  test('the panel of every tab is read, under its name', () => {
    const tabs = `<div role="tablist"><button role="tab" id="t1" aria-controls="a">iPhone</button>
      <button role="tab" id="t2">Android</button></div>
      <div role="tabpanel" id="a"><p>Tap the gear.</p></div>
      <div role="tabpanel" aria-labelledby="t2" hidden><p>Swipe.</p></div><p>Done.</p>`
    expect(outline(tabs)).toEqual(['iPhone > Tap the gear.', 'Android > Swipe.', 'Done.'])
  })

  test('multi-row headers, captions, row headers and bold first rows are repeated with every row', () => {
    const table = `<table><caption>Pick-up by country</caption>
      <thead><tr><th rowspan="2">Country</th><th colspan="2">Cost</th></tr><tr><th>Standard</th><th>Express</th></tr></thead>
      <tr><th scope="row">Austria</th><td>free</td><td>9&nbsp;€</td></tr></table><p>End.</p>`
    expect(outline(table)).toEqual(['Pick-up by country > - Austria: Cost Standard free, Cost Express 9 €', 'End.'])
    const bold =
      '<table><tr><td><p><b>Plan</b></p></td><td><b>Price</b></td></tr><tr><td><p>Small</p></td><td><p>5 €</p></td></tr></table>'
    expect(outline(bold)).toEqual(['- Small: Price 5 €'])
    expect(
      outline('<table><tr><th>Weight</th><td>14 kg</td></tr><tr><th>Frame</th><td>Steel</td></tr></table>'),
    ).toEqual(['Weight: 14 kg\nFrame: Steel'])
  })

  test('a heading that contains blocks stays a heading, and an unclosed one does not swallow the page', () => {
    expect(outline('<h2><div>Prices</div></h2><p>5 €</p>')).toEqual(['Prices > 5 €'])
    const endless = `<h2>Prices${'<p>Text of the page that goes on. </p>'.repeat(40)}`
    expect(outline(endless).join(' ')).toContain('goes on. Text')
    expect(outline(endless).length).toBeGreaterThan(1)
  })
})

describe('passages', () => {
  const split = (text: string) => splitPassages([{ kind: 'text', text }], 'Title', 'en')
  const longest = async (text: string) =>
    Math.max(...(await inTime(() => split(text))).map((passage) => passage.text.length))

  test.each([
    ['one word of 2 MB', 'x'.repeat(2_000_000)],
    ['Chinese without spaces', '汉'.repeat(500_000)],
    ['emoji', '😀'.repeat(300_000)],
    ['lines of one long word each', `${'y'.repeat(1500)}\n`.repeat(600)],
    ['long words in short sentences', `${`${'z'.repeat(300)}. `.repeat(3000)}`],
  ])('%s are split into passages of at most 2,000 characters', async (_, text) => {
    expect(await longest(text)).toBeLessThanOrEqual(2000)
    const pieces = split(text).map((passage) => passage.text)
    expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
  })

  test('short blocks with long words do not add up to a long passage', () => {
    const blocks = Array.from({ length: 20 }, () => ({ kind: 'text' as const, text: 'w'.repeat(1000) }))
    for (const { text } of splitPassages(blocks, 'Title', 'en')) expect(text.length).toBeLessThanOrEqual(2000)
  })

  test('one row of a table stays whole up to 3,000 characters', async () => {
    const row = (length: number) => `- ${'cell, '.repeat(length / 6)}`.trim()
    const text = `- first: row\n${row(2900)}\n- last: row`
    expect(split(text).map((passage) => passage.text)).toContain(row(2900))
    expect(await longest(`- first: row\n${row(60_000)}`)).toBeLessThanOrEqual(3000)
  })

  test('a heading of 1 MB is not repeated in each passage', () => {
    const heading = { kind: 'heading' as const, level: 1, text: 'h'.repeat(1_000_000), anchor: 'h'.repeat(1_000_000) }
    const [passage] = splitPassages([heading, { kind: 'text', text: 'words' }], 'Title', 'en')
    expect(JSON.stringify(passage).length).toBeLessThan(1000)
  })
})
