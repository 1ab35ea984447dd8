// What every module is opened with.
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { SendMail } from './mail.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { SealedText } from './sealed-text.ts'
import type { Storage } from './storage/storage.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Trace } from './telemetry/tracing.ts'

export interface Context {
  storage: Storage
  config: Config
  /** Requests to addresses that users give. */
  outbound: Outbound
  /** Encrypts the secrets that are stored. */
  sealed: SealedText
  /** Null: email is not configured. */
  sendMail: SendMail | null
  logger: Logger
  metrics: Metrics
  trace: Trace
  clock: () => number
  /** Logs a failure of background work. */
  onError: (error: unknown) => void
  isStopping: () => boolean
}
