import { Fragment, type ReactNode } from 'react'

/**
 * Renders the Markdown of answers: paragraphs, lists, bold, and links to http pages. Everything else stays text, so
 * nothing in it can run.
 */
export function AnswerText({ text }: { text: string }) {
  return (
    <div className="answer-text">
      {parseBlocks(text).map(({ isList, lines }, index) =>
        isList ? (
          <ul key={index} className="bullets">
            {lines.map((line) => (
              <li key={line}>{renderInline(line.replace(BULLET, ''))}</li>
            ))}
          </ul>
        ) : (
          <p key={index}>
            {lines.map((line, number) => (
              <Fragment key={number}>
                {number > 0 && <br />}
                {renderInline(line)}
              </Fragment>
            ))}
          </p>
        ),
      )}
    </div>
  )
}

const BULLET = /^\s*([-*•]|\d+\.)\s+/

/** Groups lines into blocks, split at empty lines and where a list starts or ends. */
function parseBlocks(text: string): { isList: boolean; lines: string[] }[] {
  const blocks: { isList: boolean; lines: string[] }[] = []
  let isNewBlock = true
  for (const line of text.split('\n')) {
    const isList = BULLET.test(line)
    const last = blocks.at(-1)
    if (line.trim() === '') isNewBlock = true
    else if (last && !isNewBlock && last.isList === isList) last.lines.push(line)
    else {
      blocks.push({ isList, lines: [line] })
      isNewBlock = false
    }
  }
  return blocks
}

function renderInline(text: string): ReactNode[] {
  return text.split(/(\*\*[^*]+\*\*|\[[^\]]+\]\(https?:\/\/[^\s)]+\))/).map((part) => {
    const bold = /^\*\*([^*]+)\*\*$/.exec(part)
    if (bold) return <strong key={part}>{bold[1]}</strong>
    const link = /^\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)$/.exec(part)
    if (!link) return part
    return (
      <a key={part} href={link[2]} target="_blank" rel="noreferrer">
        {link[1]}
      </a>
    )
  })
}
