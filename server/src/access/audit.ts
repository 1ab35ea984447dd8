// A workspace's audit log. Written after the action; a failed write goes to the server log.
import { isDeepStrictEqual } from 'node:util'
import { type AuditAction, type BodyOf, type RouteName, type RouteSpec, type Routes, routes } from '@docent/contract'
import type { Context } from '../context.ts'
import { timedId } from '../ids.ts'

const LONGEST_TARGET = 300

/** The part of a request that identifies the actor. */
export interface Actor {
  caller: { actor: string }
  request: { ip: string }
}

export type Audit = ReturnType<typeof openAudit>

export function openAudit({ storage: { auditEntries }, clock, onError }: Context) {
  const entry = (actor: string, ip: string, action: AuditAction, target: string | null) => {
    const at = clock()
    return { id: timedId('aud', at), at, actor, action, target: target?.slice(0, LONGEST_TARGET) ?? null, ip }
  }
  return {
    record({ caller, request }: Actor, workspaceId: string, action: AuditAction, target: string | null = null) {
      return auditEntries.insert(workspaceId, entry(caller.actor, request.ip, action, target)).catch(onError)
    },

    /** An account's action, in every workspace it belongs to. */
    recordForAccount(
      account: { id: string; email: string },
      ip: string,
      action: AuditAction,
      target: string | null = null,
    ) {
      return auditEntries.insertForAccount(account.id, entry(account.email, ip, action, target)).catch(onError)
    },
  }
}

/** The changed fields, limited to those the route knows. */
export function namedFields<R extends RouteName>(name: R, body: BodyOf<Routes[R]>): string {
  const { body: schema }: RouteSpec = routes[name]
  const fields = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  return fields.filter((field) => field in (body as object)).join(', ')
}

/** The target of a change: what was changed, and which of its settings. */
export function changeTitle(title: string, before: object, after: object): string {
  const fields = changedFields(before, after)
  return fields ? `${title}: ${fields}` : title
}

/** What differs, by name and never by value; of settings in groups, the setting of the group. */
export function changedFields(before: object, after: object): string {
  return differences(before, after)
    .flatMap(({ field, old, value }) =>
      isGroup(old) && isGroup(value) ? differences(old, value).map((inner) => `${field}.${inner.field}`) : [field],
    )
    .join(', ')
}

function differences(before: object, after: object) {
  const [olds, values] = [before as Record<string, unknown>, after as Record<string, unknown>]
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .map((field) => ({ field, old: olds[field], value: values[field] }))
    .filter(({ old, value }) => !isDeepStrictEqual(old, value))
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const LONGEST_NAME = 120

/** The target in an entry: what people call it, then its id, which must not be cut off. */
export function titleOf({ id, name }: { id: string; name: string }): string {
  return `${name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name} (${id})`
}

/** Of something known by its address, without the path, which may contain a secret. */
export function hostTitle({ id, url }: { id: string; url: string }): string {
  return titleOf({ id, name: URL.canParse(url) ? new URL(url).host : 'unknown address' })
}
