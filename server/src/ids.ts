// Names for things. Lower case and digits only, so that both databases sort them alike in every locale.
import { randomBytes } from 'node:crypto'

const DIGITS = '0123456789abcdefghijklmnopqrstuv'

export type IdPrefix = 'ws' | 'mem' | 'tok' | 'bot' | 'key' | 'cnv' | 'ses' | 'req'

/** An unguessable name: 130 random bits. */
export function randomId(prefix: IdPrefix): string {
  return `${prefix}_${randomDigits(26)}`
}

let lastTime = 0

/** Names that sort in the order they were made: milliseconds, a running number within them, then chance. */
export function messageId(now: number): string {
  // A counter in the low bits keeps two messages of one millisecond in order.
  lastTime = Math.max(now * 1024, lastTime + 1)
  return `msg_${lastTime.toString(32).padStart(11, '0')}${randomDigits(10)}`
}

function randomDigits(count: number): string {
  let digits = ''
  for (const byte of randomBytes(count)) digits += DIGITS[byte & 31]
  return digits
}
