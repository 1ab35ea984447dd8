// The table of commands. Each is loaded on demand: most need little of the server's code.
import type { Command } from './command.ts'

type Load = () => Promise<Command>

export const commands: Record<string, Load> = {
  // Commands for the instance on this machine
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  'migrate-to-postgres': async () => (await import('./commands/migrate-to-postgres.ts')).migrateCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  'finish-upgrade': async () => (await import('./commands/finish-upgrade.ts')).finishUpgradeCommand,
  'reset-password': async () => (await import('./commands/reset-password.ts')).resetPassword,
  // Commands for a running server
  import: async () => (await import('./commands/import.ts')).importCommand,
  bots: async () => (await import('./commands/bots.ts')).bots,
  keys: async () => (await import('./commands/keys.ts')).keys,
  webhooks: async () => (await import('./commands/webhooks.ts')).webhooks,
  listen: async () => (await import('./commands/listen.ts')).listen,
  crawls: async () => (await import('./commands/crawls.ts')).crawls,
  feeds: async () => (await import('./commands/feeds.ts')).feeds,
  'test-questions': async () => (await import('./commands/test-questions.ts')).testQuestions,
  conversations: async () => (await import('./commands/conversations.ts')).conversations,
  'sync-products': async () => (await import('./commands/sync-products.ts')).syncProducts,
  ask: async () => (await import('./commands/ask.ts')).ask,
  eval: async () => (await import('./commands/eval.ts')).evalCommand,
}
