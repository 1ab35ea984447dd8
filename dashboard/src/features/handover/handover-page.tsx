import type { Bot } from '@docent/contract'
import { MultiSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot } from '../bots/use-bot.ts'
import { texts as queue } from '../inbox/queue-texts.ts'
import { INSTANCE_OWNER, useTeam } from '../inbox/use-team.ts'
import {
  type HandoverDraft,
  hasTooManyKeywords,
  isHandoverValid,
  readHandover,
  writeHandover,
} from './handover-draft.ts'
import { LeadFields } from './lead-fields.tsx'
import { Periods, Timezone } from './periods.tsx'

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

interface FieldsProps {
  draft: HandoverDraft
  change: (part: Partial<HandoverDraft>) => void
}

function HandoverFields({ draft, change }: FieldsProps) {
  const { handover: texts } = useTexts()
  return (
    <>
      <Switch
        label={texts.enabled}
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      {draft.enabled && (
        <>
          <Switch
            label={texts.onLowConfidence}
            checked={draft.onLowConfidence}
            onChange={(event) => change({ onLowConfidence: event.currentTarget.checked })}
          />
          <Textarea
            label={texts.keywords}
            description={texts.keywordsHint}
            autosize
            minRows={2}
            maxRows={8}
            value={draft.keywords}
            error={hasTooManyKeywords(draft.keywords) && texts.tooManyWords}
            onChange={(event) => change({ keywords: event.currentTarget.value })}
          />
          <NumberInput
            label={texts.wait}
            min={10}
            max={3600}
            allowDecimal={false}
            clampBehavior="blur"
            value={draft.wait}
            onChange={(value) => typeof value === 'number' && change({ wait: value })}
          />
          <NumberInput
            label={queue.target}
            description={queue.targetHint}
            min={1}
            max={10_080}
            allowDecimal={false}
            clampBehavior="blur"
            value={draft.responseMinutes ?? ''}
            onChange={(value) => change({ responseMinutes: typeof value === 'number' ? value : null })}
          />
        </>
      )}
    </>
  )
}

/** Who takes the conversations of the bot. */
function TeamFields({ draft, change }: FieldsProps) {
  const agents = useTeam().agents.filter(({ id }) => id !== INSTANCE_OWNER)
  const agentIds = new Set(agents.map(({ id }) => id))
  return (
    <>
      <MultiSelect
        label={queue.teamMembers}
        description={queue.teamHint}
        placeholder={draft.team.length === 0 ? queue.everyone : ''}
        searchable
        data={agents.map(({ id, name }) => ({ value: id, label: name }))}
        // Who has left the workspace counts no more.
        value={draft.team.filter((id) => agentIds.has(id))}
        onChange={(team) => change({ team })}
      />
      <Switch
        label={queue.autoAssign}
        description={queue.autoAssignHint}
        checked={draft.autoAssign}
        onChange={(event) => change({ autoAssign: event.currentTarget.checked })}
      />
    </>
  )
}

function OfficeHours({ draft, change }: FieldsProps) {
  const { handover: texts } = useTexts()
  const { openings } = draft
  return (
    <>
      <Switch
        label={texts.within}
        checked={draft.hasHours}
        onChange={(event) => change({ hasHours: event.currentTarget.checked })}
      />
      {draft.hasHours && (
        <>
          <Timezone timezone={draft.timezone} onChange={(timezone) => change({ timezone })} />
          {openings.length === 0 && <Notice tone="warn">{texts.noHours}</Notice>}
          <Periods periods={openings} onChange={(periods) => change({ openings: periods })} />
        </>
      )}
    </>
  )
}

function MailFields({ draft, change }: FieldsProps) {
  const { handover: texts, notifications } = useTexts()
  const { smtp } = useSession()
  return (
    <>
      {!smtp && <Notice tone="warn">{notifications.noSmtp}</Notice>}
      <Switch
        label={texts.mailReplies}
        description={texts.mailRepliesHint}
        checked={draft.mailsReplies}
        onChange={(event) => change({ mailsReplies: event.currentTarget.checked })}
      />
      <Switch
        label={texts.mailTranscripts}
        checked={draft.mailsTranscripts}
        onChange={(event) => change({ mailsTranscripts: event.currentTarget.checked })}
      />
      <TextInput
        type="email"
        label={texts.replyTo}
        description={texts.replyToHint}
        maxLength={254}
        value={draft.replyTo}
        onChange={(event) => change({ replyTo: event.currentTarget.value })}
      />
    </>
  )
}
