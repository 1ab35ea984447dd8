import type { Lead } from '@docent/contract'
import { Button, Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PlainText, WebLink } from '../../text/plain-text.tsx'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'

interface Props {
  botId: string
  lead: Lead | null
  onClose: () => void
  /** Left out for users who may not remove leads. */
  onRemove?: (lead: Lead) => void
}

export function leadName({ name, email, phone }: Lead, nameless: string): string {
  return name || email || phone || nameless
}

export function LeadDetails({ botId, lead, onClose, onRemove }: Props) {
  const { leads: texts } = useTexts()
  return (
    <Modal opened={lead !== null} onClose={onClose} title={texts.details}>
      {lead && (
        <div className="stack">
          <Facts lead={lead} />
          <div className="form-end">
            <Button component={Link} to={`/bots/${botId}/inbox/${lead.conversation_id}`}>
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
