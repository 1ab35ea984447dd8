import type { Analytics } from '@docent/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '../../text/format.ts'
import { Card } from '../../ui/card.tsx'
import { type ConversationsQuery, conversationsLink } from './conversations-link.ts'
import { analytics as texts } from './insight-texts.ts'

interface QuestionsProps {
  botId: string
  questions: Analytics['top_questions']
  /** The period of the questions. */
  during: Pick<ConversationsQuery, 'since' | 'until' | 'tz'>
}

export function TopQuestions({ botId, questions, during }: QuestionsProps) {
  const most = Math.max(1, ...questions.map(({ count }) => count))
  return (
    <Card title={texts.topQuestions} about={texts.topQuestionsAbout}>
      {questions.length === 0 ? (
        <p className="quiet">{texts.noQuestions}</p>
      ) : (
        <ol className="ranked">
          {questions.map(({ question, count, answered, low_confidence }) => (
            <RankedRow
              key={question}
              count={count}
              share={count / most}
              note={answeredOf(answered, low_confidence, count)}
            >
              <Link className="quiet-link" to={conversationsLink(botId, { asked: question, ...during })}>
                {question}
              </Link>
            </RankedRow>
          ))}
        </ol>
      )}
    </Card>
  )

  function answeredOf(answeredCount: number, low: number, count: number): string {
    if (answeredCount === count) return texts.allAnswered
    if (low === count) return texts.allLow
    return answeredCount === 0 ? texts.noneAnswered : texts.answeredOf(formatNumber(answeredCount), formatNumber(count))
  }
}

function RankedRow({
  count,
  share,
  note,
  children,
}: {
  count: number
  share: number
  note?: string
  children: ReactNode
}) {
  return (
    <li>
      <span className="ranked-name">{children}</span>
      <strong className="number">{formatNumber(count)}</strong>
      <div className="bar" aria-hidden="true">
        <div style={{ width: `${share * 100}%` }} />
      </div>
      {note && <span className="ranked-of">{note}</span>}
    </li>
  )
}
