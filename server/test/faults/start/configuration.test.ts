import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseConfig, VARIABLES, type VariableName } from '../../../src/platform/config.ts'
import { ConfigurationError } from '../../../src/platform/errors.ts'
import { SESSION_SECRET } from '../../support/app/server-process.ts'

const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-config-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** The lines with which these settings are refused; empty if they are not. The server prints them and ends with 78. */
const refusal = (env: Record<string, string | undefined>): readonly string[] => {
  try {
    parseConfig({ SESSION_SECRET, ...env })
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines
    throw error
  }
}
const namesIn = (lines: readonly string[]) => lines.map((line) => line.split(': ')[0])

const SECRET_MARK = 'tell-nobody'

/** A wrong value for every variable; a variable without one must accept any text. */
const WRONG: Partial<Record<VariableName, string>> = {
  PORT: '65536',
  FRONTEND_URL: 'ftp://example.com',
  ALLOWED_HOSTS: 'sortie.example.com:443',
  DATABASE_URL: `mysql://user:${SECRET_MARK}@localhost/db`,
  DATABASE_POOL_SIZE: '1',
  DATABASE_STATEMENT_TIMEOUT_MS: '2 s',
  DATABASE_MEMORY_MB: '99999999',
  REDIS_URL: `http://user:${SECRET_MARK}@localhost`,
  SESSION_SECRET: SECRET_MARK,
  AUTH_PROVIDER: 'magic',
  AUTH_LOCAL_FALLBACK: 'yes',
  AUTH_PROVIDER_NAME: 'x'.repeat(41),
  OIDC_ISSUER: 'http://login.example.com',
  OIDC_CLIENT_ID: 'x'.repeat(501),
  OIDC_CLIENT_SECRET: `${SECRET_MARK}\u0007`,
  OIDC_SCOPE: 'x'.repeat(501),
  OIDC_EMAIL_VERIFIED_CLAIM: 'x'.repeat(101),
  OIDC_ROLE_CLAIM: 'x'.repeat(201),
  OIDC_ROLE_MAP: 'leads=acme:owner',
  WORKOS_API_KEY: `${SECRET_MARK}\u0007`,
  WORKOS_CLIENT_ID: 'x'.repeat(501),
  WORKOS_WEBHOOK_SECRET: `${SECRET_MARK}\u0007`,
  WORKOS_API_URL: 'https://api.workos.example',
  ADMIN_EMAIL: 'nobody',
  ADMIN_PASSWORD: SECRET_MARK,
  ORGANIZATION_NAME: 'x'.repeat(201),
  DEFAULT_PLAN: 'x'.repeat(101),
  STORAGE_URL: 'ftp://bucket',
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: `${SECRET_MARK}\u0007`,
  AWS_SESSION_TOKEN: `${SECRET_MARK}\u0007`,
  STORAGE_ENCRYPTION: 'rot13',
  STORAGE_KMS_KEY_ID: 'a\u0007',
  SMTP_URL: `https://user:${SECRET_MARK}@localhost`,
  MAIL_FROM: 'x'.repeat(321),
  RATE_LIMIT_MAX: '0',
  RATE_LIMIT_WINDOW_SECONDS: '1.5',
  RATE_LIMIT_ANONYMOUS_MAX: '-1',
  INVITATION_LIMIT_PER_HOUR: 'many',
  ENGAGEMENT_READ_SCOPE: 'engagements:read',
  ENGAGEMENT_WRITE_SCOPE: 'organizations:writ',
  TRUST_PROXY: '10.0.0.0/33',
  DNS_SERVERS: 'dns.example.com',
  REQUESTS_BY: 'nobody',
  REQUEST_RUNS_AT_ONCE: '0',
  REQUEST_RUNS_PER_HOUR: 'many',
  RUN_BODY_LIMIT_BYTES: '1 MiB',
  EGRESS_ALLOW: '10.0.0.0/33',
  EGRESS_DENY: 'intranet.example.com',
  OVERLOAD_MAX_REQUESTS: '0',
  OVERLOAD_DELAY_MS: 'none',
  OVERLOAD_HEAP_MB: '1',
  BODY_LIMIT_BYTES: '1e6',
  UPLOAD_LIMIT_BYTES: 'none',
  ENGAGEMENT_TRASH_DAYS: '0',
  RESULT_LIMIT: '0',
  STORAGE_LIMIT_BYTES_PER_ORGANIZATION: '1 GB',
  TARGET_LIMIT: '-1',
  SCOPE_RULE_LIMIT: 'none',
  SCAN_CONCURRENCY: '0',
  CONNECTIONS_PER_ADDRESS: '0',
  SCAN_MAX_CONNECTIONS: 'many',
  SCAN_MAX_PROBES: '1e6',
  SCAN_QUEUE_LIMIT: '0',
  FINDING_LIMIT: '0',
  TASK_LIMIT: '1.5',
  WIKI_PAGE_LIMIT: '0',
  SORTIE_ROLE: 'queen',
  SORTIE_JOBS: 'Import; scan',
  SAFE_MODE: 'yes',
  SHUTDOWN_DELAY_SECONDS: '-1',
  SPELLING_DICTIONARIES: '/nowhere/at/all',
  LOG_LEVEL: 'loud',
  ACCESS_LOG: 'often',
  LOG_SLOW_MS: 'soon',
  METRICS_TOKEN: SECRET_MARK,
  METRICS_PORT: '0',
  BILLING_PROVIDER: 'magic',
  BILLING_WEBHOOK_SECRET: `${SECRET_MARK}\u0007`,
  WEBHOOK_RETRY_SECONDS: '5,soon',
  WEBHOOK_DISABLE_AFTER_HOURS: '0',
  CODE_HOSTING_WEBHOOK_SECRET: `${SECRET_MARK}\u0007`,
  API_V1_DEPRECATED_AT: 'soon',
  API_V1_SUNSET_AT: 'later',
  CORS_ORIGINS: 'everywhere',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318',
  OTEL_EXPORTER_OTLP_HEADERS: SECRET_MARK,
  OTEL_SERVICE_NAME: 'x'.repeat(101),
  OTEL_TRACES_SAMPLER_ARG: '2',
}
/** Only the start can detect wrong values of these, not the parser. */
const FOUND_LATER = ['DATA_DIR', 'STORAGE_PATH', 'HOST']

describe('the configuration', () => {
  test('has a wrong value in this test for every variable', () => {
    expect([...Object.keys(WRONG), ...FOUND_LATER].sort()).toEqual(Object.keys(VARIABLES).sort())
  })

  test.each(Object.entries(WRONG))(
    '%s: a wrong value is one line that names it and reveals no secret',
    (name, value) => {
      const lines = refusal({ [name]: value })
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name}: \\S`))])
      expect(lines[0]).not.toContain(SECRET_MARK)
    },
  )

  test('several wrong values are one line each', () => {
    const lines = refusal({ PORT: 'x', SESSION_SECRET: undefined, LOG_LEVEL: 'loud', SMTP_URL: 'mail.example.com' })
    expect(namesIn(lines)).toEqual(['SESSION_SECRET', 'LOG_LEVEL', 'PORT', 'SMTP_URL'])
    expect(namesIn(refusal(WRONG))).toEqual(Object.keys(VARIABLES).filter((name) => !FOUND_LATER.includes(name)))
  })

  test.each(['2', 'many'])(
    'the removed setting SORTIE_API_PROCESSES=%s: one line names the replacement',
    (SORTIE_API_PROCESSES) => {
      expect(refusal({ SORTIE_API_PROCESSES })).toEqual([
        expect.stringMatching(
          /^SORTIE_API_PROCESSES: .*run several services behind a proxy.*docs\/operating\/scale\/processes\.md$/,
        ),
      ])
      expect(readFileSync('docs/operating/scale/processes.md', 'utf8')).toMatch(/^# Several processes\n/)
    },
  )

  test('a rule over several values is reported next to other wrong ones, unless it reads one of those', () => {
    expect(namesIn(refusal({ LOG_LEVEL: 'loud', METRICS_PORT: '3001', BILLING_PROVIDER: 'stripe' }))).toEqual([
      'LOG_LEVEL',
      'METRICS_PORT',
      'BILLING_WEBHOOK_SECRET',
    ])
    expect(namesIn(refusal({ PORT: 'x', METRICS_PORT: '3001', BILLING_PROVIDER: 'magic' }))).toEqual([
      'PORT',
      'BILLING_PROVIDER',
    ])
  })

  test('a secret may be in a file that NAME_FILE names; a missing file is one line', () => {
    const secrets = Object.entries(VARIABLES).filter(([, variable]) => 'secret' in variable)
    const values: Record<string, string> = {
      DATABASE_URL: 'postgres://u:p@db/x',
      REDIS_URL: 'redis://cache',
      SMTP_URL: 'smtp://mail',
      BILLING_WEBHOOK_SECRET: 'one-signing-secret',
      WEBHOOK_RETRY_SECONDS: '5,soon',
      WEBHOOK_DISABLE_AFTER_HOURS: '0',
      CODE_HOSTING_WEBHOOK_SECRET: 'another-signing-secret',
      WORKOS_WEBHOOK_SECRET: 'a-third-signing-secret',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
    }
    const env: Record<string, string> = {}
    for (const [name] of secrets) {
      env[`${name}_FILE`] = path.join(directory, name)
      writeFileSync(path.join(directory, name), `${values[name] ?? `${SESSION_SECRET} ${name}`}\n`)
    }
    const config = parseConfig(env)
    for (const [name] of secrets)
      expect([config[name as VariableName]].flat()).toEqual([values[name] ?? `${SESSION_SECRET} ${name}`])
    expect(refusal({ SESSION_SECRET: undefined, SESSION_SECRET_FILE: path.join(directory, 'nothing') })).toEqual([
      expect.stringMatching(/^SESSION_SECRET: SESSION_SECRET_FILE: \/.* does not exist$/),
    ])
  })

  test('an unreadable secret file is one line', () => {
    expect(refusal({ SESSION_SECRET: undefined, SESSION_SECRET_FILE: directory })).toEqual([
      expect.stringMatching(/^SESSION_SECRET: SESSION_SECRET_FILE: .* cannot be read by user \S+ \(EISDIR\)$/),
    ])
  })

  test.each([
    [
      `${SECRET_MARK},${SESSION_SECRET}`,
      /^SESSION_SECRET: the first value \(new, before the comma\) must have at least 32/,
    ],
    [`${SESSION_SECRET},${SECRET_MARK}`, /^SESSION_SECRET: the second value \(former, after the comma\) must have/],
    [`${SESSION_SECRET},`, /^SESSION_SECRET: the second value/],
    [`${SECRET_MARK},${SECRET_MARK} and more`, /^SESSION_SECRET: the first value .* and the second value .* must have/],
    [`${SESSION_SECRET},${SESSION_SECRET},${SECRET_MARK}`, /^SESSION_SECRET: has 3 values separated by commas/],
  ])('SESSION_SECRET %#: a comma with a wrong part is one line that says which and shows none', (secret, expected) => {
    const lines = refusal({ SESSION_SECRET: secret })
    expect(lines).toEqual([expect.stringMatching(expected)])
    for (const part of secret.split(',').filter((text) => text !== '')) expect(lines[0]).not.toContain(part)
  })

  test('DATABASE_MEMORY_MB next to DATABASE_URL is one line that names the setting of that Postgres', () => {
    expect(refusal({ DATABASE_URL: 'postgres://db/x', DATABASE_MEMORY_MB: '64' })).toEqual([
      expect.stringMatching(/^DATABASE_MEMORY_MB: .*shared_buffers of the Postgres in DATABASE_URL/),
    ])
  })

  test('S28: there is no default password, whatever the address of the server', () => {
    for (const env of [{}, { HOST: '0.0.0.0' }, { FRONTEND_URL: 'https://sortie.example.com' }]) {
      expect(parseConfig({ SESSION_SECRET, ...env }).ADMIN_PASSWORD).toBeUndefined()
    }
  })

  test('docs/operating.md lists exactly the existing variables', () => {
    const text = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
    const listed = [...text.matchAll(/^\| `([A-Z][A-Z0-9_]+)` /gm)].map(([, name]) => name as string)
    expect(listed.sort()).toEqual(Object.keys(VARIABLES).sort())
  })
})
