import type { Bot } from '@docent/contract'
import { Textarea } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Snippet } from '../bots/snippet.tsx'
import { useBot } from '../bots/use-bot.ts'
import { findProblems, previewConfig, readAppearance, writeAppearance } from './appearance-draft.ts'
import { AppearanceFields, TextFields } from './appearance-fields.tsx'
import { ConversationFields, PreChatFields, ProactiveFields } from './conversation-fields.tsx'
import { LauncherFields } from './launcher-fields.tsx'
import { WidgetPreview } from './widget-preview.tsx'

const Translations = lazy(async () => ({ default: (await import('./translations.tsx')).Translations }))

export function AppearancePage() {
  const { appearance: texts } = useTexts()
  const botQuery = useBot()
  return (
    <Page wide title={texts.title} about={texts.about}>
      {botQuery.error ? (
        <LoadError error={botQuery.error} onRetry={() => botQuery.refetch()} />
      ) : botQuery.data ? (
        <Appearance key={botQuery.data.id} bot={botQuery.data} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function Appearance({ bot }: { bot: Bot }) {
  const { appearance: texts, bot: overview } = useTexts()
  const { draft, change, form, error } = useBotDraft(bot, readAppearance, writeAppearance)
  const problems = findProblems(draft)
  const props = { bot, draft, change, problems, error }
  return (
    <div className="beside">
      <SettingsForm {...form} valid={!Object.values(problems).some(Boolean)}>
        <Card title={texts.texts}>
          <TextFields {...props} />
        </Card>
        <Suspense fallback={<LoadingRows />}>
          <Translations {...props} />
        </Suspense>
        <Card title={texts.style}>
          <AppearanceFields {...props} />
        </Card>
        <Card title={texts.launcher} about={texts.launcherAbout}>
          <LauncherFields {...props} />
        </Card>
        <Card title={texts.proactive} about={texts.proactiveAbout}>
          <ProactiveFields {...props} />
        </Card>
        <Card title={texts.preChat} about={texts.preChatAbout}>
          <PreChatFields {...props} />
        </Card>
        <Card title={texts.conversation}>
          <ConversationFields {...props} />
        </Card>
        <Card title={texts.allowedSites} about={texts.allowedSitesAbout}>
          <Textarea
            label={texts.allowedSitesField}
            description={texts.allowedSitesHint}
            autosize
            minRows={2}
            maxRows={8}
            value={draft.origins}
            error={problems.origin !== undefined && texts.badSite(problems.origin)}
            onChange={(event) => change({ origins: event.currentTarget.value })}
          />
        </Card>
      </SettingsForm>
      <div className="stack beside-end">
        <WidgetPreview config={previewConfig(bot, writeAppearance(draft))} />
        <Card title={texts.embed} about={overview.embedAbout}>
          <Snippet botId={bot.id} />
        </Card>
      </div>
    </div>
  )
}
