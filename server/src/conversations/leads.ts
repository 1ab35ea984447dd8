// Handles a submitted lead form.
import { type ErrorDetail, type EventData, Fault, type LeadForm, type LeadInput } from '@docent/contract'
import { phoneNumber, regionOf } from '../answers/understand/contact-details.ts'
import { timedId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { ConversationRecord } from '../storage/conversations.ts'
import type { Queries } from '../storage/database.ts'
import type { LeadRecord } from '../storage/leads.ts'
import { conversationEvent, turnEvents } from './conversation-events.ts'
import type { ConversationsContext } from './conversations-context.ts'
import { conversationOf, findSession, type Recognised, requireOwner, retryOnConflict } from './visitors.ts'
import { type BrowserHeaders, newVisit } from './visits.ts'

interface LeadCall {
  bot: BotRecord
  caller: Recognised
  request: LeadInput
  headers: BrowserHeaders
  onNew: () => Promise<void>
}

type LeaveLead = (call: LeadCall) => Promise<{ sessionId: string; token: string | null; leadId: string }>

const OWN_FIELDS = ['name', 'email', 'phone', 'message']
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

export function makeLeaveLead(context: ConversationsContext): LeaveLead {
  const { live, onEvents, clock, storage } = context
  const { conversations, deliveries, leads } = storage

  return retryOnConflict(async ({ bot, caller, request, headers, onNew }) => {
    const form = request.form === 'pre_chat' ? bot.widget.look.pre_chat : bot.widget.leadForm
    if (!form) throw new Fault('not_found')
    const values = checkedValues(form, request)
    const { name = null, email = null, phone = null, message = null } = values
    const fields = Object.fromEntries(Object.entries(values).filter(([field]) => !OWN_FIELDS.includes(field)))
    const contact = { sessionId: request.session_id, caller, locale: request.locale }
    const session = await findSession(
      context,
      bot,
      { ...contact, ...(name ? { name } : {}), ...(email ? { email } : {}) },
      onNew,
    )
    requireOwner(session)
    const conversation = conversationOf(bot, session, request, clock())
    const events = session.known === null && bot.reportsEvents ? turnEvents(conversation, [], true) : []
    const visit = newVisit(conversation, session.known, request, headers, clock())
    const together = [...events.map(deliveries.toSubscribers), ...visit]
    let leadId = ''
    await conversations.recordTurn(conversation, [], together, async (tx) => {
      await session.save(tx)
      leadId = await captureLead(context, tx, {
        conversation,
        visitorId: session.visitorId,
        isOwner: true,
        source: 'form' as const,
        pageUrl: request.page_url ?? null,
        details: { name, email, phone, message, fields },
        consent: request.consent === true,
      })
      if (request.form !== 'pre_chat')
        await leads.saveForm(tx, {
          botId: bot.id,
          id: timedId('frm', clock()),
          conversationId: conversation.id,
          fields: form.fields.flatMap(({ name, label }) => {
            const value = values[name]
            return value ? [{ name, label, value }] : []
          }),
        })
    })
    onEvents(bot.id)
    live.publish({ botId: bot.id, conversationId: conversation.id, kind: 'lead' })
    return { sessionId: session.sessionId, token: session.token, leadId }
  })
}

/** The validated fields of the form; others are dropped. */
function checkedValues(form: LeadForm, { fields, consent, locale }: LeadInput): Record<string, string> {
  const details: ErrorDetail[] = []
  const values: Record<string, string> = {}
  for (const { name, type, required } of form.fields) {
    const enteredValue = fields[name]?.trim() ?? ''
    const path = `fields.${name}`
    if (enteredValue === '') {
      if (required) details.push({ path, message: 'This field is required.' })
      continue
    }
    const value = type === 'phone' ? phoneNumber(enteredValue, regionOf(locale)) : enteredValue
    if (value === null) details.push({ path, message: 'Enter a phone number.' })
    else if (type === 'email' && !(EMAIL.test(value) && value.length <= 254))
      details.push({ path, message: 'Enter an email address.' })
    else values[name] = value
  }
  if (form.consent_text && consent !== true) details.push({ path: 'consent', message: 'Consent is required.' })
  if (details.length > 0) throw new Fault('validation_failed', { details })
  return values
}

// Saves contact details from the form or a message: one lead per visitor, reported when there is something new.

interface NewLead {
  conversation: Pick<ConversationRecord, 'botId' | 'id' | 'sessionId' | 'visitor'>
  visitorId: string
  /** Whether the caller has the visitor's token: nobody else may change what the visitor left. */
  isOwner: boolean
  details: Pick<LeadRecord, 'name' | 'email' | 'phone' | 'message' | 'fields'>
  source: LeadRecord['source']
  consent: boolean
  pageUrl: string | null
}

/** Returns the lead's id, even when there was nothing new. */
export async function captureLead(
  { storage, clock }: ConversationsContext,
  tx: Queries,
  { conversation, visitorId, isOwner, details, source, consent, pageUrl }: NewLead,
): Promise<string> {
  const { leads, deliveries } = storage
  const now = clock()
  const newLead = {
    ...details,
    botId: conversation.botId,
    id: timedId('led', now),
    visitorId,
    conversationId: conversation.id,
    source,
    consent,
    pageUrl,
    createdAt: now,
    updatedAt: now,
  }
  const { lead, change } = await leads.capture(tx, newLead, isOwner)
  if (change) {
    const type = change === 'created' ? 'lead.created' : 'lead.updated'
    const event = conversationEvent(type, withClaimedVisitor(conversation), { lead: toWire(lead) }, now)
    await deliveries.report(tx, event)
  }
  return lead.id
}

/** A visitor who leaves contact details is no longer anonymous. */
function withClaimedVisitor(conversation: NewLead['conversation']): NewLead['conversation'] {
  const { visitor } = conversation
  return visitor?.level === 'anonymous' ? { ...conversation, visitor: { ...visitor, level: 'claimed' } } : conversation
}

function toWire(lead: LeadRecord): EventData['lead.created']['lead'] {
  const { id, name, email, phone, message, fields, source, pageUrl } = lead
  return { id, name, email, phone, message, fields, source, page_url: pageUrl }
}
