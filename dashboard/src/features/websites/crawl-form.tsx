import type { Crawl } from '@docent/contract'
import { Checkbox, Modal, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { splitLines } from '../../text/split-lines.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePathScope } from './path-scope.tsx'

const WEEK_HOURS = '168'

interface Props {
  botId: string
  opened: boolean
  onClose: () => void
  crawl?: Crawl
}

export function CrawlForm({ opened, onClose, ...props }: Props) {
  const { websites } = useTexts()
  return (
    <Modal opened={opened} onClose={onClose} title={props.crawl ? websites.settings : websites.add}>
      <Fields {...props} onClose={onClose} />
    </Modal>
  )
}

function Fields({ botId, crawl, onClose }: Omit<Props, 'opened'>) {
  const { websites: texts, general } = useTexts()
  const [url, setUrl] = useState(crawl?.url ?? '')
  const [maxPages, setMaxPages] = useState<number | string>(crawl?.max_pages ?? '')
  const [include, setInclude] = useState((crawl?.include ?? []).join('\n'))
  const [exclude, setExclude] = useState((crawl?.exclude ?? []).join('\n'))
  const [hosts, setHosts] = useState((crawl?.hosts ?? []).join('\n'))
  const [every, setEvery] = useState(crawl ? String(crawl.every_hours ?? '') : WEEK_HOURS)
  const [updates, setUpdates] = useState(true)
  const crawls = useApiList('GET /api/manage/v1/bots/{botId}/crawls', { params: { botId } })
  // Part of a site that the bot reads says nothing about the others.
  const isKnown = (other: Crawl) =>
    other.include.length === 0 ? isSameSite(other.url, withScheme(url)) : other.url === withScheme(url)
  const knownCrawl = crawl ? undefined : crawls.items.find(isKnown)
  const scope = usePathScope(url)
  // What reads the whole site is not narrowed to a part of it.
  const updatesWhole = updates && knownCrawl?.include.length === 0
  const isScoped = !crawl && !updatesWhole && include.trim() === '' && scope.checkbox !== null
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/crawls', {
    done: texts.started,
    silent: true,
    onDone: onClose,
  })
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/crawls/{crawlId}', {
    done: general.saved,
    silent: true,
    onDone: onClose,
  })
  const body = {
    url: withScheme(url),
    ...(typeof maxPages === 'number' ? { max_pages: maxPages } : {}),
    include: isScoped ? scope.include(withScheme(url)) : splitLines(include),
    exclude: splitLines(exclude),
    hosts: splitLines(hosts),
    every_hours: every === '' ? null : Number(every),
  }
  // What is left as it was keeps the settings of the existing crawl.
  const changesInclude = isScoped ? body.include.length === 0 : body.include.length > 0
  const update = {
    url: body.url,
    update_existing: true,
    ...(typeof maxPages === 'number' ? { max_pages: maxPages } : {}),
    ...(changesInclude ? { include: body.include } : {}),
    ...(body.exclude.length > 0 ? { exclude: body.exclude } : {}),
    ...(body.hosts.length > 0 ? { hosts: body.hosts } : {}),
    ...(every === WEEK_HOURS ? {} : { every_hours: body.every_hours }),
  }
  const submit = () =>
    crawl
      ? change.mutate({ params: { botId, crawlId: crawl.id }, body })
      : create.mutate({ params: { botId }, body: knownCrawl && updates ? update : body })
  const error = create.error ?? change.error
  const intervals = [
    { value: '', label: texts.manually },
    { value: '24', label: texts.daily },
    { value: '168', label: texts.weekly },
    { value: '720', label: texts.monthly },
  ]
  const ownIntervals = intervals.some(({ value }) => value === every) ? [] : [{ value: every, label: `${every} h` }]
  return (
    <Form
      onCancel={onClose}
      action={crawl ? general.save : texts.start}
      pending={create.isPending || change.isPending}
      error={error}
      onSubmit={submit}
    >
      <TextInput
        label={texts.url}
        description={texts.urlHint}
        inputMode="url"
        placeholder="https://"
        required
        data-autofocus
        value={url}
        error={fieldError(error, 'url') ?? null}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      {knownCrawl && (
        <Notice title={texts.knownSite(knownCrawl.url)}>
          <Checkbox
            label={texts.updateKnown}
            checked={updates}
            onChange={(event) => setUpdates(event.currentTarget.checked)}
          />
        </Notice>
      )}
      {isScoped && scope.checkbox}
      <Select
        label={texts.schedule}
        data={[...intervals, ...ownIntervals]}
        value={every}
        onChange={(value) => setEvery(value ?? '')}
      />
      <NumberInput
        label={`${texts.maxPages} (${general.optional})`}
        min={1}
        max={1_000_000}
        value={maxPages}
        error={fieldError(error, 'max_pages') ?? null}
        onChange={setMaxPages}
      />
      <Textarea
        label={`${texts.include} (${general.optional})`}
        description={texts.patternHint}
        autosize
        minRows={1}
        maxRows={6}
        value={include}
        error={fieldError(error, 'include') ?? null}
        onChange={(event) => setInclude(event.currentTarget.value)}
      />
      <Textarea
        label={`${texts.exclude} (${general.optional})`}
        autosize
        minRows={1}
        maxRows={6}
        value={exclude}
        error={fieldError(error, 'exclude') ?? null}
        onChange={(event) => setExclude(event.currentTarget.value)}
      />
      <Textarea
        label={`${texts.hosts} (${general.optional})`}
        description={texts.hostsHint}
        autosize
        minRows={1}
        maxRows={6}
        value={hosts}
        error={fieldError(error, 'hosts') ?? null}
        onChange={(event) => setHosts(event.currentTarget.value)}
      />
    </Form>
  )
}

/** Whether both URLs lead to one host, with or without "www." */
function isSameSite(a: string, b: string): boolean {
  const [first, second] = [a, b].map((url) => URL.parse(url)?.host.replace(/^www\./, ''))
  return first !== undefined && first !== '' && first === second
}
