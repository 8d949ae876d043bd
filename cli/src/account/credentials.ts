import path from 'node:path'
import type { Environment } from '../program/environment.ts'
import { CliError, EXIT } from '../program/exit.ts'
import { readPrivateFile, writePrivateFile } from '../program/private-files.ts'

interface ChosenEngagement {
  id: string
  name: string
}

/** What is known of an instance where someone signed in. */
export interface Instance {
  key: string
  organization: string
  /** A login through the browser made the key, so that `logout` deletes it. */
  fromBrowser?: boolean
  engagement?: ChosenEngagement
}

/** The file `credentials.json`, for its owner only. */
export interface Credentials {
  version: 1
  /** Address of the instance that commands use. */
  current?: string
  instances: Record<string, Instance>
}

const fileOf = ({ configDirectory }: Environment): string => path.join(configDirectory, 'credentials.json')

/** @throws CliError for a file that others may read, or that is damaged */
export const readCredentials = (environment: Environment): Credentials => {
  const file = fileOf(environment)
  const text = readPrivateFile(file)
  if (text === undefined) return { version: 1, instances: {} }
  try {
    const credentials: Credentials = JSON.parse(text)
    if (credentials.version === 1 && typeof credentials.instances === 'object') return credentials
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CliError(EXIT.failure, `${file} cannot be read: remove it, and sign in again.`)
}

export const writeCredentials = (environment: Environment, credentials: Credentials): void =>
  writePrivateFile(fileOf(environment), `${JSON.stringify(credentials, null, 2)}\n`)
