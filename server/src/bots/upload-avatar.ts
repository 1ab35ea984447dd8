import { Fault } from '@docent/contract'
import { fileType } from '../conversations/attachments/file-type.ts'
import { pictureSize } from '../conversations/attachments/picture-size.ts'
import { randomId } from '../ids.ts'
import type { AvatarsTable } from '../storage/bots/avatars.ts'
import type { BotRecord } from '../storage/bots/bots.ts'

export const AVATAR_BYTES = 200 * 1024
const MOST_PIXELS = 1024
const TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

interface Deps {
  avatars: Pick<AvatarsTable, 'insert'>
  clock: () => number
}

export type UploadAvatar = (bot: BotRecord, content: Buffer) => Promise<string>

/** Stores a picture that widget settings can refer to. Returns its id. */
export function createUploadAvatar({ avatars, clock }: Deps): UploadAvatar {
  return async (bot, content) => {
    const type = avatarType(content)
    const { avatar, team_avatar: team } = bot.widget.look
    const id = randomId('avt')
    const used = [avatar, team].filter((each) => each !== null)
    await avatars.insert({ botId: bot.id, id, type, createdAt: clock() }, content, used)
    return id
  }
}

/** Of a picture that is fit to be one. */
export function avatarType(content: Buffer): (typeof TYPES)[number] {
  const found = fileType(content)
  const type = TYPES.find((each) => each === found)
  if (!type) throw invalid('Use a PNG, JPEG or WebP picture.')
  const size = pictureSize(content, type)
  if (!size || size.width < 1 || size.height < 1) throw invalid('The picture cannot be read.')
  if (Math.max(size.width, size.height) > MOST_PIXELS)
    throw invalid(`The picture may be at most ${MOST_PIXELS} pixels wide and high.`)
  return type
}

function invalid(message: string) {
  return new Fault('validation_failed', { details: [{ path: 'file', message }] })
}
