// Contact details that visitors left.
import type { Static } from 'typebox'
import { MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Id, ListQuery, Nullable, OneOf, Page, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const LEAD_SOURCES = ['form', 'message'] as const

export const Lead = Type.Object(
  {
    id: Type.String(),
    visitor_id: Type.String(),
    conversation_id: Type.String(),
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    message: Nullable(Type.String()),
    fields: Type.Record(Type.String(), Type.String(), { description: "Further fields of the bot's lead form." }),
    source: OneOf(LEAD_SOURCES, { description: 'From the form, or from a message.' }),
    consent: Type.Boolean({ description: 'Whether the consent box was ticked.' }),
    page_url: Nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Lead' },
)
export type Lead = Static<typeof Lead>

const LeadsQuery = Type.Object({
  ...ListQuery(['created_at', 'name'], { found: 'name, address, number or message', sort: '-created_at' }).properties,
  source: Type.Optional(OneOf(LEAD_SOURCES)),
  visitor_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only leads of this visitor.' })),
  format: Type.Optional(OneOf(['json', 'csv'], { description: '`csv` returns all of them at once. Default: json.' })),
})

const ofLead = Params({ botId: Id, leadId: Id })

export const leadRoutes = {
  'GET /api/manage/v1/bots/{botId}/leads': {
    summary: 'List the leads, newest first',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofBot,
    query: LeadsQuery,
    status: 200,
    response: Page(Lead),
    alternative: { type: 'text/csv', schema: Type.String() },
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/leads/{leadId}': {
    summary: 'Delete a lead',
    tag: 'Inbox',
    caller: 'management',
    role: 'editor',
    params: ofLead,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'lead.deleted',
  },
} as const satisfies Record<string, RouteSpec>
