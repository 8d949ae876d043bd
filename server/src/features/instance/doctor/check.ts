import type { DoctorCheck } from '@sortie/contract/instance/doctor.ts'
import type { Static } from 'typebox'
import type { Config } from '../../../platform/config.ts'
import type { Keys } from '../../../platform/crypto.ts'
import type { ConnectionSettings } from '../../../platform/database/connection/open.ts'
import type { ProcessFacts, SeenRequest } from '../../../platform/http/server/doctor-route.ts'
import type { Answer } from './reach.ts'

/** One line of the report, without its name. */
export type Finding = Omit<Static<typeof DoctorCheck>, 'name'>

/** What the public address of the server answered. */
export interface PublicAnswer extends Answer {
  /** What the server saw; undefined if the answer is of another program, or a refusal. */
  seen: SeenRequest | undefined
}

/** What the checks examine. Each part is asked at most once, by the first check that needs it. */
export interface Examined {
  config: Config
  keys: Keys
  /** undefined: the embedded database does not run. */
  database: ConnectionSettings | undefined
  /** @throws the error of the connection */
  connect(): Promise<void>
  /** Reads rows of every organization; changes nothing. @throws NotChecked without a connection */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The signed question of the doctor through `FRONTEND_URL`. @throws Error with the reason */
  askPublicAddress(): Promise<PublicAnswer>
  /** Facts of the running server; of this process if the server cannot be asked. */
  facts(): Promise<ProcessFacts & { isOfServer: boolean }>
  /** Path of the settings file; undefined if none is read. */
  settingsFile: string | undefined
  /** Variables of Node that make the process insecure. */
  insecureFlags: readonly string[]
}

export interface Check {
  /** Words with hyphens; the same in every version. */
  name: string
  /** Takes at most a few seconds: `runDoctor` stops waiting after that. */
  run(examined: Examined): Promise<Finding>
}

/** Another check reports the cause, such as a database that does not answer. */
export class NotChecked extends Error {}

export const ok = (found: string): Finding => ({ status: 'ok', found, fix: null })
export const warning = (found: string, fix: string): Finding => ({ status: 'warning', found, fix })
export const problem = (found: string, fix: string): Finding => ({ status: 'problem', found, fix })

/** The message and code of an error, for people. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error)
}
