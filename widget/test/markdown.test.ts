import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureCpuMs } from '../../server/test/harness/event-loop.ts'
import { expectBelow } from '../../server/test/harness/timing.ts'
import { showTables } from '../src/more/tables.ts'
import { renderMarkdown } from '../src/view/markdown/markdown.ts'
import { newElement } from './dom.ts'

function html(text: string): string {
  const target = newElement()
  renderMarkdown(target, text, true)
  showTables(target)
  return target.innerHTML
}

const schemes = ['http:', 'https:', 'mailto:', 'tel:']
const inTables = ['DIV', 'TABLE', 'THEAD', 'TBODY', 'TR', 'TH', 'TD']
const tags = ['P', 'STRONG', 'EM', 'CODE', 'PRE', 'UL', 'OL', 'LI', 'A', 'BR', ...inTables]
const attributes = ['href', 'target', 'rel', 'tabindex', 'class', 'scope']

/** What is there beside what may be. */
function strangers(text: string): string[] {
  const target = newElement()
  renderMarkdown(target, text, true)
  showTables(target)
  return [...target.querySelectorAll('*')].flatMap((node) => [
    ...(tags.includes(node.tagName) ? [] : [node.tagName]),
    ...node.getAttributeNames().filter((name) => !attributes.includes(name)),
    ...(node.tagName === 'A' && !schemes.includes(new URL(node.getAttribute('href') ?? '').protocol)
      ? [node.outerHTML]
      : []),
  ])
}

describe('the Markdown that is shown', () => {
  test.each([
    ['One\ntwo\n\nthree', '<p>One<br>two</p><p>three</p>'],
    [
      '**bold** and *italic* and __bold__ and _italic_',
      '<p><strong>bold</strong> and <em>italic</em> and <strong>bold</strong> and <em>italic</em></p>',
    ],
    ['**bold with *italic* in it**', '<p><strong>bold with <em>italic</em> in it</strong></p>'],
    ['2 * 3 * 4 and snake_case_name', '<p>2 * 3 * 4 and snake_case_name</p>'],
    ['`<b>` and ``a ` b``', '<p><code>&lt;b&gt;</code> and <code>a ` b</code></p>'],
    ['# Title #\ntext', '<p><strong>Title</strong></p><p>text</p>'],
    ['- one\n- two\n\n- three\n  still three', '<ul><li>one</li><li>two</li><li>three<br>still three</li></ul>'],
    ['1. one\n2) two', '<ol><li>one</li><li>two</li></ol>'],
    [
      '```js\n<script>\n\n**x**\n```\nafter',
      '<pre tabindex="0"><code>&lt;script&gt;\n\n**x**</code></pre><p>after</p>',
    ],
    ['\\*not italic\\*', '<p>*not italic*</p>'],
    ['![a **picture**](https://evil.test/x.png)', '<p>a <strong>picture</strong></p>'],
    ['<b>bold</b>', '<p>&lt;b&gt;bold&lt;/b&gt;</p>'],
  ])('%j', (text, expected) => expect(html(text)).toBe(expected))

  test.each([
    ['[shop](https://shop.test/a_(b)?c=1)', 'https://shop.test/a_(b)?c=1', 'shop'],
    ['See https://shop.test/a, please.', 'https://shop.test/a', 'https://shop.test/a'],
    ['<https://shop.test/>', 'https://shop.test/', 'https://shop.test/'],
    ['Write to help@shop.test!', 'mailto:help@shop.test', 'help@shop.test'],
    ['[call](tel:+43123)', 'tel:+43123', 'call'],
  ])('links: %j', (text, href, label) => {
    const target = newElement()
    renderMarkdown(target, text, true)
    const link = target.querySelector('a')
    expect([link?.getAttribute('href'), link?.textContent]).toEqual([href, label])
    expect(link?.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(link?.getAttribute('target')).toBe('_blank')
  })

  test.each([
    '[x](javascript:alert(1))',
    '[x](JAVASCRIPT:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](data:text/html,x)',
    '[x](vbscript:x)',
    '[x](file:///etc/passwd)',
    '[x](blob:https://shop.test/1)',
    '[x](//evil.test)',
    '[x](/relative)',
    '[x](https://good.test@evil.test)',
    '[x](https://good.test\u202egpj.test)',
    '<javascript:alert(1)>',
  ])('is no link: %j', (text) => {
    const target = newElement()
    renderMarkdown(target, text, true)
    expect(target.querySelector('a')).toBeNull()
  })
})

describe('a Markdown table', () => {
  // The test's document writes attributes in reverse.
  const table = (head: string, body: string) =>
    `<div tabindex="0" class="table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
  const shown = (...parts: string[]) => `<div class="tabular">${parts.join('')}</div>`
  const column = (text: string) => `<th scope="col">${text}</th>`
  const row = (name: string, ...cells: string[]) =>
    `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`

  test.each([
    [
      'with an empty first header',
      '| | Standard | Express |\n| --- | --- | --- |\n| Norway | 12.90 € | – |',
      shown(table(`<td></td>${column('Standard')}${column('Express')}`, row('Norway', '12.90 €', '–'))),
    ],
    [
      'between lines of text, with bold, a link and rows of another length',
      'Prices:\n| Size | Price |\n|---|:-:|\n| **S** | [9 €](https://shop.test/) | x |\n| M |\nAll with tax.',
      shown(
        '<p>Prices:</p>',
        table(
          column('Size') + column('Price'),
          row(
            '<strong>S</strong>',
            '<a rel="noopener noreferrer nofollow" target="_blank" href="https://shop.test/">9 €</a>',
          ) + row('M', ''),
        ),
        '<p>All with tax.</p>',
      ),
    ],
    ['that has no rule is none', '| a | b |\n| c | d |', '<p>| a | b |<br>| c | d |</p>'],
    ['whose cells hold markup shows it', '| a |\n|---|\n| <b>x |', shown(table(column('a'), row('&lt;b&gt;x')))],
  ])('%s', (_, text, expected) => expect(html(text)).toBe(expected))
})

const scraps = fc.constantFrom(
  ...[
    '**',
    '*',
    '_',
    '`',
    '```',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '# ',
    '[',
    ']',
    '(',
    ')',
    '](',
    '!',
    '<',
    '>',
    '\\',
    '"',
    ' ',
    '|',
    '\n| a | b |',
    '\n| --- | --- |',
  ],
  ...['https://a.test', 'javascript:', 'data:text/html,', '<script>', '</script>', '<img src=x onerror=a>', 'a@b.test'],
  ...['&#106;', '\t', '\u0000', '\u202e', 'ä', '👩‍🚀', 'word', ' onclick='],
)
const text = fc.array(fc.oneof(scraps, fc.string({ maxLength: 4 })), { maxLength: 40 }).map((parts) => parts.join(''))

test('whatever is written, nothing but harmless nodes comes of it', () => {
  fc.assert(
    fc.property(text, (markdown) => {
      expect(strangers(markdown)).toEqual([])
    }),
    { numRuns: 2000 },
  )
})

function show(target: HTMLElement, markdown: string, isDone: boolean) {
  renderMarkdown(target, markdown, isDone)
  showTables(target)
}

test('an answer looks the same in whatever pieces it came', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (markdown, cuts) => {
      const target = newElement()
      for (const length of cuts.map((each) => each % (markdown.length + 1)).sort((a, b) => a - b))
        show(target, markdown.slice(0, length), false)
      show(target, markdown, true)
      expect(target.innerHTML).toBe(html(markdown))
    }),
    { numRuns: 1000 },
  )
})

test('a long hostile text is shown in time', async () => {
  const showAll = () => {
    for (const part of [
      '**a ',
      '_a ',
      '`a ',
      '[a](',
      '![',
      '<https://',
      '- a\n',
      '| a ',
      '|---|\n',
      '\n| a |',
      'a@',
      '\\',
      '((((',
    ])
      html(part.repeat(4000))
  }
  await expectBelow(5000, () => measureCpuMs(showAll))
})
