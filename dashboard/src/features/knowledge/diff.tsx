import { Fragment } from 'react'
import { diffWords } from './word-diff.ts'

interface Props {
  before: string
  after: string
  /** Said before what was removed and what was added, for those who do not see colours. */
  labels: { before: string; after: string }
}

/** Two texts as one, with what was removed and what was added. */
export function Diff({ before, after, labels }: Props) {
  return (
    <p className="diff">
      {diffWords(before, after).map(({ kind, text }, at) => {
        if (kind === 'same') return <span key={at}>{text}</span>
        const Mark = kind === 'added' ? 'ins' : 'del'
        return (
          <Fragment key={at}>
            <Mark>
              <span className="unseen">{kind === 'added' ? labels.after : labels.before} </span>
              {text.trimEnd()}
            </Mark>
            {text.slice(text.trimEnd().length)}
          </Fragment>
        )
      })}
    </p>
  )
}
