import type { UnansweredTopic } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { conversationsLink } from './conversations-link.ts'

interface Props {
  botId: string
  topics: UnansweredTopic[]
  mayEdit: boolean
  onAnswer: (topic: UnansweredTopic) => void
  onDismiss: (questions: string[]) => void
}

/** Topics of unanswered questions, with suggestions for content. */
export function Topics({ botId, topics, mayEdit, onAnswer, onDismiss }: Props) {
  const { unanswered: words } = useTexts()
  return (
    <ul className="topics" aria-label={words.topics}>
      {topics.map((topic) => {
        const name = topicName(topic)
        return (
          <li key={topic.questions[0]?.question} className="topic">
            <div className="topic-head">
              <div>
                <h2>{topic.questions.length > 1 ? words.askedAbout(name) : name}</h2>
                <p className="quiet small">
                  {topic.count === 1 ? words.once : words.times(formatNumber(topic.count))}
                  {topic.low_confidence > 0 && ` · ${words.lowOf(formatNumber(topic.low_confidence))}`}
                  {' · '}
                  <Time time={topic.last_asked_at} text={words.last} />
                </p>
              </div>
              {mayEdit && (
                <div className="inline-tight">
                  <Button
                    size="xs"
                    variant="light"
                    aria-label={words.writeAnswerOf(name)}
                    onClick={() => onAnswer(topic)}
                  >
                    {words.writeAnswer}
                  </Button>
                  <RowMenu
                    name={name}
                    actions={[
                      {
                        icon: 'close',
                        label: topic.questions.length > 1 ? words.dismissTopic : words.dismiss,
                        onClick: () => onDismiss(topic.questions.map(({ question }) => question)),
                      },
                    ]}
                  />
                </div>
              )}
            </div>
            <Suggestion botId={botId} topic={topic} />
            <Questions botId={botId} topic={topic} />
          </li>
        )
      })}
    </ul>
  )
}

const MAX_SHOWN = 5

function Questions({ botId, topic: { questions } }: { botId: string; topic: UnansweredTopic }) {
  const { unanswered: words } = useTexts()
  const linkTo = (question = '') => conversationsLink(botId, { asked: question, had: 'unanswered' })
  if (questions.length === 1)
    return (
      <p className="small">
        <Link to={linkTo(questions[0]?.question)}>{words.conversation}</Link>
      </p>
    )
  return (
    <>
      <ul className="topic-questions">
        {questions.slice(0, MAX_SHOWN).map(({ question, count }) => (
          <li key={question}>
            <Link className="quiet-link" to={linkTo(question)} title={words.conversation}>
              {question}
            </Link>
            <span className="number quiet">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
      {questions.length > MAX_SHOWN && (
        <p className="small">
          <Link to={`/bots/${botId}/unanswered?view=all`}>{words.questionsOf(formatNumber(questions.length))}</Link>
        </p>
      )}
    </>
  )
}

function Suggestion({ botId, topic: { closest, missing } }: { botId: string; topic: UnansweredTopic }) {
  const { unanswered: words } = useTexts()
  if (!closest)
    return (
      <p className="small">
        {words.uncovered} {words.suggestion}
      </p>
    )
  const title =
    closest.section && closest.section !== closest.title ? `${closest.title}: ${closest.section}` : closest.title
  return (
    <p className="small">
      {missing.length > 0 ? words.lacks(title, quoteWords(missing)) : words.unclear(title)} {words.suggestion}{' '}
      <Link to={`/bots/${botId}/knowledge/documents/${encodeURIComponent(closest.document_id)}`}>{words.openPage}</Link>
    </p>
  )
}

function topicName({ subject, questions }: UnansweredTopic): string {
  const [first] = questions
  return questions.length > 1 && subject.length > 0 ? quoteWords(subject) : (first?.question ?? '')
}

function quoteWords(words: string[]): string {
  return words.map((word) => `“${word}”`).join(', ')
}
