// What happened in a workspace, and who did it.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, PageQuery, Timestamp } from '../schema.ts'

export const auditActions = [
  'login.succeeded',
  'login.failed',
  'logout',
  'session.ended',
  'email.changed',
  'password.changed',
  'password.reset',
  'two_factor.enabled',
  'two_factor.disabled',
  'recovery_code.used',
  'recovery_codes.renewed',
  'member.added',
  'member.changed',
  'member.removed',
  'member.invited',
  'member.joined',
  'invitation.withdrawn',
  'reset_link.made',
  'token.created',
  'token.revoked',
  'key.created',
  'key.changed',
  'key.revoked',
  'key.rotated',
  'sync_key.rotated',
  'bot.created',
  'bot.changed',
  'bot.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'notification_channel.created',
  'notification_channel.changed',
  'notification_channel.deleted',
  'documents.imported',
  'document.deleted',
  'files.uploaded',
  'file.deleted',
  'answer.created',
  'answer.changed',
  'answer.deleted',
  'answers.imported',
  'crawl.created',
  'crawl.changed',
  'crawl.deleted',
  'crawl.started',
  'crawl.stopped',
  'products.removed',
  'conversation.taken_over',
  'conversation.handed_back',
  'lead.deleted',
  'visitor.erased',
  'workspace.created',
  'workspace.changed',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Found in what was done, to what, by whom and from where.' }),
  ),
})

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    actor: Type.String({ description: 'An e-mail address, with the name of the token if one was used.' }),
    action: OneOf(auditActions),
    target: Nullable(Type.String({ description: 'What it was done to.' })),
    ip: Nullable(Type.String()),
  },
  { $id: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>
