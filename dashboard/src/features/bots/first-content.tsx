import type { Bot, Crawl } from '@docent/contract'
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { formatNumber } from '../../text/format.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Row, Rows } from '../../ui/lists/list.tsx'
import { Status } from '../../ui/status.tsx'
import { TextForm } from '../knowledge/text-form.tsx'
import { Upload } from '../knowledge/upload.tsx'
import { CrawlFailure, CrawlProgress, CrawlState, crawlPollInterval, isCrawlRunning } from '../websites/crawl-state.tsx'
import { usePathScope } from '../websites/path-scope.tsx'
import { forgetProposedQuestions } from './first-questions.tsx'
import { IndexingProgress } from './indexing-progress.tsx'
import { texts } from './new-bot-texts.ts'

type ContentKind = 'website' | 'files' | 'text'

/** Adds a bot's first content: a website, files or a text. Existing content is shown with its progress. */
export function FirstContent({ bot, crawls, onNext }: { bot: Bot; crawls: Crawl[]; onNext: () => void }) {
  const { general, bots } = useTexts()
  const [way, setWay] = useState<ContentKind>('website')
  const botId = bot.id
  const params = { botId }
  useEffect(() => forgetProposedQuestions(botId), [botId])
  const documents = useApiList(
    'GET /api/manage/v1/bots/{botId}/documents',
    { params, query: { limit: 50 } },
    { refetchInterval: () => crawlPollInterval(crawls) },
  )
  // The pages of a website are part of its progress.
  const ownDocuments = documents.items.filter(({ crawl_id }) => crawl_id === null)
  const hasContent = crawls.length + documents.items.length > 0
  return (
    <>
      <Card title={texts.contentTitle} about={texts.contentAbout}>
        <SegmentedControl
          aria-label={texts.contentTitle}
          value={way}
          onChange={(value) => setWay(value as ContentKind)}
          data={(['website', 'files', 'text'] as const).map((value) => ({ value, label: texts[value] }))}
        />
        {way === 'website' && <WebsiteForm bot={bot} crawls={crawls} isSecondary={hasContent} />}
        {way === 'files' && <Upload botId={botId} />}
        {way === 'text' && <TextForm botId={botId} isSecondary={hasContent} onDone={() => {}} />}
      </Card>
      <IndexingProgress bot={bot} />
      {hasContent && (
        <Rows label={texts.contentTitle}>
          {crawls.map((crawl) => (
            <Row key={crawl.id} title={crawl.url} end={<CrawlEnd crawl={crawl} />}>
              {isCrawlRunning(crawl) && <CrawlProgress crawl={crawl} />}
              <CrawlFailure botId={botId} crawl={crawl} />
            </Row>
          ))}
          {ownDocuments.map((document) => (
            <Row key={document.id} title={document.title} end={<Status tone="good">{bots.ready}</Status>} />
          ))}
        </Rows>
      )}
      {documents.hasNextPage && ownDocuments.length > 0 && (
        <Button variant="subtle" loading={documents.isFetchingNextPage} onClick={() => documents.fetchNextPage()}>
          {general.more}
        </Button>
      )}
      <div>
        <Button variant={hasContent ? 'filled' : 'default'} onClick={onNext}>
          {hasContent ? general.next : texts.skip}
        </Button>
      </div>
    </>
  )
}

function CrawlEnd({ crawl }: { crawl: Crawl }) {
  const { done, unchanged } = crawl.pages
  if (crawl.state !== 'done') return <CrawlState crawl={crawl} />
  return <Status tone="good">{texts.pagesRead(formatNumber(done + unchanged))}</Status>
}

interface WebsiteFormProps {
  bot: Bot
  crawls: Crawl[]
  /** Once there is content, going on is the main thing to do. */
  isSecondary: boolean
}

function WebsiteForm({ bot, crawls, isSecondary }: WebsiteFormProps) {
  const { websites } = useTexts()
  const [url, setUrl] = useState((crawls.length === 0 && bot.site_url) || '')
  const scope = usePathScope(url)
  const startCrawl = useApiMutation('POST /api/manage/v1/bots/{botId}/crawls', {
    silent: true,
    done: websites.started,
    onDone: () => setUrl(''),
  })
  const submit = () => {
    const address = withScheme(url)
    const include = scope.include(address)
    // Part of a site is added to what the bot reads of it.
    const isUpdate = include.length === 0 || crawls.some((crawl) => crawl.url === address)
    // Unticked, what the crawl was narrowed to no longer counts.
    const body = { url: address, update_existing: isUpdate, ...(scope.checkbox ? { include } : {}) }
    startCrawl.mutate({ params: { botId: bot.id }, body })
  }
  return (
    <Form
      action={texts.crawl}
      isSecondary={isSecondary}
      pending={startCrawl.isPending}
      error={startCrawl.error}
      onSubmit={submit}
    >
      <TextInput
        label={texts.url}
        description={texts.urlHint}
        placeholder="https://www.example.com"
        inputMode="url"
        required
        value={url}
        error={fieldError(startCrawl.error, 'url') ?? null}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      {scope.checkbox}
    </Form>
  )
}
