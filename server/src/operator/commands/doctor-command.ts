import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { DoctorCheck } from '@sortie/contract/instance/doctor.ts'
import { PORT, shortSocketDirectory } from '@sortie/embedded-postgres/cluster.ts'
import type { Static } from 'typebox'
import { runDoctor } from '../../features/instance/doctor/doctor.ts'
import { type Config, readConfig } from '../../platform/config.ts'
import { EMBEDDED_NAME } from '../../platform/database/connection/embedded.ts'
import type { ConnectionSettings } from '../../platform/database/connection/open.ts'
import { ConfigurationError } from '../../platform/errors.ts'
import { type Command, exactly, print } from '../command-line.ts'

const EXIT_PROBLEM = 1

type CheckResult = Static<typeof DoctorCheck>

/** Prints a line for each check, and a second one with the fix. Starts no database, and changes nothing. */
export const doctor: Command = async ({ operands, json }) => {
  exactly(operands, 0)
  const checks = await examineAll()
  if (json) print(JSON.stringify({ checks }, undefined, 2))
  else printChecks(checks)
  if (checks.some(({ status }) => status === 'problem')) process.exitCode = EXIT_PROBLEM
}

const examineAll = async (): Promise<CheckResult[]> => {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.lines.map((line) => ({
      name: 'settings',
      status: 'problem',
      found: `${line}.`,
      fix: 'correct the setting; npm run operator -- check-config lists all of them',
    }))
  }
  const embedded = config.DATABASE_URL ? undefined : findRunning(config.DATA_DIR)
  try {
    const settings = config.DATABASE_URL ? { connectionString: config.DATABASE_URL } : embedded?.settings
    const found: CheckResult = {
      name: 'settings',
      status: 'ok',
      found: `${config.given.size} settings are set, and each is valid.`,
      fix: null,
    }
    return [found, ...(await runDoctor(config, settings))]
  } finally {
    embedded?.cleanUp()
  }
}

/** The embedded database, if its process lives. */
const findRunning = (dataDir: string): { settings: ConnectionSettings; cleanUp(): void } | undefined => {
  const cluster = path.join(dataDir, 'postgres')
  const file = path.join(cluster, 'postmaster.pid')
  if (!existsSync(file) || !isAlive(Number(readFileSync(file, 'utf8').split('\n', 1)[0]))) return undefined
  const { socketDirectory, cleanUp } = shortSocketDirectory(cluster, EMBEDDED_NAME)
  const settings = { host: socketDirectory, port: PORT, user: EMBEDDED_NAME, database: EMBEDDED_NAME }
  return { settings, cleanUp }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const WIDTH = Math.max(...['ok', 'warning', 'problem'].map(({ length }) => length))

const printChecks = (checks: readonly CheckResult[]): void => {
  const width = Math.max(...checks.map(({ name }) => name.length))
  for (const { name, status, found, fix } of checks) {
    print(`${status.padEnd(WIDTH)}  ${name.padEnd(width)}  ${found}`)
    if (fix !== null) print(`${' '.repeat(WIDTH + width + 4)}Fix: ${fix}`)
  }
  const count = (wanted: CheckResult['status']) => checks.filter(({ status }) => status === wanted).length
  print('')
  print(`${count('ok')} ok, ${count('warning')} warnings, ${count('problem')} problems`)
}
