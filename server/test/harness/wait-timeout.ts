/**
 * How long a test waits for something before it fails. Generous, since it costs nothing when the test passes, and
 * shared CI
 * machines can stall for many seconds.
 */
export const WAIT_TIMEOUT_MS = 120_000
