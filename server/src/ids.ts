// Ids use only lower case and digits, so that both databases sort them alike in every locale.
import { randomFillSync } from 'node:crypto'

const DIGITS = '0123456789abcdefghijklmnopqrstuv'

type IdPrefix =
  | 'ws'
  | 'mem'
  | 'tok'
  | 'bot'
  | 'key'
  | 'ans'
  | 'act'
  | 'crl'
  | 'feed'
  | 'ses'
  | 'req'
  | 'whk'
  | 'sync'
  | 'acc'
  | 'ssn'
  | 'dev'
  | 'inv'
  | 'vis'
  | 'idk'
  | 'att'
  | 'avt'
  | 'can'
  | 'tq'
  | 'node'

/** An unguessable id: 130 random bits. */
export function randomId(prefix: IdPrefix): string {
  return `${prefix}_${randomDigits(26)}`
}

let lastTime = 0

/**
 * An id that sorts by creation: milliseconds, a counter within them, then random characters. New rows are then
 * adjacent in the database, which writes fewer pages.
 */
export function timedId(
  prefix: 'cnv' | 'msg' | 'evt' | 'rpl' | 'syn' | 'led' | 'frm' | 'not' | 'aud' | 'run' | 'chg' | 'tst' | 'prp',
  now: number,
): string {
  // A counter in the low bits keeps ids of one millisecond in order.
  lastTime = Math.max(now * 1024, lastTime + 1)
  return `${prefix}_${lastTime.toString(32).padStart(11, '0')}${randomDigits(10)}`
}

/** Whether a timed id was made before another, of any kind. */
export function isOlderId(id: string, other: string): boolean {
  return timePartOf(id) < timePartOf(other)
}

const timePartOf = (id: string) => id.slice(id.indexOf('_') + 1)

/** Sorts above every id made before this time. */
export function timedIdsBefore(prefix: 'evt' | 'run', before: number): string {
  return `${prefix}_${(before * 1024).toString(32).padStart(11, '0')}`
}

// Filled in bulk: asking the system costs as much for 4 KB as for 26 bytes.
const chance = Buffer.alloc(4096)
let usedBytes = chance.length

function randomDigits(count: number): string {
  if (usedBytes + count > chance.length) {
    randomFillSync(chance)
    usedBytes = 0
  }
  let digits = ''
  for (let end = usedBytes + count; usedBytes < end; usedBytes++) digits += DIGITS[(chance[usedBytes] as number) & 31]
  return digits
}
