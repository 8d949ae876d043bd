import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'
import { describeThrown } from './thrown.ts'

export type Logger = PinoLogger

/** Paths of secrets in any logged object. */
const REDACTED = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'value',
  '*.authorization',
  '*.cookie',
  '*.password',
  '*.newPassword',
  '*.currentPassword',
  '*.token',
  '*.secret',
  '*.value',
  'req.headers',
  'res.headers',
]

/**
 * Writes one JSON object per line to standard output. Database errors carry the values of a failed statement in
 * `detail`, `where` and `parameters`: those never reach the log.
 *
 * @param destination not pino's own stream: at the end of a process whose terminal is gone, that one waits forever
 */
export const createLogger = (level: string, destination: DestinationStream = process.stdout): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination,
  )

/** Maximum number of nested causes of an error in the log. */
const MAX_CAUSES = 5

const describeError = (error: unknown): unknown => describe(error, MAX_CAUSES)

const describe = (error: unknown, causes: number): unknown => {
  if (!(error instanceof Error)) return describeThrown(error)
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && causes > 0 && { cause: describe(error.cause, causes - 1) }),
  }
}
