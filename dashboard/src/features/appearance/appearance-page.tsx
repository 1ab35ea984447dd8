import type { Bot } from '@docent/contract'
import { Textarea } from '@mantine/core'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Snippet } from '../bots/snippet.tsx'
import { useBot } from '../bots/use-bot.ts'
import { findProblems, previewConfig, readAppearance, writeAppearance } from './appearance-draft.ts'
import { AppearanceFields, TextFields } from './appearance-fields.tsx'
import { ConversationFields, PreChatFields, ProactiveFields } from './conversation-fields.tsx'
import { LauncherFields } from './launcher-fields.tsx'
import { WidgetPreview } from './widget-preview.tsx'

export function AppearancePage() {
  const { appearance: words } = useTexts()
  const read = useBot()
  return (
    <Page wide title={words.title} about={words.about}>
      {read.error ? (
        <LoadError error={read.error} onRetry={() => read.refetch()} />
      ) : read.data ? (
        <Appearance key={read.data.id} bot={read.data} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function Appearance({ bot }: { bot: Bot }) {
  const { appearance: words, bot: overview } = useTexts()
  const { draft, change, form, error } = useBotDraft(bot, readAppearance, writeAppearance)
  const problems = findProblems(draft)
  const props = { bot, draft, change, problems, error }
  return (
    <div className="beside">
      <SettingsForm {...form} valid={!Object.values(problems).some(Boolean)}>
        <Card title={words.texts}>
          <TextFields {...props} />
        </Card>
        <Card title={words.style}>
          <AppearanceFields {...props} />
        </Card>
        <Card title={words.launcher} about={words.launcherAbout}>
          <LauncherFields {...props} />
        </Card>
        <Card title={words.proactive} about={words.proactiveAbout}>
          <ProactiveFields {...props} />
        </Card>
        <Card title={words.preChat} about={words.preChatAbout}>
          <PreChatFields {...props} />
        </Card>
        <Card title={words.conversation}>
          <ConversationFields {...props} />
        </Card>
        <Card title={words.allowedSites} about={words.allowedSitesAbout}>
          <Textarea
            label={words.allowedSitesField}
            description={words.allowedSitesHint}
            autosize
            minRows={2}
            maxRows={8}
            value={draft.origins}
            error={problems.origin !== undefined && words.badSite(problems.origin)}
            onChange={(event) => change({ origins: event.currentTarget.value })}
          />
        </Card>
      </SettingsForm>
      <div className="stack beside-end">
        <WidgetPreview config={previewConfig(bot, writeAppearance(draft))} />
        <Card title={words.embed} about={overview.embedAbout}>
          <Snippet botId={bot.id} />
        </Card>
      </div>
    </div>
  )
}
