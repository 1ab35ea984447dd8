import type { Bot } from '@docent/contract'
import { Switch, Textarea } from '@mantine/core'
import { useMessages } from '../messages/messages.tsx'
import { Card } from '../parts/card.tsx'
import { Failed } from '../parts/failed.tsx'
import { HandoverFields } from '../parts/handover-fields.tsx'
import { LeadFields } from '../parts/lead-fields.tsx'
import { LoadingRows } from '../parts/loading.tsx'
import { OfficeHours } from '../parts/office-hours.tsx'
import { Page } from '../parts/page.tsx'
import { isSound, readPeople, writePeople } from '../parts/people-draft.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { useBot } from '../parts/use-bot.ts'
import { useDraft } from '../parts/use-draft.ts'

export function PeoplePage() {
  const { handover: words } = useMessages()
  const read = useBot()
  return (
    <Page title={words.title} about={words.about}>
      {read.error ? (
        <Failed error={read.error} onRetry={() => read.refetch()} />
      ) : read.data ? (
        <People key={read.data.id} bot={read.data} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function People({ bot }: { bot: Bot }) {
  const { handover: words } = useMessages()
  const { draft, change, form } = useDraft(bot, readPeople, writePeople)
  return (
    <SettingsForm {...form} valid={isSound(draft)}>
      <Card split title={words.section} about={words.sectionAbout}>
        <HandoverFields draft={draft} change={change} />
      </Card>
      {draft.enabled && (
        <Card split title={words.hours} about={words.hoursAbout}>
          <OfficeHours draft={draft} change={change} />
        </Card>
      )}
      <Card split title={words.leads} about={words.leadsAbout}>
        <Switch
          label={words.leadsOn}
          checked={draft.asksForLeads}
          onChange={(event) => change({ asksForLeads: event.currentTarget.checked })}
        />
        {draft.asksForLeads && (
          <>
            <Textarea
              label={words.intro}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={500}
              value={draft.intro}
              onChange={(event) => change({ intro: event.currentTarget.value })}
            />
            <LeadFields fields={draft.fields} onChange={(fields) => change({ fields })} />
            <Textarea
              label={words.consent}
              description={words.consentHint}
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
    </SettingsForm>
  )
}
