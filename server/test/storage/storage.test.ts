// What the rest of the server relies on in a database, the same on both engines.

import { describe, expect, test } from 'vitest'
import { type Row, StorageError } from '../../src/storage/database.ts'
import { engines } from '../harness/database/databases.ts'
import { waitFor } from '../harness/wait.ts'
import { insertion, open, withSamples } from './open-database.ts'

const orphan = { sql: 'INSERT INTO samples (id, parent) VALUES ($1, $2)', values: ['child', 'nobody'] }

describe.each(engines)('values on %s', (engine) => {
  test('lower() handles letters of other languages', async () => {
    const { database } = await open(engine)
    const [row] = await database.query(`SELECT lower('ÖFFNUNGSZEITEN Ёлка 42') AS low, lower(NULL) AS absent`)
    expect({ ...row }).toEqual({ low: 'öffnungszeiten ёлка 42', absent: null })
  })

  const everyPlane = Array.from({ length: 0x110000 / 97 }, (_, index) => index * 97 + 1)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
    .join('')

  test.each<[string, Row]>([
    ['text of every plane of Unicode', { text: everyPlane, note: 'e\u0301 👩‍👩‍👧 \u202e\ufeff\u{10ffff}\uffff' }],
    ['quotes, escapes and empty text', { text: `'"\\$1 ? %s \n\r\t\u0001`, note: '' }],
    ['whole numbers up to 2^53 - 1', { whole: Number.MAX_SAFE_INTEGER, part: Number.MIN_SAFE_INTEGER }],
    ['negative whole numbers', { whole: Number.MIN_SAFE_INTEGER, part: -1 }],
    ['parts', { whole: 0, part: 0.1 + 0.2 }],
    ['the smallest and the largest part', { whole: 1, part: 5e-324 }],
    ['the largest part', { whole: null, part: Number.MAX_VALUE }],
    ['nothing', { text: null, note: null, whole: null, part: null }],
  ])('come out as they went in: %s', async (_, values) => {
    const { database } = await withSamples(engine)
    const row = { text: null, note: null, whole: null, part: null, ...values }
    await database.write('INSERT INTO samples (id, text, note, whole, part) VALUES ($1, $2, $3, $4, $5)', [
      'a',
      row.text,
      row.note,
      row.whole,
      row.part,
    ])
    const [storedRow] = await database.query('SELECT text, note, whole, part FROM samples WHERE id = $1', ['a'])
    expect({ ...storedRow }).toEqual(row)
  })

  test('are cleaned of NUL and lone surrogates', async () => {
    const { database } = await withSamples(engine)
    await database.write('INSERT INTO samples (id, text) VALUES ($1, $2)', ['a\0', 'x\0y\ud800z\udc00'])
    expect(await database.query('SELECT text FROM samples WHERE id = $1', ['\0a'])).toEqual([
      { text: 'xy\ufffdz\ufffd' },
    ])
  })
})

describe.each(engines)('statements on %s', (engine) => {
  test('name columns in camelCase, also those that a migration adds to a prepared statement', async () => {
    const { database } = await withSamples(engine)
    await database.write('INSERT INTO samples (id, whole) VALUES ($1, 7)', ['a'])
    const [row] = await database.query(
      'SELECT id AS sample_id, whole AS a_2_b, sum(whole) AS whole_sum, avg(whole) AS average FROM samples GROUP BY id, whole',
    )
    expect({ ...row }).toEqual({ sampleId: 'a', a2B: 7, wholeSum: 7, average: 7 })
    const all = 'SELECT * FROM samples'
    expect((await database.query(all))[0]).not.toHaveProperty('addedLater')
    await database.write('ALTER TABLE samples ADD COLUMN added_later TEXT')
    expect((await database.query(all))[0]).toMatchObject({ id: 'a', whole: 7, addedLater: null })
  })

  test('may use a parameter twice and out of order', async () => {
    const { database } = await withSamples(engine)
    await database.write('INSERT INTO samples (id, text, note) VALUES ($2, $1, $1)', ['both', 'a'])
    const rows = await database.query('SELECT text, note FROM samples WHERE text = $2 AND id = $1 AND note = $2', [
      'a',
      'both',
    ])
    expect(rows.map((row) => ({ ...row }))).toEqual([{ text: 'both', note: 'both' }])
  })

  test('return changed rows with RETURNING, and nothing without', async () => {
    const { database } = await withSamples(engine)
    expect(await database.write('INSERT INTO samples (id, whole) VALUES ($1, $2)', ['a', 1])).toEqual([])
    const changedRows = await database.write('UPDATE samples SET whole = whole + 1 RETURNING id, whole')
    expect(changedRows.map((row) => ({ ...row }))).toEqual([{ id: 'a', whole: 2 }])
    expect(await database.write('DELETE FROM samples WHERE id = $1 RETURNING id', ['b'])).toEqual([])
  })

  test('insert or update with ON CONFLICT, or skip the update', async () => {
    const { database } = await withSamples(engine)
    const count = async () => {
      const rows = await database.write<{ whole: number }>(
        `INSERT INTO samples (id, whole) VALUES ('a', 1)
         ON CONFLICT (id) DO UPDATE SET whole = samples.whole + 1 WHERE samples.whole < $1 RETURNING whole`,
        [3],
      )
      return rows[0]?.whole
    }
    expect([await count(), await count(), await count(), await count()]).toEqual([1, 2, 3, undefined])
  })

  test('that violate a constraint fail with a distinct error, however they are run', async () => {
    const { database } = await withSamples(engine)
    const { sql, values } = insertion('a')
    await database.write(sql, values)
    const ways = [
      (statement: typeof orphan) => database.write(statement.sql, statement.values),
      (statement: typeof orphan) => database.batch([statement]),
      (statement: typeof orphan) => database.transaction((tx) => tx.query(statement.sql, statement.values)),
      (statement: typeof orphan) => database.transaction((tx) => seen(tx.query(statement.sql, statement.values))),
    ]
    for (const run of ways) {
      await expect(run(insertion('a'))).rejects.toMatchObject({ name: 'StorageError', kind: 'unique' })
      await expect(run(orphan)).rejects.toMatchObject({ name: 'StorageError', kind: 'foreign_key' })
    }
  })

  /** Checks that errors are already StorageErrors within the transaction. */
  async function seen<T>(query: Promise<T>): Promise<T> {
    const error = await query.catch((reason) => reason)
    expect(error).toBeInstanceOf(StorageError)
    throw error
  }
})

describe.each(engines)('transactions on %s', (engine) => {
  test('a batch is all or nothing', async () => {
    const { database, ids } = await withSamples(engine)
    await database.batch([insertion('a'), insertion('b')])
    await expect(database.batch([insertion('c'), insertion('a')])).rejects.toBeInstanceOf(StorageError)
    expect(await ids()).toEqual(['a', 'b'])
  })

  test('a transaction reads its own writes, returns its result, and changes nothing when it fails', async () => {
    const { database, ids } = await withSamples(engine)
    const result = await database.transaction(async (tx) => {
      await tx.query('INSERT INTO samples (id, whole) VALUES ($1, 1)', ['a'])
      return tx.query<{ whole: number }>('UPDATE samples SET whole = whole + 1 RETURNING whole')
    })
    expect(result[0]?.whole).toBe(2)
    const transaction = database.transaction(async (tx) => {
      await tx.query('DELETE FROM samples')
      throw new Error('changed its mind')
    })
    await expect(transaction).rejects.toThrow('changed its mind')
    expect(await ids()).toEqual(['a'])
  })

  test('of 100 parallel transactions, every seventh failing, exactly the others are committed', async () => {
    const { database, ids } = await withSamples(engine)
    const name = (n: number) => `n${String(n).padStart(3, '0')}`
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) =>
        database.transaction(async (tx) => {
          await tx.query('INSERT INTO samples (id, text) VALUES ($1, $2)', [name(n), 'first'])
          if (n % 14 === 0) await tx.query(orphan.sql, orphan.values)
          if (n % 7 === 0) throw new Error(`number ${n}`)
          await tx.query('UPDATE samples SET note = $2 WHERE id = $1', [name(n), 'second'])
        }),
      ),
    )
    const others = Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 7 !== 0)
    expect(outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))).toEqual(others)
    expect(await ids()).toEqual(others.map(name))
    expect(await database.query('SELECT id FROM samples WHERE note IS NULL')).toEqual([])
  })

  test('of 100 parallel batches and relaxed writes, every seventh batch failing, exactly the others are committed, once', async () => {
    const { database, ids } = await withSamples(engine)
    const name = (n: number) => `n${String(n).padStart(3, '0')}`
    const { sql, values } = insertion('counter')
    await database.write(sql, values)
    await database.write('UPDATE samples SET whole = 0')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, async (_, n) => {
        const increment = { sql: `UPDATE samples SET whole = whole + 1 WHERE id = 'counter'`, values: [] }
        if (n % 2 === 0) await database.writeRelaxed(increment.sql)
        await database.batch([increment, insertion(name(n)), ...(n % 7 === 0 ? [orphan] : [])])
      }),
    )
    const others = Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 7 !== 0)
    expect(outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))).toEqual(others)
    expect(await ids()).toEqual(['counter', ...others.map(name)])
    const [counter] = await database.query<{ whole: number }>(`SELECT whole FROM samples WHERE id = 'counter'`)
    expect(counter?.whole).toBe(50 + others.length)
  })

  test('reads never see uncommitted changes', async () => {
    const { database, ids } = await withSamples(engine)
    await database.transaction(async (tx) => {
      await tx.query('INSERT INTO samples (id) VALUES ($1)', ['a'])
      expect(await tx.query('SELECT id FROM samples')).toHaveLength(1)
      expect(await ids()).toEqual([])
    })
    expect(await ids()).toEqual(['a'])
  })

  test('no update of a shared counter is lost', async () => {
    const { database } = await withSamples(engine)
    await database.write(`INSERT INTO samples (id, whole) VALUES ('counter', 0)`)
    const raise = `UPDATE samples SET whole = whole + 1 WHERE id = 'counter'`
    await Promise.all(
      Array.from({ length: 120 }, (_, n) => {
        if (n % 4 === 0) return database.write(raise)
        if (n % 4 === 1) return database.writeRelaxed(raise)
        if (n % 4 === 2) return database.batch([{ sql: raise, values: [] }])
        return database.transaction((tx) => tx.query(raise))
      }),
    )
    expect((await database.query('SELECT whole FROM samples'))[0]?.whole).toBe(120)
  })

  test('a relaxed write is visible to all when it resolves', async () => {
    const { database } = await withSamples(engine)
    const rows = await database.writeRelaxed(`INSERT INTO samples (id, whole) VALUES ('noted', 1) RETURNING whole`)
    expect(rows).toEqual([{ whole: 1 }])
    expect(await database.query('SELECT id FROM samples')).toEqual([{ id: 'noted' }])
  })

  test('closing waits for queued statements', async () => {
    const { database, reopen } = await withSamples(engine)
    const writePromises = Array.from({ length: 80 }, (_, n) => {
      const { sql, values } = insertion(`n${n}`)
      return n % 2 ? database.write(sql, values) : database.transaction((tx) => tx.query(sql, values))
    })
    const outcomes = Promise.allSettled(writePromises)
    await database.close()
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toEqual([])
    const [row] = await (await reopen()).query('SELECT count(*) AS n FROM samples')
    expect(row?.n).toBe(80)
  })
})

describe.each(engines)('signals on %s', (engine) => {
  test('reach all listeners of their channel, on this node and on others', async () => {
    const { database, reopen } = await open(engine)
    // SQLite is used by a single process, so there the other node is the same.
    const otherDatabase = engine === 'postgres' ? await reopen() : database
    const signals: string[] = []
    await Promise.all([
      database.onSignal('bells', (text) => signals.push(`here ${text}`)),
      otherDatabase.onSignal('bells', (text) => signals.push(`there ${text}`)),
      otherDatabase.onSignal('whistles', (text) => signals.push(`wrong ${text}`)),
    ])
    await otherDatabase.signal('bells', 'ding')
    await waitFor(() => signals.length === 2, 'both to hear it')
    expect(signals.sort()).toEqual(['here ding', 'there ding'])
  })
})
