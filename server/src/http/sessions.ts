// Set-up, log-in, log-out, and the current session.
import { type AccountSession, Fault, type Session, TEAM_LANGUAGES, type TeamLanguage } from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireOwnSite } from '../access/cookies.ts'
import type { Access } from '../access/open-access.ts'
import type { ClientDetails, StartedSession } from '../access/sessions.ts'
import type { Context } from '../context.ts'
import type { PresentedSession, SessionRecord } from '../storage/sessions.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

/** Starts a session with `begin` and sets its cookie. */
export type Admit = (
  incoming: { request: FastifyRequest; reply: FastifyReply },
  begin: (client: ClientDetails) => Promise<StartedSession>,
) => Promise<Session>

type ShapeSession = (session: PresentedSession) => Promise<Session>

/** Starts a session with `begin` and returns its cookies. */
export function makeOpenSession(access: Pick<Access, 'cookie' | 'devices'>) {
  return async (request: FastifyRequest, begin: (client: ClientDetails) => Promise<StartedSession>) =>
    (await open(access, request, begin)).cookies
}

export function makeAdmit(access: Pick<Access, 'cookie' | 'devices' | 'siteOf'>, shape: ShapeSession): Admit {
  return async ({ request, reply }, begin) => {
    requireOwnSite(access.siteOf(request.headers))
    const { cookies, session } = await open(access, request, begin)
    reply.header('set-cookie', cookies)
    return shape(session)
  }
}

async function open(
  { cookie, devices }: Pick<Access, 'cookie' | 'devices'>,
  { ip, headers }: FastifyRequest,
  begin: (client: ClientDetails) => Promise<StartedSession>,
) {
  const device = devices.read(headers.cookie)
  const client = { ip, userAgent: headers['user-agent'] ?? '', oldToken: cookie.read(headers.cookie), device }
  const { token, session } = await begin(client)
  const cookies = [cookie.write(token, headers.host), devices.write(session.account.id, device, headers.host)]
  return { cookies, session }
}

/** The session, and what pages need to know about the installation. */
export function makeSessionShape(
  { config, sendMail }: Context,
  { ownWorkspaces, ssoName }: Pick<Access, 'ownWorkspaces' | 'ssoName'>,
): ShapeSession {
  const { fileMaxBytes, attachmentMaxBytes, actionTimeoutMs } = config
  // Null: the same host as the rest.
  const widgetBaseUrl = config.widgetBaseUrl === config.baseUrl ? null : config.widgetBaseUrl
  return async ({ account, workspaceId }) => {
    const { id, email, name, twoFactor, sso, instanceOwner } = account
    const all = await ownWorkspaces.list(account, workspaceId)
    return {
      account: { id, email, name, two_factor: twoFactor, sso },
      instance_owner: instanceOwner,
      workspace_id: all.some((workspace) => workspace.id === workspaceId) ? workspaceId : null,
      workspaces: all.map(({ id, name, plan, role }) => ({ id, name, plan, role })),
      sso_name: ssoName,
      smtp: sendMail !== null,
      widget_base_url: widgetBaseUrl,
      file_max_bytes: fileMaxBytes,
      attachment_max_bytes: attachmentMaxBytes,
      action_timeout_seconds: actionTimeoutMs / 1000,
    }
  }
}

export function sessionRoutes(
  route: Route,
  { storage }: Context,
  { access }: Pick<Modules, 'access'>,
  { admit, shape }: { admit: Admit; shape: ShapeSession },
) {
  const { accounts } = storage
  const { sessions, setUp, logIn, ownWorkspaces, cookie, audit, reauthenticate } = access

  async function choose(session: PresentedSession, workspaceId: string): Promise<Session> {
    await sessions.selectWorkspace(session.account.id, session.id, workspaceId)
    return shape({ ...session, workspaceId })
  }

  route('GET /api/manage/v1/setup', async () => ({
    needed: await setUp.isNeeded(),
    password_login: access.passwordLogin,
    sso_name: access.ssoName,
  }))

  route('POST /api/manage/v1/setup', async (incoming) => admit(incoming, (client) => setUp.run(incoming.body, client)))

  route('POST /api/manage/v1/session', async (incoming) => admit(incoming, (client) => logIn(incoming.body, client)))

  route('GET /api/manage/v1/session', async ({ caller, request }) => {
    const language = acceptedLanguage(request.headers['accept-language'])
    if (language && language !== caller.account.language) await accounts.setLanguage(caller.account.id, language)
    const session = await shape(caller)
    // A person removed from the chosen workspace continues in another.
    const next = session.workspace_id === null ? await ownWorkspaces.first(caller.account) : null
    return next === null ? session : choose(caller, next)
  })

  route('PATCH /api/manage/v1/session', async ({ caller, body }) => {
    const workspace = await ownWorkspaces.find(caller.account, body.workspace_id)
    if (!workspace) throw new Fault('not_found')
    return choose(caller, workspace.id)
  })

  route('POST /api/manage/v1/session/reauthenticate', async ({ caller, body, request }) => {
    const account = await accounts.find(caller.account.id)
    if (!account) throw new Fault('not_found')
    await reauthenticate(account, { id: caller.id, ip: request.ip }, body)
    return undefined
  })

  route('DELETE /api/manage/v1/session', async ({ caller, request, reply }) => {
    await sessions.end(caller.account.id, caller.id)
    reply.header('set-cookie', cookie.clear(request.headers.host))
    await audit.recordForAccount(caller.account, request.ip, 'logout')
    return undefined
  })

  route('GET /api/manage/v1/account/sessions', async ({ caller, query }) => {
    const list = (after: string, limit: number) => sessions.list(caller.account.id, after, limit)
    return page(query, list, (record) => toAccountSession(record, caller.id))
  })

  route('DELETE /api/manage/v1/account/sessions/{sessionId}', async ({ caller, params, request }) => {
    if (!(await sessions.end(caller.account.id, params.sessionId))) throw new Fault('not_found')
    await audit.recordForAccount(caller.account, request.ip, 'session.ended')
    return undefined
  })
}

/** The first that our emails are written in. */
function acceptedLanguage(header = ''): TeamLanguage | undefined {
  const codes = header.split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return codes.find((code): code is TeamLanguage => Object.hasOwn(TEAM_LANGUAGES, code))
}

function toAccountSession(record: SessionRecord, currentId: string): AccountSession {
  return {
    id: record.id,
    current: record.id === currentId,
    created_at: timestamp(record.createdAt),
    last_seen_at: timestamp(record.lastSeenAt),
    ip: record.ip,
    user_agent: record.userAgent,
  }
}
