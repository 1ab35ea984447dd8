// Content that wants a look: the same text in several documents, and documents that may be out of date.
import type { ContentReview } from '@docent/contract'
import { COMPARED_PASSAGES } from '@docent/contract/limits'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiMutation, useApiQuery, useBulkMutation } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { KnowledgeLayout } from './knowledge-layout.tsx'
import { reviewTexts as texts } from './studio-texts.ts'

type Duplicate = ContentReview['duplicates'][number]
type DuplicateDocument = Duplicate['documents'][number]
type Outdated = ContentReview['outdated'][number]

// A cookie notice may be in hundreds of documents.
const SHOWN_PLACES = 10
const EXCLUDE = 'PATCH /api/manage/v1/bots/{botId}/documents/{documentId}/passages/{passageId}'
const CONFIRM = 'POST /api/manage/v1/bots/{botId}/documents/{documentId}/reviewed'

export function ReviewPage() {
  const botId = useBotId()
  const reviewQuery = useApiQuery('GET /api/manage/v1/bots/{botId}/content-review', { params: { botId } })
  const review = reviewQuery.data
  return (
    <KnowledgeLayout>
      {reviewQuery.error && !review ? (
        <LoadError error={reviewQuery.error} onRetry={() => reviewQuery.refetch()} />
      ) : review ? (
        <Findings botId={botId} review={review} />
      ) : (
        <LoadingRows />
      )}
    </KnowledgeLayout>
  )
}

function Findings({ botId, review }: { botId: string; review: ContentReview }) {
  const { duplicates, duplicate_count, outdated, outdated_count, complete } = review
  return (
    <>
      {!complete && <Notice>{texts.incomplete(formatNumber(COMPARED_PASSAGES))}</Notice>}
      {duplicates.length + outdated.length === 0 && (
        <EmptyState icon="check" title={texts.noneTitle} about={texts.noneAbout} />
      )}
      {duplicates.length > 0 && (
        <Card title={texts.duplicates(formatNumber(duplicate_count))} about={texts.duplicatesAbout}>
          <ul className="review-list">
            {duplicates.map((duplicate) => (
              <DuplicateItem
                key={duplicate.documents.map(({ id }) => id).join(' ')}
                botId={botId}
                duplicate={duplicate}
              />
            ))}
          </ul>
        </Card>
      )}
      {outdated.length > 0 && (
        <Card title={texts.outdated(formatNumber(outdated_count))} about={texts.outdatedAbout}>
          <ul className="review-list">
            {outdated.map((entry) => (
              <OutdatedItem key={entry.document_id} botId={botId} entry={entry} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function DuplicateItem({ botId, duplicate }: { botId: string; duplicate: Duplicate }) {
  const mayEdit = useHasRole('editor')
  const { documents, document_count, heading, excerpt, passages } = duplicate
  const keep = useBulkMutation(CONFIRM, {
    toRequest: ({ id }: DuplicateDocument) => ({ params: { botId, documentId: id } }),
    done: texts.kept,
  })
  const exclude = useBulkMutation(EXCLUDE, {
    toRequest: (place: { documentId: string; passageId: string }) => ({
      params: { botId, ...place },
      body: { excluded: true },
    }),
    done: texts.excluded,
  })
  const places = documents.flatMap(({ id, passage_ids }) =>
    passage_ids.map((passageId) => ({ documentId: id, passageId })),
  )
  const shownDocuments = documents.slice(0, SHOWN_PLACES)
  return (
    <li className="stack">
      <div className="review-entry">
        <div className="stack tight">
          <strong>{heading ?? documents[0]?.title}</strong>
          <span className="quiet small">{texts.shared(passages)}</span>
          <p className="quiet small">{excerpt}</p>
        </div>
        {mayEdit && (
          <div className="stack tight">
            {document_count > SHOWN_PLACES && (
              <Button size="xs" variant="light" loading={exclude.isPending} onClick={() => void exclude.run(places)}>
                {texts.excludeAll(documents.length)}
              </Button>
            )}
            <Button size="xs" variant="default" loading={keep.isPending} onClick={() => void keep.run(documents)}>
              {texts.keepAll}
            </Button>
          </div>
        )}
      </div>
      <ul className="review-places">
        {shownDocuments.map((document) => (
          <Place key={document.id} botId={botId} document={document} />
        ))}
        {document_count > SHOWN_PLACES && <li className="quiet small">{texts.more(document_count - SHOWN_PLACES)}</li>}
      </ul>
    </li>
  )
}

/** One of the documents with the same text, which can be excluded there. */
function Place({ botId, document }: { botId: string; document: DuplicateDocument }) {
  const mayEdit = useHasRole('editor')
  const { id, title, url, passage_ids, passages, updated_at } = document
  const exclude = useBulkMutation(EXCLUDE, {
    toRequest: (passageId: string) => ({ params: { botId, documentId: id, passageId }, body: { excluded: true } }),
    done: texts.excluded,
  })
  return (
    <li className="review-entry">
      <div className="stack tight">
        <Link to={documentPath(botId, id)} hash={passage_ids[0] ?? ''}>
          {title}
        </Link>
        <span className="quiet small">
          {url && <span className="clip">{url}</span>} {texts.of(passage_ids.length, passages)} ·{' '}
          <Time time={updated_at} />
        </span>
      </div>
      {mayEdit && (
        <Button
          size="xs"
          variant="light"
          aria-label={texts.excludeFrom(title)}
          loading={exclude.isPending}
          onClick={() => void exclude.run(passage_ids)}
        >
          {texts.exclude}
        </Button>
      )}
    </li>
  )
}

function OutdatedItem({ botId, entry }: { botId: string; entry: Outdated }) {
  const mayEdit = useHasRole('editor')
  const { document_id, title, reason, since, excerpt, passage_id, crawl_id } = entry
  const confirm = useApiMutation(CONFIRM, { done: texts.confirmed })
  return (
    <li className="review-entry">
      <div className="stack tight">
        <Link to={documentPath(botId, document_id)} hash={passage_id ?? ''}>
          {title}
        </Link>
        <span className="quiet small">
          {texts.reasons[reason]} {excerpt === null ? <Time time={since} format="date" /> : <q>{excerpt}</q>}
        </span>
      </div>
      {crawl_id ? (
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={screenPath('website', { botId, crawlId: crawl_id })}
          aria-label={`${texts.website}: ${title}`}
        >
          {texts.website}
        </Button>
      ) : (
        mayEdit && (
          <Button
            size="xs"
            variant="light"
            aria-label={texts.confirmOf(title)}
            loading={confirm.isPending}
            onClick={() => confirm.mutate({ params: { botId, documentId: document_id } })}
          >
            {texts.confirm}
          </Button>
        )
      )}
    </li>
  )
}

function documentPath(botId: string, documentId: string): string {
  return screenPath('document', { botId, documentId })
}
