/**
 * How long a test waits for what is to happen. It costs nothing where it happens; a machine whose processors are shared
 * may stand still for many seconds.
 */
export const PATIENCE_MS = 120_000
