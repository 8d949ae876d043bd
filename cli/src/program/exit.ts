import { ApiError, ConnectionError } from '@sortie/client/errors.ts'

/** Exit codes: documented in docs/cli.md, and stable. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  outOfScope: 3,
  caution: 4,
  signedOut: 5,
  forbidden: 6,
  conflict: 7,
  unreachable: 8,
  failedOn: 10,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends the program with this code and one sentence on standard error. */
export class CliError extends Error {
  readonly code: ExitCode

  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
    this.code = code
  }
}

export const usageError = (message: string): CliError => new CliError(EXIT.usage, message)

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.usage,
  401: EXIT.signedOut,
  403: EXIT.forbidden,
  409: EXIT.conflict,
  422: EXIT.usage,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
}

/** The exit code and the sentence for an error. Neither contains a key. */
export const describeError = (error: unknown): { code: ExitCode; message: string } => {
  if (error instanceof CliError) return { code: error.code, message: error.message }
  if (error instanceof ApiError) {
    const sentence = error.statusCode === 401 ? `${error.message} Sign in with \`sortie login\`.` : error.message
    return {
      code: BY_STATUS[error.statusCode] ?? EXIT.failure,
      message: error.requestId === undefined ? sentence : `${sentence} (request ${error.requestId})`,
    }
  }
  if (error instanceof ConnectionError) return { code: EXIT.unreachable, message: `${error.message}${reasonOf(error)}` }
  if (error instanceof Error && error.name === 'TimeoutError')
    return { code: EXIT.unreachable, message: 'The server did not answer in time.' }
  return { code: EXIT.failure, message: error instanceof Error ? error.message : String(error) }
}

/** `fetch` wraps the error of the system, which says what is wrong with the network. */
const reasonOf = (error: Error): string => {
  let deepest: unknown = error.cause
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  return deepest instanceof Error && deepest.message !== '' ? ` (${deepest.message})` : ''
}
