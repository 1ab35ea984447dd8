import { type Database, first } from './database.ts'

export type InstanceValuesTable = ReturnType<typeof instanceValuesTable>

export function instanceValuesTable(database: Database) {
  const find = async (name: string): Promise<string | null> => {
    const row = first(database.query<{ value: string }>('SELECT value FROM instance_values WHERE name = $1', [name]))
    return (await row)?.value ?? null
  }

  return {
    find,

    async set(name: string, value: string) {
      await database.write(
        'INSERT INTO instance_values (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2',
        [name, value],
      )
    },

    /** Stored unless there is one already. Gives the one that is stored. */
    async findOrInsert(name: string, value: string): Promise<string> {
      await database.write('INSERT INTO instance_values (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
        name,
        value,
      ])
      return (await find(name)) ?? value
    },
  }
}
