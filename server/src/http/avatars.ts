// Public avatars: of the bot and its team, uploaded by editors, and of members, uploaded by themselves.
import { AVATAR_BYTES, Fault } from '@docent/contract'
import type { FastifyReply } from 'fastify'
import type { Manager } from '../access/managers.ts'
import { avatarOf, uploadAvatar } from '../bots/avatars.ts'
import type { Context } from '../context.ts'
import { randomId } from '../ids.ts'
import type { Modules } from './modules.ts'
import { readFile, stagingFolderOf } from './server/multipart.ts'
import type { Route } from './server/route.ts'

export function avatarRoutes(
  route: Route,
  { storage, config, clock }: Context,
  { access, conversations }: Pick<Modules, 'access' | 'conversations'>,
) {
  const { avatars, memberAvatars, members } = storage
  const { findBot, findWorkspace, audit } = access
  const { agentOf } = conversations
  const limits = { fileBytes: AVATAR_BYTES, stagingFolder: stagingFolderOf(config) }

  /** The instance's owner may act without being a member, and then has no picture. */
  async function ownMember(caller: Manager, workspaceId: string) {
    const workspace = await findWorkspace(caller, workspaceId)
    const member = await members.find(workspace.id, (await agentOf(caller, workspace.id)).id)
    if (!member) throw new Fault('not_found')
    return { ids: { workspaceId: workspace.id, memberId: member.id }, email: member.email }
  }

  route('POST /api/manage/v1/workspaces/{workspaceId}/avatar', async ({ caller, params, request }) => {
    const { ids, email } = await ownMember(caller, params.workspaceId)
    const { file } = await readFile(request, limits)
    const id = randomId('avt')
    await memberAvatars.save(ids, { id, ...avatarOf(file.content) }, clock())
    await audit.record({ caller, request }, ids.workspaceId, 'member.changed', email)
    return { id }
  })

  route('DELETE /api/manage/v1/workspaces/{workspaceId}/avatar', async ({ caller, params, request }) => {
    const { ids, email } = await ownMember(caller, params.workspaceId)
    if (await memberAvatars.remove(ids))
      await audit.record({ caller, request }, ids.workspaceId, 'member.changed', email)
    return undefined
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/avatars/{avatarId}', async ({ caller, params, reply }) => {
    const workspace = await findWorkspace(caller, params.workspaceId)
    const avatar = await memberAvatars.read(workspace.id, params.avatarId)
    if (!avatar) throw new Fault('not_found')
    return sendPicture(reply.header('cache-control', 'private, max-age=31536000, immutable'), avatar)
  })

  route('POST /api/manage/v1/bots/{botId}/avatars', async ({ caller, params, request }) => {
    const bot = await findBot(caller, params.botId)
    const { file } = await readFile(request, limits)
    return { id: await uploadAvatar({ avatars, clock }, bot, file.content) }
  })

  route('GET /api/chat/{botId}/avatars/{avatarId}', async ({ caller: { bot }, params, reply }) => {
    const botAvatar = await avatars.read(bot.id, params.avatarId)
    // Whether visitors see the team is for the bot's editors to decide.
    const isTeamShown = bot.widget.look.team_avatar !== null
    const shownAvatar =
      botAvatar ?? (isTeamShown ? await memberAvatars.read(bot.workspaceId, params.avatarId) : undefined)
    if (!shownAvatar) throw new Fault('not_found')
    reply.header('cross-origin-resource-policy', 'cross-origin')
    // A member who removes their picture wants it gone, from caches too.
    const caching = botAvatar ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
    return sendPicture(reply.header('cache-control', caching), shownAvatar)
  })
}

/** Nothing in it can run. */
function sendPicture(reply: FastifyReply, picture: { type: string; content: Uint8Array }): FastifyReply {
  return reply.type(picture.type).header('content-security-policy', "default-src 'none'; sandbox").send(picture.content)
}
