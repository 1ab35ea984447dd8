// The table of commands. Each is loaded when it is called: most need little of the server's code.
import type { Command } from './command.ts'

type Load = () => Promise<Command>

/** `serve` has a place of its own in the package. */
export const commands: Record<string, Load> = {
  backup: async () => (await import('./commands/backup.ts')).backup,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  'migrate-to-postgres': async () => (await import('./commands/migrate-to-postgres.ts')).migrateCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
}
