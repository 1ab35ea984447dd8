import { AVATAR_PIXELS, Fault } from '@docent/contract'
import { fileType, pictureSize } from '../conversations/file-types.ts'
import { stripMetadata } from '../conversations/strip-metadata.ts'
import { randomId } from '../ids.ts'
import type { AvatarsTable } from '../storage/avatars.ts'
import type { BotRecord } from '../storage/bots.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

export interface AvatarDeps {
  avatars: Pick<AvatarsTable, 'insert'>
  clock: () => number
}

/** Stores a picture that widget settings can refer to. Returns its id. */
export async function uploadAvatar({ avatars, clock }: AvatarDeps, bot: BotRecord, file: Buffer): Promise<string> {
  const { type, content } = avatarOf(file)
  const { avatar, team_avatar: team } = bot.widget.look
  const id = randomId('avt')
  const usedIds = [avatar, team].filter((each) => each !== null)
  await avatars.insert({ botId: bot.id, id, type, createdAt: clock() }, content, usedIds)
  return id
}

interface Avatar {
  type: (typeof TYPES)[number]
  content: Buffer
}

/** Everybody can read it, so nothing is kept but the picture. */
export function avatarOf(file: Buffer): Avatar {
  const detectedType = fileType(file)
  const type = TYPES.find((each) => each === detectedType)
  if (!type) throw invalid('Use a PNG, JPEG or WebP picture.')
  const size = pictureSize(file, type)
  const content = stripMetadata(file, type)
  if (!content || !size || size.width < 1 || size.height < 1) throw invalid('The picture cannot be read.')
  if (Math.max(size.width, size.height) > AVATAR_PIXELS)
    throw invalid(`The picture may be at most ${AVATAR_PIXELS} pixels wide and high.`)
  return { type, content }
}

function invalid(message: string) {
  return new Fault('validation_failed', { details: [{ path: 'file', message }] })
}
