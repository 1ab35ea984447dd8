// Which response a caller must get from an operation: the access rules, written independently of the server.
import { ROLES, type RouteSpec } from '@docent/contract'
import type { TestCaller } from './callers.ts'

/** A code of the catalogue; or let in: then the request decides. */
export type Expected = 'let in' | { status: number; code: string }

const refusal = (status: number, code: string): Expected => ({ status, code })

export function expectedAnswer(name: string, spec: RouteSpec, caller: TestCaller): Expected {
  const { shows, of } = caller
  switch (spec.caller) {
    case 'anyone':
      // A page of another site must not log its visitors in or out.
      if (shows === 'foreign session' && spec.errors.includes('cross_site_request'))
        return refusal(403, 'cross_site_request')
      return 'let in'
    case 'operator':
    case 'widget':
      return 'let in'
    case 'chat_key':
      if (shows !== 'chat key' || of === 'nobody') return refusal(401, 'invalid_api_key')
      return of === 'own' || BOT_OF_KEY.has(name) ? 'let in' : refusal(404, 'bot_not_found')
    case 'sync_key':
      return shows === 'sync key' ? 'let in' : refusal(401, 'invalid_sync_key')
    case 'visitor':
      return shows === 'visitor token' && of === 'own' ? 'let in' : refusal(401, 'invalid_visitor_token')
    case 'session':
      if (shows === 'session') return 'let in'
      if (shows === 'foreign session' && !reads(name)) return refusal(403, 'cross_site_request')
      return shows === 'foreign session' ? 'let in' : refusal(401, 'invalid_management_token')
    default:
      return ofManager(name, spec, caller)
  }
}

function ofManager(name: string, spec: RouteSpec, { shows, of, role, isInstanceOwner }: TestCaller): Expected {
  if (!role && !isInstanceOwner) return refusal(401, 'invalid_management_token')
  if (shows === 'foreign session' && !reads(name)) return refusal(403, 'cross_site_request')
  const isForOthers = shows === 'session' && forThemselves.has(name)
  if (isInstanceOwner) return isForOthers ? refusal(403, 'role_required') : 'let in'
  if (spec.caller === 'instance_owner') return refusal(403, 'role_required')
  const isEnough = role !== null && ROLES.indexOf(role) >= ROLES.indexOf(spec.role ?? 'viewer')
  if (!isEnough) return refusal(403, 'role_required')
  if (of === 'other' && name.includes('{botId}')) return refusal(404, 'bot_not_found')
  if (of === 'other' && name.includes('{workspaceId}')) return refusal(404, 'not_found')
  if (shows === 'token' && needsPerson.has(name)) return refusal(403, 'reauthentication_required')
  if (isForOthers) return refusal(403, 'role_required')
  return 'let in'
}

/** The key alone says which bot is asked. */
const BOT_OF_KEY = new Set([
  'POST /v1/chat/completions',
  'POST /v1/responses',
  'GET /v1/models',
  'GET /v1/models/{modelId}',
  'POST /mcp',
])

/** Whatever they are sent, a management token is not enough. */
const MEMBER = '/api/manage/v1/workspaces/{workspaceId}/members/{memberId}'
const needsPerson = new Set([`POST ${MEMBER}/tokens`, `POST ${MEMBER}/reset-link`])
/** The member of the request is nobody of the callers, and people make tokens for themselves only. */
const forThemselves = new Set([`POST ${MEMBER}/tokens`])

function reads(name: string): boolean {
  return name.startsWith('GET ')
}
