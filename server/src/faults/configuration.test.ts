import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { parseConfig, VARIABLES, type VariableName } from '../platform/config.ts'
import type { ConfigurationError } from '../platform/errors.ts'
import { createStage, eventually, SESSION_SECRET } from '../testing/server-process.ts'

const stage = createStage()
afterEach(() => stage.close())

const SECRET_MARK = 'tell-nobody'

/** A wrong value for every variable there is; a variable without one must accept any text. */
const WRONG: Partial<Record<VariableName, string>> = {
  PORT: '65536',
  HOST: 'no such host',
  FRONTEND_URL: 'ftp://example.com',
  DATABASE_URL: `mysql://user:${SECRET_MARK}@localhost/db`,
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
  OVERLOAD_ANSWER_MS: '0',
  OVERLOAD_DELAY_MS: 'none',
  BODY_LIMIT_BYTES: '1e6',
  SORTIE_ROLE: 'queen',
  SORTIE_API_PROCESSES: '0',
  SHUTDOWN_DELAY_SECONDS: '-1',
  LOG_LEVEL: 'loud',
  METRICS_TOKEN: SECRET_MARK,
  BILLING_PROVIDER: 'magic',
  BILLING_WEBHOOK_SECRET: `${SECRET_MARK}\u0007`,
  CODE_HOSTING_WEBHOOK_SECRET: `${SECRET_MARK}\u0007`,
  API_V1_DEPRECATED_AT: 'soon',
  API_V1_SUNSET_AT: 'later',
  CORS_ORIGINS: 'everywhere',
}
/** Directories: what is wrong with them is not their text. */
const DIRECTORIES = ['DATA_DIR', 'STORAGE_PATH']

describe('the configuration', () => {
  test('has a wrong value in this test for every variable', () => {
    expect([...Object.keys(WRONG), ...DIRECTORIES].sort()).toEqual(Object.keys(VARIABLES).sort())
  })

  test.each(Object.entries(WRONG))('%s: a wrong value is one line that names it, and exit code 78', async (name, value) => {
    const server = await stage.server({ env: { ADMIN_PASSWORD: 'a password of ours', [name]: value } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toHaveLength(1)
    expect(server.errorLines[0]).toMatch(new RegExp(`^sortie: [A-Z0-9_, ]*\\b${name}\\b[A-Z0-9_, ]*: `))
    expect(server.stdout + server.stderr).not.toContain(SECRET_MARK)
  })

  test.each(DIRECTORIES)('%s: a path that is a file is one line that names it, and exit code 78', async (name) => {
    const file = path.join(stage.directory(), 'file')
    writeFileSync(file, '')
    const server = await stage.server({ env: { [name]: path.join(file, 'below') } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([expect.stringMatching(new RegExp(`^sortie: ${name}: `))])
  })

  test('several wrong values are one line each', async () => {
    const server = await stage.server({ env: { PORT: 'x', SESSION_SECRET: undefined, LOG_LEVEL: 'loud', SMTP_URL: 'mail.example.com' } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines.map((line) => line.split(': ')[1])).toEqual(['PORT', 'SESSION_SECRET', 'SMTP_URL', 'LOG_LEVEL'])
  })

  test('a rule over several values is told beside other wrong ones, unless it reads one of those', () => {
    const problemsOf = (env: Record<string, string>) => {
      try {
        parseConfig({ SESSION_SECRET, ...env })
        return []
      } catch (error) {
        return (error as ConfigurationError).lines.map((line) => line.split(': ')[0])
      }
    }
    expect(problemsOf({ LOG_LEVEL: 'loud', HOST: '0.0.0.0', BILLING_PROVIDER: 'stripe' })).toEqual(['LOG_LEVEL', 'ADMIN_PASSWORD', 'BILLING_WEBHOOK_SECRET'])
    expect(problemsOf({ PORT: 'x', HOST: '0.0.0.0', BILLING_PROVIDER: 'magic' })).toEqual(['PORT', 'BILLING_PROVIDER'])
  })

  test('a secret may stand in a file that NAME_FILE names; a missing file is one line', async () => {
    const directory = stage.directory()
    const secrets = Object.entries(VARIABLES).filter(([, variable]) => 'secret' in variable)
    const values: Record<string, string> = {
      DATABASE_URL: 'postgres://u:p@db/x',
      REDIS_URL: 'redis://cache',
      SMTP_URL: 'smtp://mail',
      BILLING_WEBHOOK_SECRET: 'one-signing-secret',
      CODE_HOSTING_WEBHOOK_SECRET: 'another-signing-secret',
      WORKOS_WEBHOOK_SECRET: 'a-third-signing-secret',
    }
    const env: Record<string, string> = {}
    for (const [name] of secrets) {
      env[`${name}_FILE`] = path.join(directory, name)
      writeFileSync(path.join(directory, name), `${values[name] ?? `${SESSION_SECRET} ${name}`}\n`)
    }
    const config = parseConfig(env)
    for (const [name] of secrets) expect([config[name as VariableName]].flat()).toEqual([values[name] ?? `${SESSION_SECRET} ${name}`])
    const server = await stage.server({ env: { SESSION_SECRET: undefined, SESSION_SECRET_FILE: path.join(directory, 'nothing') } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual(['sortie: SESSION_SECRET: SESSION_SECRET_FILE points at a file that does not exist'])
  })

  test('a secret file that cannot be read is one line', async () => {
    const server = await stage.server({ env: { SESSION_SECRET: undefined, SESSION_SECRET_FILE: stage.directory() } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([expect.stringMatching(/^sortie: SESSION_SECRET: SESSION_SECRET_FILE cannot be read/)])
  })

  test('the environment wins over the file', async () => {
    const file = path.join(stage.directory(), 'settings')
    writeFileSync(file, 'PORT=wrong\nLOG_LEVEL=loud\n')
    const server = await stage.server({ env: { ENV_FILE: file } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual(['sortie: LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent'])
  })

  test.each([
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.0.2.1'],
    ['FRONTEND_URL', 'https://sortie.example.com'],
    ['FRONTEND_URL', 'http://127.0.0.1.example.com'],
  ])('S14: the default password is refused with %s=%s', async (name, value) => {
    const refused = await stage.server({ env: { [name]: value } })
    expect((await refused.exited).code).toBe(78)
    expect(refused.errorLines).toEqual([expect.stringMatching(/^sortie: ADMIN_PASSWORD: the default is refused/)])
    expect(refused.stderr).not.toContain('sortie-change-me')
    expect(existsSync(refused.dataDir)).toBe(false)
    expect(() => parseConfig({ SESSION_SECRET, [name]: value, ADMIN_PASSWORD: 'a password of ours' })).not.toThrow()
  })

  test.each(['http://localhost:3001', 'http://127.0.0.1:3001', 'http://[::1]:3001', 'http://sortie.localhost'])(
    'S14: the default password is taken for %s',
    (url) => {
      expect(parseConfig({ SESSION_SECRET, FRONTEND_URL: url }).FRONTEND_URL).toBe(url)
    },
  )

  test('P3: secrets never show in the log or at the terminal, whatever goes wrong with what they open', async () => {
    const server = await stage.server({
      env: {
        LOG_LEVEL: 'trace',
        DATABASE_URL: `postgres://sortie:${SECRET_MARK}@127.0.0.1:9/db`,
        REDIS_URL: `redis://:${SECRET_MARK}@127.0.0.1:9`,
        SMTP_URL: `smtp://user:${SECRET_MARK}@127.0.0.1:9`,
        SESSION_SECRET: `${SECRET_MARK} ${SESSION_SECRET}`,
        ADMIN_PASSWORD: `${SECRET_MARK} password`,
        METRICS_TOKEN: `${SECRET_MARK} ${SESSION_SECRET}`,
      },
    })
    await eventually(async () => expect(await server.health()).toBe(503))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect((await server.stop()).code).toBe(0)
    expect(server.log.length).toBeGreaterThan(1)
    expect(server.stdout + server.stderr).not.toContain(SECRET_MARK)
  })

  test('docs/operating.md lists exactly the variables there are', () => {
    const text = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
    const listed = [...text.matchAll(/^\| `([A-Z][A-Z0-9_]+)` /gm)].map(([, name]) => name as string)
    expect(listed.sort()).toEqual(Object.keys(VARIABLES).sort())
  })
})

const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

describe('F9: a data directory that cannot be used is one clear line and exit code 78:', () => {
  const refusal = async (dataDir: string, uid?: number) => {
    const server = await stage.server({ dataDir, env: { STORAGE_PATH: stage.directory(0o777) }, ...(uid !== undefined && { uid }) })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toHaveLength(1)
    return server.errorLines[0] as string
  }
  const cluster = (files: Record<string, string>) => {
    const dataDir = stage.directory(0o777)
    mkdirSync(path.join(dataDir, 'postgres', 'global'), { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dataDir, 'postgres', name), text)
    return dataDir
  }

  test('a directory that is no database', async () => {
    expect(await refusal(cluster({ 'notes.txt': 'mine' }))).toMatch(/DATA_DIR: .* is not a whole Postgres directory/)
  })

  test.each(['17', '19'])('a database of Postgres %s', async (version) => {
    const line = await refusal(cluster({ PG_VERSION: `${version}\n`, 'global/pg_control': 'x' }))
    expect(line).toMatch(new RegExp(`DATA_DIR: .* was made by Postgres ${version}, this build brings 18`))
    expect(line).toContain('docs/operating.md')
  })

  test.runIf(isRoot)('a directory that may only be read', async () => {
    const dataDir = stage.directory(0o555)
    expect(await refusal(dataDir, NOBODY)).toMatch(/DATA_DIR: .* cannot be used by this user \(EACCES\)/)
  })

  test.runIf(isRoot)('a database of another user', async () => {
    const dataDir = cluster({ PG_VERSION: '18\n', 'global/pg_control': 'x' })
    chmodSync(path.join(dataDir, 'postgres'), 0o700)
    expect(await refusal(dataDir, NOBODY)).toMatch(/DATA_DIR: .* belongs to another user \(uid 0\)/)
  })
})
