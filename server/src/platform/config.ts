import { AUTH_VARIABLES } from './config/auth.ts'
import { readVariable, Wrong } from './config/config-values.ts'
import { EGRESS_VARIABLES } from './config/egress.ts'
import { readEnvironment } from './config/environment.ts'
import { HTTP_VARIABLES } from './config/http.ts'
import { LIMITS_VARIABLES } from './config/limits.ts'
import { MAIL_VARIABLES } from './config/mail.ts'
import { PROCESS_VARIABLES } from './config/process.ts'
import { findUnknownNames } from './config/setting-names.ts'
import type { Variable } from './config/variable.ts'
import { WEBHOOKS_VARIABLES } from './config/webhooks.ts'
import { ConfigurationError } from './errors.ts'
import { TRACES_VARIABLES } from './traces/trace-settings.ts'

/** Every environment variable: name, meaning, default and check. docs/operating.md contains this list. */
export const VARIABLES = {
  ...PROCESS_VARIABLES,
  ...HTTP_VARIABLES,
  ...AUTH_VARIABLES,
  ...MAIL_VARIABLES,
  ...LIMITS_VARIABLES,
  ...EGRESS_VARIABLES,
  ...WEBHOOKS_VARIABLES,
  ...TRACES_VARIABLES,
} as const satisfies Record<string, Variable<unknown>>

export type VariableName = keyof typeof VARIABLES

type Parsed<N extends VariableName> = ReturnType<(typeof VARIABLES)[N]['parse']>
type Present<N extends VariableName> = (typeof VARIABLES)[N] extends { fallback: unknown } | { required: true }
  ? Parsed<N>
  : Parsed<N> | undefined

/** The checked configuration, under the names of the environment. */
export type Config = { readonly [N in VariableName]: Present<N> } & {
  /** Variables that were set, in the environment or the file, rather than defaulted. */
  readonly given: ReadonlySet<VariableName>
}

/**
 * Reads the whole configuration.
 *
 * @param env texts by name; a variable that is set to the empty text counts as not set
 * @throws ConfigurationError with one line per wrong or missing variable
 */
export const parseConfig = (env: Record<string, string | undefined>): Config => {
  const problems: string[] = []
  const given = new Set<VariableName>()
  const wrong = new Set<VariableName>()
  const values: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(VARIABLES) as [VariableName, Variable<unknown>][]) {
    let derived = false
    try {
      const set = readVariable(env, name, variable.secret)
      derived = set === undefined && typeof variable.fallback === 'function'
      if (set !== undefined) given.add(name)
      const fallback =
        typeof variable.fallback === 'function'
          ? variable.fallback((other) => env[other] || undefined)
          : variable.fallback
      const raw = set ?? fallback
      if (raw === undefined && variable.required)
        throw new Wrong('is missing; set it in the environment or in the settings file (.env, or ENV_FILE)')
      values[name] = raw === undefined ? undefined : variable.parse(raw)
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      wrong.add(name)
      // A default that another variable makes wrong is not a separate problem to fix.
      if (!derived) problems.push(`${name}: ${error.message}`)
    }
  }
  const config = { ...values, given } as unknown as Config
  for (const { reads, problem } of CROSS_CHECKS) {
    const found = reads.some((name) => wrong.has(name)) ? undefined : problem(config)
    if (found) problems.push(found)
  }
  if (Number(env.SORTIE_API_PROCESSES || 1) !== 1) problems.push(SEVERAL_PROCESSES)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return config
}

/**
 * A setting of earlier versions: an operator who relied on it must notice that it no longer starts several processes.
 */
const SEVERAL_PROCESSES =
  'SORTIE_API_PROCESSES: was removed, a server is one process; run several services behind a proxy, see "Several processes" in docs/operating/scale/processes.md'

/** A rule over several variables, checked once each of those that it reads is valid by itself. */
interface CrossCheck {
  reads: readonly VariableName[]
  problem(config: Config): string | undefined
}

/** One check per credential, so that the error names each missing one. */
const needs = (provider: 'oidc' | 'workos', ...names: VariableName[]): CrossCheck[] =>
  names.map((name) => ({
    reads: ['AUTH_PROVIDER', name],
    problem: (config) =>
      config.AUTH_PROVIDER === provider && config[name] === undefined
        ? `${name}: is missing; AUTH_PROVIDER=${provider} needs it`
        : undefined,
  }))

/** One check per credential of a bucket. */
const needsForBucket = (...names: VariableName[]): CrossCheck[] =>
  names.map((name) => ({
    reads: ['STORAGE_URL', name],
    problem: (config) =>
      config.STORAGE_URL?.startsWith('s3:') && config[name] === undefined
        ? `${name}: is missing; a bucket in STORAGE_URL needs it`
        : undefined,
  }))

const CROSS_CHECKS: readonly CrossCheck[] = [
  {
    reads: ['DATABASE_URL', 'DATABASE_MEMORY_MB'],
    problem: ({ DATABASE_URL, DATABASE_MEMORY_MB }) =>
      DATABASE_URL !== undefined && DATABASE_MEMORY_MB !== undefined
        ? 'DATABASE_MEMORY_MB: is for the embedded database; set shared_buffers of the Postgres in DATABASE_URL instead, and remove this'
        : undefined,
  },
  {
    reads: ['PORT', 'METRICS_PORT'],
    problem: ({ PORT, METRICS_PORT }) =>
      METRICS_PORT === PORT ? 'METRICS_PORT: must not be the same as PORT' : undefined,
  },
  {
    reads: ['BILLING_PROVIDER', 'BILLING_WEBHOOK_SECRET'],
    problem: ({ BILLING_PROVIDER: provider, BILLING_WEBHOOK_SECRET: secrets }) =>
      provider && !secrets
        ? `BILLING_WEBHOOK_SECRET: is missing; BILLING_PROVIDER=${provider} needs it to verify notifications`
        : undefined,
  },
  {
    reads: ['API_V1_DEPRECATED_AT', 'API_V1_SUNSET_AT'],
    problem: ({ API_V1_DEPRECATED_AT: deprecatedAt, API_V1_SUNSET_AT: sunsetAt }) =>
      deprecatedAt !== undefined && sunsetAt !== undefined && sunsetAt <= deprecatedAt
        ? 'API_V1_SUNSET_AT: must be later than API_V1_DEPRECATED_AT'
        : undefined,
  },
  ...needsForBucket('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'),
  {
    reads: ['STORAGE_ENCRYPTION', 'STORAGE_KMS_KEY_ID'],
    problem: ({ STORAGE_ENCRYPTION, STORAGE_KMS_KEY_ID }) =>
      STORAGE_KMS_KEY_ID !== undefined && STORAGE_ENCRYPTION !== 'aws:kms'
        ? 'STORAGE_KMS_KEY_ID: is for STORAGE_ENCRYPTION=aws:kms'
        : undefined,
  },
  ...needs('oidc', 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'),
  ...needs('workos', 'WORKOS_API_KEY', 'WORKOS_CLIENT_ID', 'WORKOS_WEBHOOK_SECRET'),
  {
    reads: ['AUTH_PROVIDER', 'AUTH_LOCAL_FALLBACK'],
    problem: ({ AUTH_PROVIDER, AUTH_LOCAL_FALLBACK }) =>
      AUTH_PROVIDER === 'local' && AUTH_LOCAL_FALLBACK
        ? 'AUTH_LOCAL_FALLBACK: is for AUTH_PROVIDER=oidc or workos'
        : undefined,
  },
  {
    reads: ['OIDC_ROLE_CLAIM', 'OIDC_ROLE_MAP'],
    problem: ({ OIDC_ROLE_CLAIM, OIDC_ROLE_MAP }) =>
      OIDC_ROLE_MAP && !OIDC_ROLE_CLAIM ? 'OIDC_ROLE_CLAIM: is missing; OIDC_ROLE_MAP needs it' : undefined,
  },
]

const NAMES = Object.keys(VARIABLES) as VariableName[]
const SETTINGS = { names: NAMES, withFile: NAMES.filter((name) => 'secret' in VARIABLES[name]) }

/** @throws ConfigurationError */
export const readConfig = (): Config => readConfigWith({})

/**
 * Reads the configuration with settings of this process that override the environment.
 *
 * @throws ConfigurationError, also with one line for each name that is not a setting
 */
export const readConfigWith = (own: Record<string, string | undefined>): Config => {
  const { values, sources } = readEnvironment()
  const unknown = findUnknownNames(sources, SETTINGS)
  if (unknown.length > 0) throw new ConfigurationError(unknown)
  return parseConfig({ ...values, ...own })
}
