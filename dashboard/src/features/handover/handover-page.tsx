import type { Bot } from '@docent/contract'
import { Switch, Textarea } from '@mantine/core'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot } from '../bots/use-bot.ts'
import { texts as queue } from '../inbox/queue-texts.ts'
import { isHandoverValid, readHandover, writeHandover } from './handover-draft.ts'
import { HandoverFields } from './handover-fields.tsx'
import { LeadFields } from './lead-fields.tsx'
import { MailFields } from './mail-fields.tsx'
import { OfficeHours } from './office-hours.tsx'
import { TeamFields } from './team-fields.tsx'

export function HandoverPage() {
  const { handover: texts } = useTexts()
  const botQuery = useBot()
  return (
    <Page title={texts.title} about={texts.about}>
      {botQuery.error ? (
        <LoadError error={botQuery.error} onRetry={() => botQuery.refetch()} />
      ) : botQuery.data ? (
        <HandoverForm key={botQuery.data.id} bot={botQuery.data} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function HandoverForm({ bot }: { bot: Bot }) {
  const { handover: texts } = useTexts()
  const { draft, change, form } = useBotDraft(bot, readHandover, writeHandover)
  return (
    <SettingsForm {...form} valid={isHandoverValid(draft)}>
      <Card split title={texts.section} about={texts.sectionAbout}>
        <HandoverFields draft={draft} change={change} />
      </Card>
      {draft.enabled && (
        <Card split title={queue.team} about={queue.teamAbout}>
          <TeamFields draft={draft} change={change} />
        </Card>
      )}
      {draft.enabled && (
        <Card split title={texts.hours} about={texts.hoursAbout}>
          <OfficeHours draft={draft} change={change} />
        </Card>
      )}
      <Card split title={texts.leads} about={texts.leadsAbout}>
        <Switch
          label={texts.leadsOn}
          checked={draft.asksForLeads}
          onChange={(event) => change({ asksForLeads: event.currentTarget.checked })}
        />
        {draft.asksForLeads && (
          <>
            <Textarea
              label={texts.intro}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={500}
              value={draft.intro}
              onChange={(event) => change({ intro: event.currentTarget.value })}
            />
            <LeadFields fields={draft.fields} onChange={(fields) => change({ fields })} />
            <Textarea
              label={texts.consent}
              description={texts.consentHint}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={1000}
              value={draft.consent}
              onChange={(event) => change({ consent: event.currentTarget.value })}
            />
          </>
        )}
      </Card>
      <Card split title={texts.mails} about={texts.mailsAbout}>
        <MailFields draft={draft} change={change} />
      </Card>
    </SettingsForm>
  )
}
