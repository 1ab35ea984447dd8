// Saves contact details from the form or a message: one lead per visitor, reported when there is something new.
import type { EventData } from '@docent/contract'
import { timedId } from '../../ids.ts'
import type { Queries } from '../../storage/database.ts'
import type { DeliveriesTable } from '../../storage/deliveries.ts'
import type { LeadRecord, LeadsTable } from '../../storage/leads.ts'
import { conversationEvent } from '../conversation-events.ts'

export interface NewLead {
  conversation: { botId: string; id: string; sessionId: string }
  visitorId: string
  /** Whether the caller has the visitor's token: nobody else may change what the visitor left. */
  isOwner: boolean
  details: Pick<LeadRecord, 'name' | 'email' | 'phone' | 'message' | 'fields'>
  source: LeadRecord['source']
  consent: boolean
  pageUrl: string | null
}

/** Returns the lead's id, even when there was nothing new. */
export type CaptureLead = (tx: Queries, lead: NewLead) => Promise<string>

interface Deps {
  leads: Pick<LeadsTable, 'capture'>
  deliveries: Pick<DeliveriesTable, 'report'>
  clock: () => number
}

export function createCaptureLead({ leads, deliveries, clock }: Deps): CaptureLead {
  return async (tx, { conversation, visitorId, isOwner, details, source, consent, pageUrl }) => {
    const now = clock()
    const given = {
      ...details,
      ...{ botId: conversation.botId, id: timedId('led', now), visitorId, conversationId: conversation.id },
      ...{ source, consent, pageUrl, createdAt: now, updatedAt: now },
    }
    const { lead, change } = await leads.capture(tx, given, isOwner)
    if (change) {
      const type = change === 'created' ? 'lead.created' : 'lead.updated'
      const event = conversationEvent(type, conversation, { lead: toWire(lead) }, now)
      await deliveries.report(tx, event)
    }
    return lead.id
  }
}

function toWire(lead: LeadRecord): EventData['lead.created']['lead'] {
  const { id, name, email, phone, message, fields, source, pageUrl } = lead
  return { id, name, email, phone, message, fields, source, page_url: pageUrl }
}
