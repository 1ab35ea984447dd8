// Pictures of the bot and its team: uploaded by editors, shown to everybody.
import { Fault } from '@docent/contract'
import type { FindBot } from '../../../access/managers.ts'
import { AVATAR_BYTES, type UploadAvatar } from '../../../bots/upload-avatar.ts'
import type { AvatarsTable } from '../../../storage/bots/avatars.ts'
import { readFile } from '../../bodies/multipart.ts'
import type { Route } from '../../route.ts'

interface Deps {
  avatars: Pick<AvatarsTable, 'read'>
  uploadAvatar: UploadAvatar
  findBot: FindBot
  stagingFolder: string
}

export function avatarRoutes(route: Route, { avatars, uploadAvatar, findBot, stagingFolder }: Deps) {
  route('POST /api/manage/v1/bots/{botId}/avatars', async ({ caller, params, request }) => {
    const bot = await findBot(caller, params.botId)
    const { file } = await readFile(request, { fileBytes: AVATAR_BYTES, stagingFolder })
    return { id: await uploadAvatar(bot, file.content) }
  })

  route('GET /api/chat/{botId}/avatars/{avatarId}', async ({ caller, params, reply }) => {
    const found = await avatars.read(caller.bot.id, params.avatarId)
    if (!found) throw new Fault('not_found')
    return reply
      .type(found.type)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(found.content)
  })
}
