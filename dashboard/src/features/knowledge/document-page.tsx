import { useNavigate, useParams } from '@tanstack/react-router'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { RemoveButton } from '../../forms/remove-button.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'

export function DocumentPage() {
  const { documents: words, knowledge, general } = useTexts()
  const botId = useBotId()
  const { documentId = '' } = useParams({ strict: false }) as { documentId?: string }
  const params = { botId, documentId }
  const navigate = useNavigate()
  const mayEdit = useHasRole('editor')
  const list = `/bots/${botId}/knowledge/documents`
  const read = useApiQuery('GET /api/manage/v1/bots/{botId}/documents/{documentId}', { params })
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', {
    done: general.removed,
    onDone: () => navigate({ to: list }),
  })
  const document = read.data
  const actions = mayEdit && (
    <RemoveButton title={words.removeTitle} pending={remove.isPending} onRemove={() => remove.mutate({ params })}>
      {words.removeAbout}
    </RemoveButton>
  )
  return (
    <Page title={document?.title ?? '…'} back={{ to: list, label: knowledge.documents }} actions={document && actions}>
      {read.error ? (
        <LoadError error={read.error} onRetry={() => read.refetch()} />
      ) : document ? (
        <>
          <p className="row-meta">
            <span>{words.passages(formatNumber(document.passages))}</span>
            <Time time={document.updated_at} format="dateTime" />
            {document.url && (
              <a href={document.url} target="_blank" rel="noreferrer">
                {document.url}
              </a>
            )}
          </p>
          <Card title={words.content}>
            <div className="document-text" lang={document.language}>
              {document.content}
            </div>
          </Card>
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}
