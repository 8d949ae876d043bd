import {
  addressRanges,
  choice,
  corsOrigins,
  directory,
  egressEntries,
  email,
  engagementScope,
  hostNames,
  hostOf,
  integer,
  line,
  moment,
  nameServers,
  names,
  origin,
  password,
  providerUrl,
  readVariable,
  roleMap,
  secret,
  signingSecrets,
  text,
  url,
  WORKOS_API_URL,
  Wrong,
  workosUrl,
  yesOrNo,
} from './config/config-values.ts'
import { readEnvironment } from './config/environment.ts'
import { findUnknownNames } from './config/setting-names.ts'
import { ConfigurationError } from './errors.ts'
import { parseAllowEntry, parseEntry } from './outbound/entries.ts'

/** How a variable is read. `parse` returns the value or throws a `Wrong` that completes "NAME: ...". */
interface Variable<T> {
  /** One sentence for docs/operating.md. */
  doc: string
  /** The text used if the variable is not set; undefined if it may be absent. */
  fallback?: string | ((read: (name: string) => string | undefined) => string)
  /** Also read from the file that NAME_FILE names, and never printed. */
  secret?: true
  required?: true
  parse: (text: string) => T
}

export const DEFAULT_ADMIN_EMAIL = 'admin@example.com'

/** Every environment variable: name, meaning, default and check. docs/operating.md contains this list. */
export const VARIABLES = {
  PORT: { doc: 'Port that the server listens on.', fallback: '3001', parse: integer(0, 65_535) },
  HOST: {
    doc: 'Address that the server listens on: `localhost` for both loopback addresses, `0.0.0.0` for all.',
    fallback: 'localhost',
    parse: text,
  },
  FRONTEND_URL: {
    doc: 'Public address of the web interface: links in emails start with it, and browsers may send changes from it.',
    fallback: (read) => `http://localhost:${read('PORT') ?? '3001'}`,
    parse: origin,
  },
  ALLOWED_HOSTS: {
    doc: 'More host names and addresses, separated by commas, at which this server accepts requests; see [Host names](#host-names).',
    parse: hostNames,
  },
  DATA_DIR: {
    doc: 'Directory of the embedded database and of emails written as files.',
    fallback: './data',
    parse: directory,
  },
  DATABASE_URL: {
    doc: 'A Postgres 15 or newer to use instead of the embedded one.',
    secret: true,
    parse: url('postgres:', 'postgresql:'),
  },
  REDIS_URL: {
    doc: 'A Redis or Valkey that several processes use to share rate limits.',
    secret: true,
    parse: url('redis:', 'rediss:'),
  },
  SESSION_SECRET: {
    doc: 'Random secret, at least 32 characters, that signs session tokens and emailed links.',
    secret: true,
    required: true,
    parse: secret,
  },
  STORAGE_PATH: { doc: 'Directory of uploaded files.', fallback: '/data/uploads', parse: directory },
  AUTH_PROVIDER: {
    doc: 'How people sign in: `local` is email and password, `oidc` any OpenID Connect provider, `workos` WorkOS AuthKit.',
    fallback: 'local',
    parse: choice('local', 'oidc', 'workos'),
  },
  AUTH_LOCAL_FALLBACK: {
    doc: 'With `oidc` or `workos`: `true` lets instance administrators, and no one else, sign in with a password too.',
    fallback: 'false',
    parse: yesOrNo,
  },
  AUTH_PROVIDER_NAME: { doc: 'Name of the provider on the sign-in button.', parse: line(40) },
  OIDC_ISSUER: { doc: 'Issuer of the OpenID provider, where its discovery document is found.', parse: providerUrl },
  OIDC_CLIENT_ID: { doc: 'Client id at the OpenID provider.', parse: line(500) },
  OIDC_CLIENT_SECRET: { doc: 'Client secret at the OpenID provider.', secret: true, parse: line(1_000) },
  OIDC_SCOPE: { doc: 'Scopes requested from the OpenID provider.', fallback: 'openid email profile', parse: line(500) },
  OIDC_EMAIL_VERIFIED_CLAIM: {
    doc: 'Claim that must be `true` for the address to count as verified; Entra calls it `xms_edov`.',
    fallback: 'email_verified',
    parse: line(100),
  },
  OIDC_ROLE_CLAIM: {
    doc: 'Claim of the id token that `OIDC_ROLE_MAP` reads, such as `groups`; unset, claims give no roles.',
    parse: line(200),
  },
  OIDC_ROLE_MAP: {
    doc: 'Roles for values of that claim: `value=organization-slug:role`, separated by commas. It decides the roles in the organizations that it names.',
    parse: roleMap,
  },
  WORKOS_API_KEY: { doc: 'API key of the WorkOS environment.', secret: true, parse: line(500) },
  WORKOS_CLIENT_ID: { doc: 'Client id of the WorkOS environment.', parse: line(500) },
  WORKOS_WEBHOOK_SECRET: {
    doc: 'Signing secret of the WorkOS webhook; two separated by a comma during rotation.',
    secret: true,
    parse: signingSecrets,
  },
  WORKOS_API_URL: {
    doc: 'Address of the WorkOS API; anything but the public one is refused outside loopback.',
    fallback: WORKOS_API_URL,
    parse: workosUrl,
  },
  ADMIN_EMAIL: { doc: 'Email of the account created on first start.', fallback: DEFAULT_ADMIN_EMAIL, parse: email },
  ADMIN_PASSWORD: {
    doc: 'Password of the account created on first start. Without one, or with one that is easy to guess, the first start ends with exit code 78; the first `npm start` generates one. See [The first start](#the-first-start).',
    secret: true,
    parse: password,
  },
  ORGANIZATION_NAME: {
    doc: 'Name of the organization created on first start.',
    fallback: 'My organization',
    parse: line(200),
  },
  DEFAULT_PLAN: { doc: 'Plan of a new organization.', fallback: 'free', parse: line(100) },
  SMTP_URL: {
    doc: 'Mail server, such as `smtp://user:password@mail.example.com:587`; without it, emails are written to files under `DATA_DIR`.',
    secret: true,
    parse: url('smtp:', 'smtps:'),
  },
  MAIL_FROM: {
    doc: 'Sender of emails.',
    fallback: (read) => `Sortie <no-reply@${hostOf(read('FRONTEND_URL'))}>`,
    parse: line(320),
  },
  RATE_LIMIT_MAX: {
    doc: 'Requests per window and API key; all keys of an organization together have five times that.',
    fallback: '600',
    parse: integer(1, 1_000_000_000),
  },
  RATE_LIMIT_WINDOW_SECONDS: { doc: 'Length of the window in seconds.', fallback: '60', parse: integer(1, 86_400) },
  RATE_LIMIT_ANONYMOUS_MAX: {
    doc: 'Requests per window and client address without a valid key or session.',
    fallback: '120',
    parse: integer(1, 1_000_000_000),
  },
  INVITATION_LIMIT_PER_HOUR: {
    doc: 'Invitation emails that one organization may send in an hour.',
    fallback: '200',
    parse: integer(1, 1_000_000),
  },
  ENGAGEMENT_READ_SCOPE: {
    doc: 'Scope required to read engagements: one of the ten, or `*` for any valid key.',
    fallback: 'organizations:read',
    parse: engagementScope,
  },
  ENGAGEMENT_WRITE_SCOPE: {
    doc: 'Scope required to create and change engagements: one of the ten, or `*` for any valid key.',
    fallback: 'organizations:write',
    parse: engagementScope,
  },
  TRUST_PROXY: {
    doc: 'Addresses or ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas.',
    parse: addressRanges,
  },
  DNS_SERVERS: {
    doc: "Name servers used to verify domains and to resolve the targets of scans and requests, separated by commas; if unset, the system's.",
    parse: nameServers,
  },
  REQUESTS_BY: {
    doc: 'Who sends saved API requests: the `server` that answers, or `workers` (`npm run sortie -- worker --only requests`; docs/platform/egress.md).',
    fallback: 'server',
    parse: choice('server', 'workers'),
  },
  REQUEST_RUNS_AT_ONCE: {
    doc: 'Saved API requests that one organization executes at the same time.',
    fallback: '8',
    parse: integer(1, 1_000),
  },
  REQUEST_RUNS_PER_HOUR: {
    doc: 'Saved API requests that one organization executes in an hour.',
    fallback: '1000',
    parse: integer(1, 1_000_000),
  },
  RUN_BODY_LIMIT_BYTES: {
    doc: 'Bytes kept of a response body; the rest is read, counted and discarded.',
    fallback: '1048576',
    parse: integer(0, 16_777_216),
  },
  EGRESS_ALLOW: {
    doc: 'Ranges, addresses and `address:port`, separated by commas, that scans and requests may reach in addition to public addresses; see [Egress](platform/egress.md).',
    parse: egressEntries(parseAllowEntry),
  },
  EGRESS_DENY: {
    doc: 'Ranges, addresses and `address:port`, separated by commas, that scans and requests never reach, whatever `EGRESS_ALLOW` says.',
    parse: egressEntries(parseEntry),
  },
  CONNECTIONS_PER_ADDRESS: {
    doc: 'Connections that one client address (IPv6: one /64) may have open; proxies in `TRUST_PROXY` have no such limit.',
    fallback: '512',
    parse: integer(1, 100_000),
  },
  OVERLOAD_MAX_REQUESTS: {
    doc: 'Requests that a process handles at the same time; further ones get 503.',
    fallback: '128',
    parse: integer(1, 100_000),
  },
  OVERLOAD_DELAY_MS: {
    doc: 'Average delay of the event loop, in milliseconds, above which requests are refused with 503; `0` for never.',
    fallback: '200',
    parse: integer(0, 60_000),
  },
  OVERLOAD_HEAP_MB: {
    doc: 'Used JavaScript heap of a process, in MB, above which requests are refused with 503; if unset, 90 % of the heap that Node allows.',
    parse: integer(16, 1_048_576),
  },
  BODY_LIMIT_BYTES: {
    doc: 'Largest request body in bytes; 16 KiB without a session or key.',
    fallback: '1048576',
    parse: integer(1_024, 104_857_600),
  },
  UPLOAD_LIMIT_BYTES: {
    doc: 'Largest file that can be uploaded, in bytes.',
    fallback: '1073741824',
    parse: integer(1_024, 999_999_999_999),
  },
  RESULT_LIMIT: { doc: 'Results that one engagement may have.', fallback: '1000000', parse: integer(1, 100_000_000) },
  STORAGE_LIMIT_BYTES_PER_ORGANIZATION: {
    doc: 'Bytes that one organization may store: files, page texts with their history, and requests with their runs.',
    fallback: '21474836480',
    parse: integer(1_024, 999_999_999_999),
  },
  TARGET_LIMIT: { doc: 'Targets that one engagement may have.', fallback: '100000', parse: integer(1, 10_000_000) },
  SCOPE_RULE_LIMIT: { doc: 'Scope rules that one engagement may have.', fallback: '2000', parse: integer(1, 100_000) },
  SCAN_CONCURRENCY: {
    doc: 'Scans of one organization that run at the same time; each process runs the same number of scans of other organizations.',
    fallback: '2',
    parse: integer(1, 100),
  },
  SCAN_MAX_CONNECTIONS: {
    doc: 'Connections that all scans together may have open; processes share them evenly.',
    fallback: '500',
    parse: integer(1, 50_000),
  },
  SCAN_QUEUE_LIMIT: {
    doc: 'Scans of one organization that may be queued.',
    fallback: '100',
    parse: integer(1, 100_000),
  },
  SCAN_MAX_PROBES: {
    doc: 'Largest scan: addresses times ports, or requests of its scanners.',
    fallback: '20000000',
    parse: integer(1, 1_000_000_000_000),
  },
  TASK_LIMIT: { doc: 'Tasks that one engagement may have.', fallback: '10000', parse: integer(1, 1_000_000) },
  WIKI_PAGE_LIMIT: {
    doc: "Wiki pages that one engagement may have, and the organization's own wiki.",
    fallback: '10000',
    parse: integer(1, 100_000),
  },
  SORTIE_ROLE: {
    doc: 'Role of this server: `api` answers requests, `worker` runs jobs, `all` does both.',
    fallback: 'all',
    parse: choice('api', 'worker', 'all'),
  },
  SORTIE_JOBS: {
    doc: 'Kinds of jobs that this server runs, separated by commas, such as `remove-engagement`; if unset, all. Kinds that no server runs stay queued.',
    parse: names,
  },
  SAFE_MODE: {
    doc: 'With `true`, the instance is in safe mode: no scans, API requests or mail leave it, and `go-live` does not change that; see [Safe mode](#safe-mode).',
    fallback: 'false',
    parse: yesOrNo,
  },
  SHUTDOWN_DELAY_SECONDS: {
    doc: 'Seconds for which a stopping server still accepts requests while `/api/health` answers 503, so that load balancers drain it first.',
    fallback: '0',
    parse: integer(0, 300),
  },
  LOG_LEVEL: {
    doc: 'Lowest level that is logged.',
    fallback: 'info',
    parse: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  LOG_SLOW_MS: {
    doc: 'Requests and database statements that take this long or longer, in milliseconds, are logged at `warn`; `0` for none.',
    fallback: '1000',
    parse: integer(0, 3_600_000),
  },
  METRICS_TOKEN: {
    doc: 'Bearer token for `/metrics` on `PORT`; without it, metrics are not served there. See [Metrics](#metrics).',
    secret: true,
    parse: secret,
  },
  METRICS_PORT: {
    doc: 'Port of 127.0.0.1 on which `/metrics` is served to this machine, with `METRICS_TOKEN` if that is set; if unset, on no port. Each process needs its own.',
    parse: integer(1, 65_535),
  },
  BILLING_PROVIDER: {
    doc: 'Payment provider whose notifications are accepted: `stripe`; if unset, billing is off.',
    parse: choice('stripe'),
  },
  BILLING_WEBHOOK_SECRET: {
    doc: 'Signing secret of the billing notifications; two separated by a comma during rotation.',
    secret: true,
    parse: signingSecrets,
  },
  CODE_HOSTING_WEBHOOK_SECRET: {
    doc: 'Signing secret of the code-hosting notifications (GitHub), or two separated by a comma; if unset, code hosting is off.',
    secret: true,
    parse: signingSecrets,
  },
  API_V1_DEPRECATED_AT: {
    doc: 'Time from which `/api/v1` is deprecated; every response then has the `Deprecation` header (RFC 9745).',
    parse: moment,
  },
  API_V1_SUNSET_AT: {
    doc: 'Time at which `/api/v1` ends, at least 12 months after its deprecation; responses then have the `Sunset` header (RFC 8594).',
    parse: moment,
  },
  CORS_ORIGINS: {
    doc: 'Origins whose pages may call `/api/v1` from a browser, separated by commas, or `*` for all; if unset, none.',
    parse: corsOrigins,
  },
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
      if (raw === undefined && variable.required) throw new Wrong('is missing; set it in the environment or in .env')
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

/** A setting of earlier versions: an operator who relied on it must notice that it no longer starts several processes. */
const SEVERAL_PROCESSES =
  'SORTIE_API_PROCESSES: was removed, a server is one process; run several services behind a proxy, see "Several processes" in docs/operating.md'

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

const CROSS_CHECKS: readonly CrossCheck[] = [
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
