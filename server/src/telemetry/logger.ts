// Logs are JSON lines. Their fields are listed in docs/guides/monitoring.md, which a test compares with what is logged.
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

export function makeLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, serializers: { err: loggedError } }, destination)
}

/** Only selected fields: the details of a database error can contain a row. */
function loggedError(error: Error) {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Not an error.' }
  const { type, message, stack, code } = stdSerializers.err(error)
  return { type, message, stack, ...(code === undefined ? {} : { code }) }
}
