import { parseArgs } from 'node:util'
import type { Environment } from './environment.ts'
import { usageError } from './exit.ts'

export interface Option {
  type: 'string' | 'boolean'
  /** May be given several times. */
  multiple?: boolean
  /** Placeholder of the value in the help: `ID`. */
  value?: string
  about: string
}

/** The arguments of one command, as they were given. */
export interface Arguments {
  text(name: string): string | undefined
  texts(name: string): string[]
  flag(name: string): boolean
  positionals: readonly string[]
  /** What follows `--`. */
  rest: readonly string[]
}

export interface Command {
  name: string
  /** Words of a first argument, such as `list`. */
  actions?: readonly string[]
  usage: string
  summary: string
  details?: string
  options: Readonly<Record<string, Option>>
  /** @returns the exit code */
  run(environment: Environment, args: Arguments): Promise<number>
}

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  help: { type: 'boolean', about: 'show how the command is used' },
}

/** @throws CliError for an unknown option, a missing value, or a key among the arguments */
export const readArguments = (command: Command, given: readonly string[]): Arguments => {
  const end = given.indexOf('--')
  const own = end < 0 ? given : given.slice(0, end)
  if (own.some(containsKey))
    throw usageError('A key must not be an argument, which others can read: this key needs to be replaced.')
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([name, { type, multiple = false }]) => [
      name,
      { type, multiple },
    ]),
  )
  const { values, positionals } = parsed(() => parseArgs({ args: [...own], options, allowPositionals: true }))
  const textsOf = (name: string) => [values[name] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    text: (name) => textsOf(name)[0],
    texts: textsOf,
    flag: (name) => values[name] === true,
    positionals,
    rest: end < 0 ? [] : given.slice(end + 1),
  }
}

const parsed = <T>(parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof TypeError) throw usageError(error.message.split('. ')[0] ?? error.message)
    throw error
  }
}

/** Whether a text has a key of Sortie in it. */
export const containsKey = (text: string): boolean => text.includes('svc_live_') || text.includes('svc_test_')
