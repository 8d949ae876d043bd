/** What was typed after `npm run sortie --`. */
export interface CommandLine {
  operands: readonly string[]
  passwordStdin: boolean
  instanceAdmin: boolean
  rekey: boolean
  keepKeys: boolean
  only: string | undefined
  port: string | undefined
}

export type Command = (line: CommandLine) => Promise<void>

/** The command line is not one of those in USAGE. */
export class UsageError extends Error {}

/** How the audit log names whoever runs a command here. */
export const OPERATOR = { system: "operator's command" } as const

/** @throws UsageError for more or fewer words */
export const exactly = <const N extends number>(operands: readonly string[], count: N) => {
  if (operands.length !== count)
    throw new UsageError(
      `${count === 0 ? 'nothing is' : `${count} ${count === 1 ? 'word is' : 'words are'}`} expected after this command, not ${operands.length}`,
    )
  return operands as N extends 2 ? readonly [string, string] : N extends 1 ? readonly [string] : readonly []
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Progress goes to stderr; stdout carries only the result. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`)
