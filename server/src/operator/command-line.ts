import { parseLine } from '../platform/text/text.ts'

/** The words after `npm run operator --`. */
export interface CommandLine {
  operands: readonly string[]
  passwordStdin: boolean
  instanceAdmin: boolean
  rekey: boolean
  keepKeys: boolean
  portable: boolean
  keep: string | undefined
  confirm: boolean
  /** URL of a storage. */
  to: string | undefined
  sendWaitingMail: boolean
  only: string | undefined
  json: boolean
  yes: boolean
  port: string | undefined
  metricsPort: string | undefined
  url: string | undefined
  email: string | undefined
  profiles: string | undefined
  data: string | undefined
}

export type Command = (line: CommandLine) => Promise<void>

/** The command line is not one of those in USAGE. */
export class UsageError extends Error {}

const MAX_NAME = 200

/** Name in the audit log for the user of these commands. */
export const OPERATOR = { system: "operator's command" } as const

/** @throws UsageError for more or fewer words */
export const exactly = <const N extends number>(operands: readonly string[], count: N) => {
  if (operands.length !== count)
    throw new UsageError(
      `${count === 0 ? 'nothing is' : `${count} ${count === 1 ? 'word is' : 'words are'}`} expected after this command, not ${operands.length}`,
    )
  return operands as N extends 2 ? readonly [string, string] : N extends 1 ? readonly [string] : readonly []
}

/** @throws UsageError */
export const nameFrom = (typed: string): string => {
  const name = parseLine(typed, MAX_NAME)
  if (name === undefined) throw new UsageError(`a name must be one line of 1 to ${MAX_NAME} characters`)
  return name
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Progress goes to stderr; stdout carries only the result. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`)
