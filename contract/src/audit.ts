// What happened in a workspace, and who did it.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from './schema.ts'

export const auditActions = [
  'login.succeeded',
  'login.failed',
  'logout',
  'session.ended',
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
  'visitor.erased',
  'workspace.created',
  'workspace.changed',
] as const
export type AuditAction = (typeof auditActions)[number]

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
