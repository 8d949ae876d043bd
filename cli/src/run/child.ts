import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CliError, EXIT } from '../program/exit.ts'

/** What a shell answers for a program that a signal ended: 128 and the number of the signal. */
const SIGNAL_BASE = 128
const MAX_EXIT_CODE = 2_147_483_647

export interface ChildOptions {
  variables: Readonly<Record<string, string | undefined>>
  onStart(pid: number): void
}

/**
 * Runs a program on this terminal until it ends.
 *
 * @returns its exit code, as a shell would say it
 * @throws CliError if it cannot be started
 */
export const runChild = (
  [program = '', ...args]: readonly string[],
  { variables, onStart }: ChildOptions,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { SORTIE_KEY: _key, ...passed } = variables
    const child = spawn(program, args, { stdio: 'inherit', env: passed })
    // The terminal sends these to both; the program decides, and this one waits for it.
    const ignored = () => undefined
    const forwarded = (signal: NodeJS.Signals) => void child.kill(signal)
    const terminal: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
    const others: NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']
    for (const signal of terminal) process.on(signal, ignored)
    for (const signal of others) process.on(signal, forwarded)
    const release = () => {
      for (const signal of terminal) process.off(signal, ignored)
      for (const signal of others) process.off(signal, forwarded)
    }
    child.on('spawn', () => onStart(child.pid ?? 0))
    child.on('error', (error) => {
      release()
      reject(new CliError(EXIT.failure, `${program} cannot be started: ${error.message}`))
    })
    child.on('exit', (code, signal) => {
      release()
      resolve(signal === null ? Math.min(code ?? 1, MAX_EXIT_CODE) : SIGNAL_BASE + constants.signals[signal])
    })
  })
