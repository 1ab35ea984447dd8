import type { Bot } from '@docent/contract'
import { Textarea } from '@mantine/core'
import { useMessages } from '../messages/messages.tsx'
import { Card } from '../parts/card.tsx'
import { Failed } from '../parts/failed.tsx'
import { LoadingRows } from '../parts/loading.tsx'
import { faultsOf, previewOf, readLook, writeLook } from '../parts/look-draft.ts'
import { LookFields, ProactiveFields, TextFields } from '../parts/look-fields.tsx'
import { Page } from '../parts/page.tsx'
import { SettingsForm } from '../parts/settings-form.tsx'
import { Snippet } from '../parts/snippet.tsx'
import { useBot } from '../parts/use-bot.ts'
import { useDraft } from '../parts/use-draft.ts'
import { WidgetPreview } from '../parts/widget-preview.tsx'

export function AppearancePage() {
  const { appearance: words } = useMessages()
  const read = useBot()
  return (
    <Page wide title={words.title} about={words.about}>
      {read.error ? (
        <Failed error={read.error} onRetry={() => read.refetch()} />
      ) : read.data ? (
        <Appearance key={read.data.id} bot={read.data} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function Appearance({ bot }: { bot: Bot }) {
  const { appearance: words, bot: overview } = useMessages()
  const { draft, change, form, error } = useDraft(bot, readLook, writeLook)
  const faults = faultsOf(draft)
  const given = { bot, draft, change, faults, error }
  return (
    <div className="beside">
      <SettingsForm {...form} valid={!Object.values(faults).some(Boolean)}>
        <Card title={words.texts}>
          <TextFields {...given} />
        </Card>
        <Card title={words.style}>
          <LookFields {...given} />
        </Card>
        <Card title={words.proactive} about={words.proactiveAbout}>
          <ProactiveFields {...given} />
        </Card>
        <Card title={words.allowedSites} about={words.allowedSitesAbout}>
          <Textarea
            label={words.allowedSitesField}
            description={words.allowedSitesHint}
            autosize
            minRows={2}
            maxRows={8}
            value={draft.origins}
            error={faults.origin !== undefined && words.badSite(faults.origin)}
            onChange={(event) => change({ origins: event.currentTarget.value })}
          />
        </Card>
      </SettingsForm>
      <div className="stack beside-end">
        <WidgetPreview config={previewOf(bot, writeLook(draft))} />
        <Card title={words.embed} about={overview.embedAbout}>
          <Snippet botId={bot.id} />
        </Card>
      </div>
    </div>
  )
}
