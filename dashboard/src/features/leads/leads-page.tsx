import type { Lead } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct, useList } from '../../api.ts'
import { Confirm } from '../../forms/confirm.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Row } from '../../ui/rows.tsx'
import { useBot, useBotId } from '../bots/use-bot.ts'
import { LeadDetails, leadName } from './lead-details.tsx'

export function LeadsPage() {
  const { leads: words } = useMessages()
  const maySee = useMay('agent')
  if (maySee) return <Leads />
  return (
    <Page title={words.title}>
      <Empty icon="lock" title={words.needsAgent} about={words.needsAgentAbout} />
    </Page>
  )
}

function Leads() {
  const { leads: words } = useMessages()
  const botId = useBotId()
  const mayRemove = useMay('editor')
  const navigate = useNavigate()
  const { lead: shownId, visitor } = useSearch({ strict: false }) as { lead?: string; visitor?: string }
  const [removing, setRemoving] = useState<Lead | null>(null)
  const leads = useList('GET /api/manage/v1/bots/{botId}/leads', {
    params: { botId },
    query: visitor ? { visitor_id: visitor } : {},
  })
  const show = (id?: string) =>
    void navigate({ to: `/bots/${botId}/leads`, search: (id ? { lead: id } : {}) as never, replace: true })
  const remove = useAct('DELETE /api/manage/v1/bots/{botId}/leads/{leadId}', {
    done: words.removed,
    onDone: () => {
      setRemoving(null)
      show()
    },
  })
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        leads.items.length > 0 && (
          <Button
            variant="default"
            component="a"
            href={`/api/manage/v1/bots/${botId}/leads?format=csv`}
            download="leads.csv"
            leftSection={<Icon name="download" size={18} />}
          >
            {words.export}
          </Button>
        )
      }
    >
      <List label={words.title} list={leads} empty={<NoLeads botId={botId} />}>
        {(lead) => (
          <Row
            key={lead.id}
            title={<span dir="auto">{leadName(lead, words.nameless)}</span>}
            onOpen={() => show(lead.id)}
            meta={[
              lead.name && lead.email,
              lead.phone,
              words.source[lead.source],
              <Time key="time" time={lead.created_at} />,
            ]}
            end={
              <LeadMenu
                lead={lead}
                onOpen={() => navigate({ to: `/bots/${botId}/inbox/${lead.conversation_id}` })}
                {...(mayRemove ? { onRemove: () => setRemoving(lead) } : {})}
              />
            }
          >
            {lead.message && (
              <p className="lead-text small" dir="auto">
                {lead.message}
              </p>
            )}
          </Row>
        )}
      </List>
      <LeadDetails
        botId={botId}
        lead={leads.items.find(({ id }) => id === shownId) ?? null}
        onClose={() => show()}
        {...(mayRemove ? { onRemove: setRemoving } : {})}
      />
      <Confirm
        opened={removing !== null}
        title={words.removeTitle}
        action={words.remove}
        pending={remove.isPending}
        onClose={() => setRemoving(null)}
        onConfirm={() => removing && remove.mutate({ params: { botId, leadId: removing.id } })}
      >
        {removing && words.removeAbout(leadName(removing, words.nameless))}
      </Confirm>
    </Page>
  )
}

function LeadMenu({ lead, onOpen, onRemove }: { lead: Lead; onOpen: () => void; onRemove?: () => void }) {
  const { leads: words } = useMessages()
  return (
    <RowMenu
      of={leadName(lead, words.nameless)}
      actions={[
        { icon: 'inbox', label: words.open, onClick: onOpen },
        ...(onRemove ? [{ icon: 'trash' as const, label: words.remove, onClick: onRemove, destroys: true }] : []),
      ]}
    />
  )
}

/** Says how leads come, and whether this bot asks for any. */
function NoLeads({ botId }: { botId: string }) {
  const { leads: words } = useMessages()
  const { data: bot } = useBot()
  return (
    <Empty
      icon="lead"
      title={words.emptyTitle}
      about={bot?.lead_form === null ? words.off : words.emptyAbout}
      action={
        <Button variant="default" component={Link} to={`/bots/${botId}/settings/people`}>
          {words.toSettings}
        </Button>
      }
    />
  )
}
