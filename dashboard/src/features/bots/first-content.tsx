import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAct, useList } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Card } from '../../ui/card.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { Status } from '../../ui/status.tsx'
import { TextForm } from '../knowledge/text-form.tsx'
import { Upload } from '../knowledge/upload.tsx'
import { CrawlProgress, CrawlState, whileUnderWay } from '../websites/crawl-state.tsx'

type Way = 'website' | 'files' | 'text'

/** The first thing a bot knows: a website, files or a text; what is there already is shown with its progress. */
export function FirstContent({ botId, onNext }: { botId: string; onNext: () => void }) {
  const { newBot: words, general, bots } = useMessages()
  const [way, setWay] = useState<Way>('website')
  const params = { botId }
  const crawls = useList('GET /api/manage/v1/bots/{botId}/crawls', { params }, { every: whileUnderWay })
  const documents = useList(
    'GET /api/manage/v1/bots/{botId}/documents',
    { params, query: { limit: 5 } },
    { every: () => whileUnderWay(crawls.items) },
  )
  const hasContent = crawls.items.length + documents.items.length > 0
  return (
    <>
      <Card title={words.contentTitle} about={words.contentAbout}>
        <SegmentedControl
          aria-label={words.contentTitle}
          value={way}
          onChange={(value) => setWay(value as Way)}
          data={(['website', 'files', 'text'] as const).map((value) => ({ value, label: words[value] }))}
        />
        {way === 'website' && <WebsiteForm botId={botId} />}
        {way === 'files' && <Upload botId={botId} />}
        {way === 'text' && <TextForm botId={botId} onDone={() => {}} />}
      </Card>
      {hasContent && (
        <Rows label={words.contentTitle}>
          {crawls.items.map((crawl) => (
            <Row key={crawl.id} title={crawl.url} meta={[crawl.reason]} end={<CrawlState crawl={crawl} />}>
              <CrawlProgress crawl={crawl} />
            </Row>
          ))}
          {documents.items.map((document) => (
            <Row key={document.id} title={document.title} end={<Status tone="good">{bots.ready}</Status>} />
          ))}
        </Rows>
      )}
      <div>
        <Button variant={hasContent ? 'filled' : 'default'} onClick={onNext}>
          {hasContent ? general.next : words.skip}
        </Button>
      </div>
    </>
  )
}

function WebsiteForm({ botId }: { botId: string }) {
  const { newBot: words, websites } = useMessages()
  const [url, setUrl] = useState('')
  const read = useAct('POST /api/manage/v1/bots/{botId}/crawls', {
    silent: true,
    done: websites.started,
    onDone: () => setUrl(''),
  })
  return (
    <Form
      action={words.crawl}
      pending={read.isPending}
      error={read.error}
      onSubmit={() => read.mutate({ params: { botId }, body: { url: withScheme(url) } })}
    >
      <TextInput
        label={words.url}
        description={words.urlHint}
        placeholder="https://www.example.com"
        inputMode="url"
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
    </Form>
  )
}

/** "example.com" is an address to people. */
function withScheme(url: string): string {
  return /^https?:\/\//.test(url.trim()) ? url.trim() : `https://${url.trim()}`
}
