import { Fragment, type ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'

/**
 * Renders the Markdown of answers: paragraphs, lists, small tables, bold, and links to http pages. Everything else
 * stays text, so nothing in it can run.
 */
export function AnswerText({ text }: { text: string }) {
  return (
    <div className="answer-text">
      {parseBlocks(text).map((block, index) => (
        <AnswerBlock key={index} {...block} />
      ))}
    </div>
  )
}

type BlockKind = 'text' | 'list' | 'steps' | 'table'

interface Block {
  kind: BlockKind
  lines: string[]
}

function AnswerBlock({ kind, lines }: Block) {
  if (kind === 'table') return <AnswerTable lines={lines} />
  if (kind === 'list' || kind === 'steps') {
    const items = lines.map((line, number) => <li key={number}>{renderInline(line.replace(BULLET, ''))}</li>)
    if (kind === 'list') return <ul className="bullets">{items}</ul>
    return (
      <ol className="bullets" start={Number.parseInt(lines[0] ?? '', 10)}>
        {items}
      </ol>
    )
  }
  return (
    <p>
      {lines.map((line, number) => (
        <Fragment key={number}>
          {number > 0 && <br />}
          {renderInline(line)}
        </Fragment>
      ))}
    </p>
  )
}

function AnswerTable({ lines: [headLine = '', , ...rowLines] }: { lines: string[] }) {
  const { general } = useTexts()
  const head = cellsOf(headLine)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className="answer-table" aria-label={general.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) =>
              cell === '' ? (
                <td key={column} />
              ) : (
                <th key={column} scope="col">
                  {renderInline(cell)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rowLines.map(cellsOf).map((cells, row) => (
            <tr key={row}>
              {head.map((_, column) => {
                const content = renderInline(cells[column] ?? '')
                return column === 0 ? (
                  <th key={column} scope="row">
                    {content}
                  </th>
                ) : (
                  <td key={column}>{content}</td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const STEP = /^\s*\d+[.)]\s+/
const BULLET = /^\s*([-*•]|\d+[.)])\s+/
const TABLE_ROW = /^\s*\|/
const TABLE_RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

/** Groups lines into blocks, split at empty lines and where a list or a table starts or ends. */
function parseBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let isNewBlock = true
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const last = blocks.at(-1)
    const isInTable = !isNewBlock && last?.kind === 'table' && TABLE_ROW.test(line)
    const startsTable = TABLE_ROW.test(line) && TABLE_RULE.test(lines[index + 1] ?? '')
    const kind: BlockKind =
      isInTable || startsTable ? 'table' : STEP.test(line) ? 'steps' : BULLET.test(line) ? 'list' : 'text'
    if (line.trim() === '') isNewBlock = true
    else if (last && !isNewBlock && last.kind === kind) last.lines.push(line)
    else {
      blocks.push({ kind, lines: [line] })
      isNewBlock = false
    }
  }
  return blocks
}

/** Without what is before the first pipe and after the last one. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
  return cells.slice(1, cells.at(-1) === '' ? -1 : undefined)
}

const INLINE = /((?<!\\)\*\*[^*]+\*\*|(?<!\\)\[(?:[^\]\\]|\\.)+\]\(https?:\/\/[^\s)]+\))/

function renderInline(text: string): ReactNode[] {
  return text.split(INLINE).map((part) => {
    const bold = /^\*\*([^*]+)\*\*$/.exec(part)
    if (bold) return <strong key={part}>{withoutEscapes(bold[1])}</strong>
    const link = /^\[((?:[^\]\\]|\\.)+)\]\((https?:\/\/[^\s)]+)\)$/.exec(part)
    if (!link) return withoutEscapes(part)
    return (
      <a key={part} href={link[2]} target="_blank" rel="noreferrer">
        {withoutEscapes(link[1])}
      </a>
    )
  })
}

/** What an action puts into its answer is escaped, so that none of it becomes markup. */
function withoutEscapes(text = ''): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
