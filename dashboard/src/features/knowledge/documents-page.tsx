import type { DocumentSummary } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button, Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList, useApiQuery } from '../../api.ts'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Highlighted } from '../../text/highlighted.tsx'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { useBot, useBotId } from '../bots/use-bot.ts'
import { KnowledgeLayout } from './knowledge-layout.tsx'
import { studioTexts } from './studio-texts.ts'
import { TextForm } from './text-form.tsx'

const PASSAGES_SHOWN = 8
// Fewer letters say nothing that a search by meaning could use.
const MIN_LETTERS = 3

export function DocumentsPage() {
  const { documents: texts, knowledge, general, lists } = useTexts()
  const botId = useBotId()
  const { data: bot } = useBot()
  const [adding, setAdding] = useState(false)
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('-updated_at')
  const mayEdit = useHasRole('editor')
  const documents = useApiList('GET /api/manage/v1/bots/{botId}/documents', {
    params: { botId },
    query: { sort: order as '-updated_at', ...(q ? { q } : {}) },
  })
  const remove = useConfirmedAction('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', {
    toRequest: ({ id }: DocumentSummary) => ({ params: { botId, documentId: id } }),
    done: general.removed,
    title: (items) => lists.removeTitle(items.length),
    about: () => texts.removeAbout,
    action: general.remove,
  })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <KnowledgeLayout actions={documents.items.length > 0 && add}>
      <DataList
        label={knowledge.documents}
        list={documents}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        to={({ id }) => screenPath('document', { botId, documentId: id })}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        total={bot?.knowledge.documents}
        nothing={studioTexts.noTitle}
        columns={[
          { label: texts.titleField, show: ({ title }) => title, value: ({ title }) => title, sort: 'title' },
          {
            label: texts.source,
            show: (each) => sourceText(each, texts.fromCrawl),
            value: ({ url }) => url,
            isExtra: true,
          },
          { label: texts.language, show: ({ language }) => language.toUpperCase(), value: ({ language }) => language },
          {
            label: texts.passagesField,
            isNumber: true,
            isExtra: true,
            show: ({ passages }) => formatNumber(passages),
            value: ({ passages }) => passages,
          },
          {
            label: lists.changed,
            show: ({ updated_at }) => <Time time={updated_at} />,
            value: ({ updated_at }) => updated_at,
            sort: 'updated_at',
          },
        ]}
        bulk={mayEdit ? [{ label: general.remove, run: remove.ask, destroys: true }] : []}
        empty={<EmptyState icon="text" title={texts.emptyTitle} about={texts.emptyAbout} action={add} />}
      />
      <PassageSearch botId={botId} q={q} />
      <Modal opened={adding} onClose={() => setAdding(false)} title={texts.add} size="lg">
        <TextForm botId={botId} onDone={() => setAdding(false)} onCancel={() => setAdding(false)} />
      </Modal>
      {remove.dialog}
    </KnowledgeLayout>
  )
}

function sourceText({ url, crawl_id }: DocumentSummary, fromCrawl: string): string {
  return url ?? (crawl_id ? fromCrawl : '–')
}

/** The passages that the bot itself finds for the words in the search field. */
function PassageSearch({ botId, q }: { botId: string; q: string }) {
  const text = q.trim()
  const search = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/search',
    { params: { botId }, query: { q: text, limit: PASSAGES_SHOWN } },
    { enabled: text.length >= MIN_LETTERS },
  )
  const results = (text.length >= MIN_LETTERS && search.data?.results) || []
  const passages = results.filter(({ passage_id }) => passage_id !== null)
  if (passages.length === 0) return null
  return (
    <section className="stack" aria-label={studioTexts.found}>
      <div className="stack tight">
        <h2>{studioTexts.found}</h2>
        <p className="quiet small">{studioTexts.foundAbout}</p>
      </div>
      <ol className="passages" aria-label={studioTexts.found}>
        {passages.map((result) => (
          <li key={result.document_id + result.passage_id} className="found-passage">
            <Link
              className="row-title"
              to={screenPath('document', { botId, documentId: result.document_id })}
              hash={result.passage_id ?? ''}
            >
              {result.heading === null ? result.title : `${result.title} › ${result.heading}`}
            </Link>
            <p className="quiet small">
              <Highlighted text={result.passage} words={text} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
