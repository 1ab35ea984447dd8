// A document as its readers see it, split into its passages.
import type { Document, Passage } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useApiList, useApiMutation, useApiQuery } from '../../api.ts'
import { RemoveButton } from '../../forms/remove-button.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { PassageBlock } from './passage-block.tsx'
import { studioTexts as studio } from './studio-texts.ts'

export function DocumentPage() {
  const { documents: texts, knowledge, general } = useTexts()
  const botId = useBotId()
  const { documentId = '' } = useParams({ strict: false }) as { documentId?: string }
  const params = { botId, documentId }
  const navigate = useNavigate()
  const mayEdit = useHasRole('editor')
  const list = screenPath('documents', { botId })
  const documentQuery = useApiQuery('GET /api/manage/v1/bots/{botId}/documents/{documentId}', { params })
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', {
    done: general.removed,
    onDone: () => navigate({ to: list }),
  })
  const document = documentQuery.data
  const actions = mayEdit && (
    <RemoveButton title={texts.removeTitle} pending={remove.isPending} onRemove={() => remove.mutate({ params })}>
      {texts.removeAbout}
    </RemoveButton>
  )
  return (
    <Page title={document?.title ?? '…'} back={{ to: list, label: knowledge.documents }} actions={document && actions}>
      {documentQuery.error ? (
        <LoadError error={documentQuery.error} onRetry={() => documentQuery.refetch()} />
      ) : document ? (
        <Passages botId={botId} document={document} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function Passages({ botId, document }: { botId: string; document: Document }) {
  const { general } = useTexts()
  const passages = useApiList('GET /api/manage/v1/bots/{botId}/documents/{documentId}/passages', {
    params: { botId, documentId: document.id },
  })
  const { items } = passages
  const { hash } = useLocation()
  const { correct } = useSearch({ strict: false }) as { correct?: unknown }
  useShowLinked(passages, hash)
  if (passages.isPending) return <LoadingRows />
  if (passages.error) return <LoadError error={passages.error} onRetry={() => passages.refetch()} />
  return (
    <>
      <Facts document={document} passages={items} isWhole={!passages.hasNextPage} />
      {items.length === 0 ? (
        <EmptyState icon="text" title={studio.empty} about={studio.emptyAbout} />
      ) : (
        <section className="passages" aria-label={studio.passages} lang={document.language}>
          {items.map((passage, at) => (
            <PassageBlock
              key={passage.id}
              botId={botId}
              document={document}
              passage={passage}
              isOpened={correct === true && passage.id === hash}
              isContinued={passage.heading !== null && isSameSection(passage, items[at - 1])}
            />
          ))}
        </section>
      )}
      {passages.hasNextPage && (
        <div>
          <Button variant="default" loading={passages.isFetchingNextPage} onClick={() => void passages.fetchNextPage()}>
            {general.more}
          </Button>
        </div>
      )}
    </>
  )
}

/** Shows the passage that the address names, once it has loaded. */
function useShowLinked({ items, hasNextPage, isFetchingNextPage, fetchNextPage }: PassageList, hash: string) {
  const shownHash = useRef('')
  const isLoaded = items.some(({ id }) => id === hash)
  useEffect(() => {
    if (hash === '' || shownHash.current === hash) return
    if (isLoaded) {
      shownHash.current = hash
      // After the page has given its title the focus.
      requestAnimationFrame(() => {
        const passage = window.document.getElementById(hash)
        passage?.scrollIntoView({ block: 'center' })
        const field = passage?.querySelector('textarea') ?? passage
        field?.focus({ preventScroll: true })
      })
    } else if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hash, isLoaded, hasNextPage, isFetchingNextPage, fetchNextPage])
}

interface PassageList {
  items: Passage[]
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

interface FactsProps {
  document: Document
  passages: Passage[]
  isWhole: boolean
}

function Facts({ document, passages, isWhole }: FactsProps) {
  const { documents: texts } = useTexts()
  const sum = (count: (passage: Passage) => number) => passages.reduce((total, passage) => total + count(passage), 0)
  const [citedCount, correctedCount, excludedCount] = [
    sum((passage) => passage.cited),
    sum(({ corrected_text, missing }) => Number(corrected_text !== null && !missing)),
    sum((passage) => Number(passage.excluded && !passage.missing)),
  ]
  return (
    <p className="row-meta">
      <span>{texts.passages(formatNumber(document.passages))}</span>
      {isWhole && citedCount > 0 && <span>{studio.cited(citedCount, formatNumber(citedCount))}</span>}
      {correctedCount > 0 && <span>{studio.correctedCount(correctedCount)}</span>}
      {excludedCount > 0 && <span>{studio.excludedCount(excludedCount)}</span>}
      <Time time={document.updated_at} format="dateTime" />
      {document.url && (
        <a href={document.url} target="_blank" rel="noreferrer">
          {document.url}
        </a>
      )}
    </p>
  )
}

function isSameSection(passage: Passage, before: Passage | undefined): boolean {
  return before?.missing === passage.missing && before.headings.join('\n') === passage.headings.join('\n')
}
