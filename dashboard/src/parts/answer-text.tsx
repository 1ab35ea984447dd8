import { Fragment, type ReactNode } from 'react'

/**
 * An answer's small Markdown as React elements: paragraphs, lists, bold, links to http pages. Anything else stays text,
 * so nothing in it can run.
 */
export function AnswerText({ text }: { text: string }) {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== '')
  return (
    <div className="answer-text">
      {blocks.map((block, index) => (
        <Block key={index} text={block} />
      ))}
    </div>
  )
}

function Block({ text }: { text: string }) {
  const lines = text.split('\n')
  if (lines.every((line) => /^\s*([-*•]|\d+\.)\s/.test(line)))
    return (
      <ul className="bullets">
        {lines.map((line) => (
          <li key={line}>{inline(line.replace(/^\s*([-*•]|\d+\.)\s+/, ''))}</li>
        ))}
      </ul>
    )
  return (
    <p>
      {lines.map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {inline(line)}
        </Fragment>
      ))}
    </p>
  )
}

function inline(text: string): ReactNode[] {
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
