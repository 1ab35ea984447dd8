import type { Lead } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button, Modal, Select } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useApiList } from '../../api.ts'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { PlainText, WebLink } from '../../text/plain-text.tsx'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot, useBotId } from '../bots/use-bot.ts'

export function LeadsPage() {
  const { leads: texts } = useTexts()
  const maySee = useHasRole('agent')
  if (maySee) return <Leads />
  return (
    <Page title={texts.title}>
      <EmptyState icon="lock" title={texts.needsAgent} about={texts.needsAgentAbout} />
    </Page>
  )
}

function Leads() {
  const { leads: texts, inbox, lists } = useTexts()
  const botId = useBotId()
  const mayRemove = useHasRole('editor')
  const navigate = useNavigate()
  const { lead: shownId, visitor } = useSearch({ strict: false }) as { lead?: string; visitor?: string }
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('-created_at')
  const [source, setSource] = useState<Lead['source'] | ''>('')
  const query = {
    sort: order as '-created_at',
    ...(q ? { q } : {}),
    ...(source ? { source } : {}),
    ...(visitor ? { visitor_id: visitor } : {}),
  }
  const leads = useApiList('GET /api/manage/v1/bots/{botId}/leads', { params: { botId }, query })
  const show = (id?: string) =>
    void navigate({ to: screenPath('leads', { botId }), search: (id ? { lead: id } : {}) as never, replace: true })
  const nameOf = (lead: Lead) => leadName(lead, texts.nameless)
  const remove = useConfirmedAction('DELETE /api/manage/v1/bots/{botId}/leads/{leadId}', {
    toRequest: ({ id }: Lead) => ({ params: { botId, leadId: id } }),
    done: texts.removed,
    title: (items) => (items.length > 1 ? lists.removeTitle(items.length) : texts.removeTitle),
    about: (items) => texts.removeAbout(items.slice(0, 5).map(nameOf).join(', ') + (items.length > 5 ? ' …' : '')),
    action: texts.remove,
    onDone: () => show(),
  })
  return (
    <Page title={texts.title} about={texts.about} wide>
      <DataList<Lead>
        label={texts.title}
        list={leads}
        idOf={({ id }) => id}
        nameOf={nameOf}
        onOpen={({ id }) => show(id)}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        isFiltered={source !== '' || visitor !== undefined}
        filters={
          (leads.items.length > 0 || q !== '' || source !== '') && (
            <Select
              aria-label={texts.anySource}
              data={[
                { value: '', label: texts.anySource },
                ...Object.entries(texts.source).map(([value, label]) => ({ value, label })),
              ]}
              value={source}
              onChange={(value) => setSource((value ?? '') as typeof source)}
            />
          )
        }
        csvUrl={`/api/manage/v1/bots/${botId}/leads?${new URLSearchParams({ ...query, format: 'csv' })}`}
        columns={[
          {
            label: inbox.name,
            sort: 'name',
            show: (lead) => <span dir="auto">{nameOf(lead)}</span>,
            value: ({ name }) => name,
          },
          {
            label: inbox.email,
            show: ({ email }) => <span className="one-line">{email ?? '–'}</span>,
            value: ({ email }) => email,
          },
          { label: inbox.phone, show: ({ phone }) => phone ?? '–', value: ({ phone }) => phone, isExtra: true },
          {
            label: texts.message,
            isExtra: true,
            show: ({ message }) => (
              <span className="clip" dir="auto">
                {message}
              </span>
            ),
            value: ({ message }) => message,
          },
          {
            label: texts.from,
            isExtra: true,
            show: (lead) => <span className="one-line">{texts.source[lead.source]}</span>,
            value: (lead) => texts.source[lead.source],
          },
          {
            label: texts.created,
            sort: 'created_at',
            show: ({ created_at }) => <Time time={created_at} />,
            value: ({ created_at }) => created_at,
          },
        ]}
        bulk={mayRemove ? [{ label: texts.remove, run: remove.ask, destroys: true }] : []}
        actions={(lead) => (
          <LeadMenu
            lead={lead}
            onOpen={() => navigate({ to: screenPath('botInbox', { botId, conversationId: lead.conversation_id }) })}
            {...(mayRemove ? { onRemove: () => void remove.ask([lead]) } : {})}
          />
        )}
        empty={<NoLeads botId={botId} />}
      />
      <LeadDetails
        botId={botId}
        lead={leads.items.find(({ id }) => id === shownId) ?? null}
        onClose={() => show()}
        {...(mayRemove ? { onRemove: (lead) => void remove.ask([lead]) } : {})}
      />
      {remove.dialog}
    </Page>
  )
}

function LeadMenu({ lead, onOpen, onRemove }: { lead: Lead; onOpen: () => void; onRemove?: () => void }) {
  const { leads: texts } = useTexts()
  return (
    <RowMenu
      name={leadName(lead, texts.nameless)}
      actions={[
        { icon: 'inbox', label: texts.open, onClick: onOpen },
        ...(onRemove ? [{ icon: 'trash' as const, label: texts.remove, onClick: onRemove, destroys: true }] : []),
      ]}
    />
  )
}

/** Explains how leads are collected, and whether this bot collects any. */
function NoLeads({ botId }: { botId: string }) {
  const { leads: texts } = useTexts()
  const { data: bot } = useBot()
  return (
    <EmptyState
      icon="lead"
      title={texts.emptyTitle}
      about={bot?.lead_form === null ? texts.off : texts.emptyAbout}
      action={
        <Button variant="default" component={Link} to={screenPath('handover', { botId })}>
          {texts.toSettings}
        </Button>
      }
    />
  )
}

interface DetailsProps {
  botId: string
  lead: Lead | null
  onClose: () => void
  /** Left out for users who may not remove leads. */
  onRemove?: (lead: Lead) => void
}

function leadName({ name, email, phone }: Lead, nameless: string): string {
  return name || email || phone || nameless
}

function LeadDetails({ botId, lead, onClose, onRemove }: DetailsProps) {
  const { leads: texts } = useTexts()
  return (
    <Modal opened={lead !== null} onClose={onClose} title={texts.details}>
      {lead && (
        <div className="stack">
          <Facts lead={lead} />
          <div className="form-end">
            <Button component={Link} to={screenPath('botInbox', { botId, conversationId: lead.conversation_id })}>
              {texts.open}
            </Button>
            {onRemove && (
              <Button variant="light" color="red" onClick={() => onRemove(lead)}>
                {texts.remove}
              </Button>
            )}
          </div>
        </div>
      )}
    </Modal>
  )
}

function Facts({ lead }: { lead: Lead }) {
  const { leads: texts, inbox } = useTexts()
  const facts: [label: string, value: ReactNode][] = [
    [inbox.name, lead.name],
    [inbox.email, lead.email && <a href={`mailto:${encodeURIComponent(lead.email)}`}>{lead.email}</a>],
    [inbox.phone, lead.phone && <a href={`tel:${lead.phone.replace(/[^+\d]/g, '')}`}>{lead.phone}</a>],
    [texts.message, lead.message && <PlainText text={lead.message} />],
    ...Object.entries(lead.fields),
    [texts.from, texts.source[lead.source]],
    [texts.consent, lead.consent ? texts.consented : texts.notConsented],
    [inbox.page, lead.page_url && <WebLink url={lead.page_url} />],
    [texts.created, <Time key="created" time={lead.created_at} format="dateTime" />],
    [
      texts.updated,
      lead.updated_at !== lead.created_at && <Time key="updated" time={lead.updated_at} format="dateTime" />,
    ],
  ]
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label} className="facts-row">
            <dt dir="auto">{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
