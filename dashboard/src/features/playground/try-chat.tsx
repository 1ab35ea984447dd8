import type { TryAnswer } from '@docent/contract'
import { Button, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { AnswerText } from '../../text/answer-text.tsx'
import { DecisionStatus } from '../../text/decision.tsx'
import { explainError } from '../../text/explain-error.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'

export interface TryTurn {
  question: string
  answer: TryAnswer
}

interface Props {
  botId: string
  turns: TryTurn[]
  onTurn: (turn: TryTurn) => void
  /** The turn whose details are shown; left out, none can be chosen. */
  chosen?: number
  onChoose?: (index: number) => void
}

/** A test conversation that is not recorded. */
export function TryChat({ botId, turns, onTurn, chosen, onChoose }: Props) {
  const allTexts = useTexts()
  const { playground: texts } = allTexts
  const [text, setText] = useState('')
  const asking = useApiMutation('POST /api/manage/v1/bots/{botId}/try', { silent: true })
  const end = useRef<HTMLDivElement>(null)
  const ask = (question: string) => {
    if (!question.trim() || asking.isPending) return
    const history = turns.slice(-10).flatMap(({ question: text, answer }) => {
      const { response, document_ids, product_ids, answered } = answer
      const reply = { role: 'assistant' as const, text: response, document_ids, product_ids, answered }
      return [{ role: 'user' as const, text }, reply]
    })
    asking.mutate(
      { params: { botId }, body: { message: question, history } },
      {
        onSuccess: (answer) => {
          setText('')
          onTurn({ question, answer })
        },
      },
    )
  }
  useEffect(() => {
    // No implicit return: newer browsers return a promise, which React would take for a cleanup function.
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [turns.length, asking.isPending])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    ask(text)
  }
  return (
    <div className="chat">
      <div className="chat-log" role="log" aria-live="polite">
        {turns.length === 0 && !asking.isPending && (
          <div className="chat-start">
            <h2>{texts.emptyTitle}</h2>
            <p className="quiet">{texts.emptyAbout}</p>
          </div>
        )}
        {turns.map((turn, index) => (
          <div key={index} className="stack">
            <p className="bubble bubble-own">{turn.question}</p>
            <div className="bubble" data-chosen={index === chosen || undefined}>
              <AnswerText text={turn.answer.response} />
              <div className="inline">
                <span className="inline small">
                  <DecisionStatus reply={turn.answer} />
                </span>
                {onChoose && index !== chosen && (
                  <Button variant="subtle" size="compact-xs" onClick={() => onChoose(index)}>
                    {texts.inspect}
                  </Button>
                )}
              </div>
              <Suggestions suggestions={turn.answer.suggestions} onAsk={ask} />
            </div>
          </div>
        ))}
        {asking.isPending && (
          <>
            <p className="bubble bubble-own">{asking.variables.body.message}</p>
            <p className="bubble quiet">…</p>
          </>
        )}
        <div ref={end} />
      </div>
      {asking.error && <Notice tone="bad">{explainError(asking.error, allTexts)}</Notice>}
      <form className="chat-form" onSubmit={submit}>
        <Textarea
          aria-label={texts.placeholder}
          placeholder={texts.placeholder}
          autosize
          minRows={1}
          maxRows={6}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button type="submit" loading={asking.isPending} leftSection={<Icon name="send" size={18} />}>
          {texts.send}
        </Button>
      </form>
    </div>
  )
}

function Suggestions({ suggestions, onAsk }: { suggestions: string[]; onAsk: (question: string) => void }) {
  if (suggestions.length === 0) return null
  return (
    <div className="inline">
      {suggestions.map((each) => (
        <Button key={each} variant="default" size="compact-sm" radius="xl" onClick={() => onAsk(each)}>
          {each}
        </Button>
      ))}
    </div>
  )
}
