// Exports a bot or a whole workspace to a file, and imports it into another instance.
import { tmpdir } from 'node:os'
import { randomId } from '../ids.ts'
import { makeSealedText } from '../sealed-text.ts'
import { type BotExport, exportBotRows, importBotRows } from '../storage/archives/bots.ts'
import type { OnRows } from '../storage/archives/rows.ts'
import { openStorage } from '../storage/storage.ts'
import { INSTANCE_WORKSPACE_ID } from '../storage/workspaces.ts'
import { makeWebhookSecret, webhookSecretBinding } from '../webhooks/signing.ts'
import { withArchive, writeArchive } from './archives.ts'
import { configuredKey, type InstanceLocation, requireKeyOf } from './backups.ts'

interface ExportOptions extends BotExport {
  output: string
  onRows: OnRows
  now: number
}

export async function exportBots(location: InstanceLocation, { output, onRows, now, ...selection }: ExportOptions) {
  return writeArchive(
    location,
    { output, now, kind: selection.botId ? 'bot' : 'workspace' },
    async (snapshot, archive) => {
      const report = await exportBotRows(snapshot, archive, selection, onRows)
      return { secrets: {}, report }
    },
  )
}

interface ImportOptions {
  file: string
  workspaceId: string | null
  onRows: OnRows
  now: number
}

export async function importBots(location: InstanceLocation, { file, workspaceId, onRows, now }: ImportOptions) {
  return withArchive(
    file,
    { kinds: ['bot', 'workspace'], folder: tmpdir(), onRows, now },
    async ({ manifest, database }) => {
      const target = workspaceId ?? (manifest.kind === 'bot' ? INSTANCE_WORKSPACE_ID : null)
      const storage = await openStorage({ ...location, databasePoolSize: 2 }, now)
      try {
        return await storage.transaction(async (tx) => {
          const key = configuredKey(location)
          await requireKeyOf(tx, key, location.secretKey ? 'SECRET_KEY' : location.dataDir)
          if (key === null) throw new Error('There is no instance here yet. Start the server once.')
          const sealedText = makeSealedText(key)
          const newSecret = (webhookId: string) => {
            const secret = makeWebhookSecret()
            return { secret, sealed: sealedText.seal(secret, webhookSecretBinding(webhookId)) }
          }
          return importBotRows(database, tx, { workspaceId: target, newId: randomId, newSecret, onRows })
        })
      } finally {
        await storage.close()
      }
    },
  )
}
