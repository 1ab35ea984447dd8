// One passage: its text as visitors read it, how it did, and what can be done with it.
import type { Document, Passage, PatchPassage } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { toast } from '../../forms/toast.tsx'
import { useHasRole } from '../../session.ts'
import { AnswerText } from '../../text/answer-text.tsx'
import { formatNumber } from '../../text/format.ts'
import { splitLines } from '../../text/split-lines.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { AnswerForm } from './answer-form.tsx'
import { Diff } from './diff.tsx'
import { studioTexts as texts } from './studio-texts.ts'

interface Props {
  botId: string
  document: Document
  passage: Passage
  /** It goes on where the passage before it ended, under the same heading. */
  isContinued: boolean
  /** To correct its text. */
  isOpened: boolean
}

type Editing = 'text' | 'phrasings' | 'answer' | null

export function PassageBlock({ botId, document, passage, isContinued, isOpened }: Props) {
  const mayEdit = useHasRole('editor')
  const mayCorrect = mayEdit && !passage.missing && !passage.excluded
  const [editing, setEditing] = useState<Editing>(isOpened && mayCorrect ? 'text' : null)
  const update = useApiMutation('PATCH /api/manage/v1/bots/{botId}/documents/{documentId}/passages/{passageId}')
  const params = { botId, documentId: document.id, passageId: passage.id }
  const change = (body: PatchPassage, doneText: string) => {
    const onSuccess = () => {
      setEditing(null)
      toast(doneText)
    }
    update.mutate({ params, body }, { onSuccess })
  }
  const name = passage.heading ?? document.title
  const currentText = passage.corrected_text ?? passage.text
  const close = () => setEditing(null)
  const editor = { passage, isSaving: update.isPending, onSave: change, onCancel: close }
  return (
    <article id={passage.id} className="passage" aria-label={name} tabIndex={-1} {...stateOf(passage)}>
      <div className="passage-main">
        {!isContinued && passage.heading !== null && <PassageHeading passage={passage} />}
        {passage.missing ? (
          <Notice title={texts.goneTitle}>{texts.goneAbout}</Notice>
        ) : (
          passage.previous_text !== null &&
          editing !== 'text' && (
            <PageChanged before={passage.previous_text} after={passage.text}>
              {mayEdit && (
                <div className="inline">
                  <Button size="xs" onClick={() => change({ corrected_text: currentText }, texts.kept)}>
                    {texts.keep}
                  </Button>
                  <Button size="xs" variant="default" onClick={() => change({ corrected_text: null }, texts.pageTaken)}>
                    {texts.takePage}
                  </Button>
                </div>
              )}
            </PageChanged>
          )
        )}
        {editing === 'text' ? <PassageEditor kind="text" {...editor} /> : <AnswerText text={addSpacing(currentText)} />}
        {editing === 'phrasings' && <PassageEditor kind="phrasings" {...editor} />}
        {passage.corrected_text !== null && !passage.missing && !editing && (
          <details className="passage-compare">
            <summary>{texts.compare}</summary>
            <Diff before={passage.text} after={passage.corrected_text} labels={texts} />
          </details>
        )}
      </div>
      <div className="passage-side">
        <PassageStatus passage={passage} />
        {!passage.missing && <PassageUse botId={botId} passage={passage} />}
        {mayEdit && !editing && (
          <div className="passage-actions">
            {passage.missing ? (
              <Button {...quietButton} onClick={() => change(nothingChanged, texts.discarded)}>
                {texts.discard}
              </Button>
            ) : passage.excluded ? (
              <Button {...quietButton} onClick={() => change({ excluded: false }, texts.included)}>
                {texts.include}
              </Button>
            ) : (
              <>
                <Button
                  {...quietButton}
                  leftSection={<Icon name="pencil" size={14} />}
                  onClick={() => setEditing('text')}
                >
                  {texts.correct}
                </Button>
                <RowMenu
                  name={name}
                  actions={[
                    { icon: 'question', label: texts.phrasings, onClick: () => setEditing('phrasings') },
                    { icon: 'answer', label: texts.writeAnswer, onClick: () => setEditing('answer') },
                    ...(passage.corrected_text === null
                      ? []
                      : [
                          {
                            icon: 'refresh' as const,
                            label: texts.takePage,
                            onClick: () => change({ corrected_text: null }, texts.pageTaken),
                          },
                        ]),
                    {
                      icon: 'close',
                      label: texts.exclude,
                      onClick: () => change({ excluded: true }, texts.excludedDone),
                    },
                  ]}
                />
              </>
            )}
          </div>
        )}
      </div>
      <AnswerForm
        botId={botId}
        opened={editing === 'answer'}
        onClose={close}
        start={{ question: passage.questions[0]?.text ?? '', answer: currentText, url: document.url }}
      />
    </article>
  )
}

const quietButton = { size: 'compact-sm', variant: 'subtle', color: 'gray' } as const
const nothingChanged: PatchPassage = { corrected_text: null, excluded: false, phrasings: [] }

function stateOf({ excluded, missing }: Passage): object {
  return excluded || missing ? { 'data-unused': true } : {}
}

function PassageHeading({ passage: { headings } }: { passage: Passage }) {
  const above = headings.slice(0, -1)
  return (
    <div className="passage-heading">
      {above.length > 0 && <p className="quiet small">{above.join(' › ')}</p>}
      <h2>{headings.at(-1)}</h2>
    </div>
  )
}

function PassageStatus({ passage }: { passage: Passage }) {
  const statuses = [
    passage.previous_text !== null && !passage.missing && (
      <Status key="changed" tone="warn" children={texts.pageChanged} />
    ),
    passage.corrected_text !== null && <Status key="corrected" tone="good" children={texts.corrected} />,
    passage.excluded && <Status key="excluded" tone="quiet" children={texts.excluded} />,
  ].filter(Boolean)
  return statuses.length > 0 && <div className="inline">{statuses}</div>
}

function PageChanged({ before, after, children }: { before: string; after: string; children: ReactNode }) {
  return (
    <Notice tone="warn" title={texts.changedTitle}>
      <div className="stack tight">
        <p className="small">{texts.changedAbout}</p>
        <Diff before={before} after={after} labels={texts} />
        {children}
      </div>
    </Notice>
  )
}

/** A passage has one paragraph a line. */
function addSpacing(text: string): string {
  return text.replace(/\n(?=\S)/g, (line, at: number) => (isListLine(text.slice(at + 1)) ? line : '\n\n'))
}

function isListLine(text: string): boolean {
  return /^(?:[-*•]|\d+[.)]|\|)\s/.test(text)
}

interface PassageEditorProps {
  kind: 'text' | 'phrasings'
  passage: Passage
  isSaving: boolean
  onSave: (change: PatchPassage, doneText: string) => void
  onCancel: () => void
}

/** Corrects the text of a passage, or its phrasings, in place. */
function PassageEditor({ kind, passage, isSaving, onSave, onCancel }: PassageEditorProps) {
  const { general } = useTexts()
  const isText = kind === 'text'
  const [value, setValue] = useState(isText ? (passage.corrected_text ?? passage.text) : passage.phrasings.join('\n'))
  // Somebody else may save while this is open; their change must not be lost.
  const [expectation] = useState({ expected_edited_at: passage.edited_at })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isText) onSave({ corrected_text: value.trim() || null, ...expectation }, texts.saved)
    else onSave({ phrasings: splitLines(value), ...expectation }, texts.phrasingsSaved)
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <Textarea
        label={isText ? texts.correct : texts.phrasingsLabel}
        description={isText ? texts.correctHint : texts.phrasingsHint}
        autosize
        minRows={isText ? 4 : 2}
        maxRows={20}
        maxLength={isText ? 4000 : 25_000}
        autoFocus
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
        }}
      />
      <div className="inline">
        <Button type="submit" size="sm" loading={isSaving}>
          {isText ? texts.save : texts.savePhrasings}
        </Button>
        <Button size="sm" variant="subtle" color="gray" onClick={onCancel}>
          {general.cancel}
        </Button>
      </div>
    </form>
  )
}

/** How a passage did: citations, ratings, the questions it answered, and the phrasings it is found by. */
function PassageUse({ botId, passage }: { botId: string; passage: Passage }) {
  const { cited, last_cited_at: lastCitedAt, rated_up: up, rated_down: down, questions, phrasings } = passage
  return (
    <>
      <p className="passage-figures">
        <span>{texts.cited(cited, formatNumber(cited))}</span>
        {up > 0 && <Rating icon="thumbUp" count={up} label={texts.ratedUp(formatNumber(up))} />}
        {down > 0 && <Rating icon="thumbDown" count={down} label={texts.ratedDown(formatNumber(down))} />}
        {lastCitedAt && <Time time={lastCitedAt} />}
      </p>
      {questions.length > 0 && (
        <div>
          <p className="passage-label">{texts.asked}</p>
          <ul className="passage-questions">
            {questions.map(({ text, conversation_id, asked_at }) => (
              <li key={conversation_id + asked_at}>
                <Link className="quiet-link" to={screenPath('botInbox', { botId, conversationId: conversation_id })}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {phrasings.length > 0 && (
        <div>
          <p className="passage-label">{texts.foundBy}</p>
          <ul className="passage-questions">
            {phrasings.map((phrase) => (
              <li key={phrase}>{phrase}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function Rating({ icon, count, label }: { icon: 'thumbUp' | 'thumbDown'; count: number; label: string }) {
  return (
    <span className="passage-rating" title={label}>
      <Icon name={icon} size={14} />
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
