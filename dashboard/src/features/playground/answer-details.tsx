import type { TryAnswer } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useHasRole } from '../../session.ts'
import { DecisionStatus, isSearched } from '../../text/decision.tsx'
import { formatPercent } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AddTestQuestion } from '../knowledge/add-test-question.tsx'
import { AnswerForm } from '../knowledge/answer-form.tsx'
import { modelReason } from '../language-model/model-texts.ts'
import type { TryTurn } from './try-chat.tsx'

/** How an answer came about: the decision, the thresholds, and each passage with its scores. */
// All others are failures.
const WORKING_OUTCOMES = ['answered', 'partly', 'no_answer', 'restated', 'action_chosen', 'result_worded']

export function AnswerDetails({ botId, turn }: { botId: string; turn: TryTurn }) {
  const allTexts = useTexts()
  const { playground: texts } = allTexts
  const { answer } = turn
  const [writing, setWriting] = useState(false)
  const mayWrite = useHasRole('editor')
  return (
    <section className="why" aria-label={texts.passages}>
      <div className="card">
        <div className="inline">
          <DecisionStatus reply={answer} />
        </div>
        {isSearched(answer.decision) && <ConfidenceScale answer={answer} />}
        <p>{decisionReason(answer, allTexts)}</p>
        {answer.model && !WORKING_OUTCOMES.includes(answer.model.outcome) && (
          <Notice tone="warn" title={texts.modelFailed(answer.model.name)}>
            {modelReason(answer.model.outcome)} <Link to={screenPath('languageModel', { botId })}>{texts.toModel}</Link>
          </Notice>
        )}
        {answer.question && answer.question !== turn.question && (
          <p className="quiet small">{texts.understood(answer.question)}</p>
        )}
        {answer.sources.length > 0 && (
          <div className="stack tight">
            <h3>{texts.sources}</h3>
            {answer.sources.map(({ title, url }) => (
              <a key={title + url} href={url} target="_blank" rel="noreferrer">
                {title}
              </a>
            ))}
          </div>
        )}
        {mayWrite && (
          <div className="inline">
            <Button variant="light" leftSection={<Icon name="pencil" size={16} />} onClick={() => setWriting(true)}>
              {texts.writeAnswer}
            </Button>
            <AddTestQuestion botId={botId} question={turn.question} sources={answer.sources} />
          </div>
        )}
      </div>
      <div className="stack tight">
        <h2>{texts.passages}</h2>
        <p className="quiet small">{passagesText(answer, texts)}</p>
      </div>
      {answer.results.map((result) => (
        <details key={result.document_id + result.passage} className="found">
          <summary>
            <span className="row-title">
              {result.title}
              {result.heading && result.heading !== result.title && (
                <span className="small quiet">{` · ${result.heading}`}</span>
              )}
            </span>
            <span className="small quiet number">{texts.score(result.score.toFixed(2))}</span>
          </summary>
          <p className="found-text">{result.passage}</p>
          <Signals signals={result.signals} />
          <Link
            className="small"
            to={screenPath('document', { botId, documentId: result.document_id })}
            {...(result.passage_id ? { hash: result.passage_id } : {})}
          >
            {allTexts.documents.content}
          </Link>
        </details>
      ))}
      <AnswerForm
        botId={botId}
        opened={writing}
        onClose={() => setWriting(false)}
        start={{ question: turn.question, answer: answer.answered ? answer.response : '' }}
      />
    </section>
  )
}

/** The confidence on a scale, with the two thresholds. */
function ConfidenceScale({ answer: { confidence, thresholds } }: { answer: TryAnswer }) {
  return (
    <div className="scale" aria-hidden="true">
      <div className="scale-fill" style={{ width: `${confidence * 100}%` }} />
      <div className="scale-mark" style={{ left: `${thresholds.suggest * 100}%` }} />
      <div className="scale-mark" style={{ left: `${thresholds.answer * 100}%` }} />
    </div>
  )
}

function Signals({ signals }: { signals: Record<string, number> }) {
  const { playground: texts } = useTexts()
  return (
    <dl className="signals">
      {Object.entries(signals).map(([name, value]) => (
        <div key={name}>
          <dt>{texts.signals[name] ?? name}</dt>
          <dd>
            <span className="bar" aria-hidden="true">
              <div style={{ width: `${Math.min(1, value) * 100}%` }} />
            </span>
            <span className="number">{value.toFixed(2)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function passagesText({ results, decision }: TryAnswer, texts: Texts['playground']): string {
  if (results.length > 0) return texts.passagesAbout
  return isSearched(decision) ? texts.noPassages : texts.notSearched
}

function decisionReason({ decision, thresholds, model }: TryAnswer, { playground: { why } }: Texts): string {
  const [low, high] = [formatPercent(thresholds.suggest), formatPercent(thresholds.answer)]
  if (model?.outcome === 'answered' || model?.outcome === 'partly') return why.model
  if (decision === 'answer') return why.answer(high)
  if (decision === 'suggest') return why.suggest(low, high)
  if (decision === 'fall_back') return why.fall_back(low)
  return why[decision]
}
