import type { Home } from '@docent/contract'
import { QUESTION_LENGTH } from '@docent/contract/limits'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Card } from '../../ui/card.tsx'
import { texts } from './home-texts.ts'
import { Nothing } from './nothing.tsx'

// Loaded on the first click to keep the first screen small.
const AnswerForm = lazy(async () => ({ default: (await import('../knowledge/answer-form.tsx')).AnswerForm }))

interface Props {
  topics: Home['unanswered']
  /** Names of the bots by id; empty if there is only one. */
  names: Map<string, string>
  bot: Home['bots'][number] | undefined
  /** Whether anybody has asked anything lately. */
  isQuiet: boolean
}

/** What the bots could not answer, each with the button that writes the answer. */
export function UnansweredCard({ topics, names, bot, isQuiet }: Props) {
  const mayEdit = useHasRole('editor')
  const [answering, setAnswering] = useState<Home['unanswered'][number] | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const answer = (topic: Home['unanswered'][number]) => {
    setAnswering(topic)
    setIsOpen(true)
  }
  return (
    <Card
      title={texts.unanswered}
      actions={
        bot && topics.length > 0 && <Link to={screenPath('unanswered', { botId: bot.id })}>{texts.toUnanswered}</Link>
      }
    >
      {topics.length === 0 && (
        <Nothing
          icon={isQuiet ? 'question' : 'check'}
          title={isQuiet ? texts.nothingYet : texts.allAnswered}
          about={texts.allAnsweredAbout}
        />
      )}
      <ul className="home-rows">
        {topics.map((topic) => (
          <li key={`${topic.bot_id} ${topic.question}`}>
            <div className="home-row">
              <Link className="home-question" to={screenPath('unanswered', { botId: topic.bot_id })}>
                {topic.question}
              </Link>
              <span className="quiet small">
                {topic.count === 1 ? texts.once : texts.times(formatNumber(topic.count))}
                {topic.alternatives.length > 0 && ` ${texts.andOthers(formatNumber(topic.alternatives.length))}`}
                {' · '}
                <Time time={topic.last_asked_at} />
                {names.has(topic.bot_id) && ` · ${names.get(topic.bot_id)}`}
              </span>
            </div>
            {mayEdit && (
              <Button
                size="xs"
                variant="light"
                aria-label={texts.writeOf(topic.question)}
                onClick={() => answer(topic)}
              >
                {texts.write}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {answering && (
        <Suspense>
          <AnswerForm
            botId={answering.bot_id}
            opened={isOpen}
            onClose={() => setIsOpen(false)}
            start={{ question: answering.question.slice(0, QUESTION_LENGTH), alternatives: answering.alternatives }}
          />
        </Suspense>
      )}
    </Card>
  )
}
