import type { UnansweredTopic } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { conversationsLink } from './conversations-link.ts'
import { unanswered as texts } from './insight-texts.ts'

interface Props {
  botId: string
  topics: UnansweredTopic[]
  mayEdit: boolean
  onAnswer: (topic: UnansweredTopic) => void
  onDismiss: (questions: string[]) => void
}

/** Topics of unanswered questions, with suggestions for content. */
export function Topics({ botId, topics, mayEdit, onAnswer, onDismiss }: Props) {
  return (
    <ul className="topics" aria-label={texts.topics}>
      {topics.map((topic) => {
        const name = topicName(topic)
        return (
          <li key={topic.questions[0]?.question} className="topic">
            <div className="topic-head">
              <div>
                <h2>{topic.questions.length > 1 ? texts.askedAbout(name) : name}</h2>
                <p className="quiet small">
                  {topic.count === 1 ? texts.once : texts.times(formatNumber(topic.count))}
                  {topic.low_confidence > 0 && ` · ${texts.lowOf(formatNumber(topic.low_confidence))}`}
                  {' · '}
                  <Time time={topic.last_asked_at} text={texts.last} />
                </p>
              </div>
              {mayEdit && (
                <div className="inline-tight">
                  <Button
                    size="xs"
                    variant="light"
                    aria-label={texts.writeAnswerOf(name)}
                    onClick={() => onAnswer(topic)}
                  >
                    {texts.writeAnswer}
                  </Button>
                  <RowMenu
                    name={name}
                    actions={[
                      {
                        icon: 'close',
                        label: topic.questions.length > 1 ? texts.dismissTopic : texts.dismiss,
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
  const linkTo = (question = '') => conversationsLink(botId, { asked: question, had: 'unanswered' })
  if (questions.length === 1)
    return (
      <p className="small">
        <Link to={linkTo(questions[0]?.question)}>{texts.conversation}</Link>
      </p>
    )
  return (
    <>
      <ul className="topic-questions">
        {questions.slice(0, MAX_SHOWN).map(({ question, count }) => (
          <li key={question}>
            <Link className="quiet-link" to={linkTo(question)} title={texts.conversation}>
              {question}
            </Link>
            <span className="number quiet">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
      {questions.length > MAX_SHOWN && (
        <p className="small">
          <Link to={`${screenPath('unanswered', { botId })}?view=all`}>
            {texts.questionsOf(formatNumber(questions.length))}
          </Link>
        </p>
      )}
    </>
  )
}

function Suggestion({ botId, topic: { closest, missing } }: { botId: string; topic: UnansweredTopic }) {
  if (!closest)
    return (
      <p className="small">
        {texts.uncovered} {texts.suggestion}
      </p>
    )
  const title =
    closest.section && closest.section !== closest.title ? `${closest.title}: ${closest.section}` : closest.title
  return (
    <p className="small">
      {missing.length > 0 ? texts.lacks(title, quoteWords(missing)) : texts.unclear(title)} {texts.suggestion}{' '}
      <Link to={screenPath('document', { botId, documentId: closest.document_id })}>{texts.openPage}</Link>
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
