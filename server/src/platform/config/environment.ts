import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigurationError } from '../errors.ts'
import { unreadable } from './config-values.ts'
import type { SettingSources } from './setting-names.ts'

type Environment = Record<string, string | undefined>

/**
 * The environment merged over the `.env` file in the working directory (or the file that `ENV_FILE` names; empty for
 * none): a variable in the environment wins. This module is the only reader of `process.env`.
 *
 * @throws ConfigurationError for a file that cannot be read, or that `ENV_FILE` names and that does not exist
 */
export const readEnvironment = (): { values: Environment; sources: SettingSources } => {
  const { file, values } = readFile()
  return {
    values: { ...values, ...process.env },
    sources: { file: { path: file, names: Object.keys(values) }, environment: Object.keys(process.env) },
  }
}

/**
 * The location of a secret setting's value, for the operator: the file that holds it, or the name of the variable.
 *
 * @returns undefined if the setting is not set
 * @throws ConfigurationError for a file that cannot be read
 */
export const placeOf = (name: string): string | undefined => {
  const { file, values } = readFile()
  if (process.env[name]) return `the environment variable ${name}`
  if (values[name] && process.env[name] === undefined) return `${file} (${name})`
  return { ...values, ...process.env }[`${name}_FILE`] || undefined
}

/**
 * Reports whether the command that started this process has just made the first password, which has not been shown yet.
 */
export const isPasswordNew = (): boolean => process.env.SORTIE_PASSWORD_IS_NEW === '1'

/** The settings file that is read, as an absolute path; undefined if there is none. */
export const findSettingsFile = (): string | undefined => {
  const file = process.env.ENV_FILE ?? '.env'
  return file && existsSync(file) ? path.resolve(file) : undefined
}

/** Variables of Node, with their values, that switch off a protection of the process. */
export const findInsecureFlags = (): string[] => {
  const { NODE_TLS_REJECT_UNAUTHORIZED: tls, NODE_OPTIONS: options = '', NODE_ENV: mode } = process.env
  return [
    ...(tls === '0' ? ['NODE_TLS_REJECT_UNAUTHORIZED=0'] : []),
    ...(options.match(/--(?:inspect|insecure-http-parser|tls-min-v1\.[01])\S*/g) ?? []).map(
      (option) => `NODE_OPTIONS ${option}`,
    ),
    ...(mode !== undefined && mode !== '' && mode !== 'production' ? [`NODE_ENV=${mode}`] : []),
  ]
}

const readFile = (): { file: string; values: Environment } => {
  const named = process.env.ENV_FILE
  const file = named ?? '.env'
  // Only the default file may be missing.
  if (!file || (named === undefined && !existsSync(file))) return { file, values: {} }
  try {
    return { file, values: parseEnv(readFileSync(file, 'utf8')) }
  } catch (error) {
    throw new ConfigurationError([`ENV_FILE: ${unreadable(file, error)}`])
  }
}
