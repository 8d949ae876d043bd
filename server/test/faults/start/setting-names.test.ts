import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { VARIABLES } from '../../../src/platform/config.ts'
import { sortie } from '../../support/app/operator.ts'
import { createStage, SESSION_SECRET } from '../../support/app/server-process.ts'

const stage = createStage()
afterAll(() => stage.close())

const NAMES = Object.entries(VARIABLES).flatMap(([name, variable]) =>
  'secret' in variable ? [name, `${name}_FILE`] : [name],
)
const VALUE = 'tell-nobody'

/** Each name with each of its letters left out, replaced, or preceded by another, and with one more at the end. */
const edited = (name: string): string[] => {
  const found = [...name].flatMap((_, at) => [
    name.slice(0, at) + name.slice(at + 1),
    `${name.slice(0, at)}${name[at] === 'X' ? 'Y' : 'X'}${name.slice(at + 1)}`,
    `${name.slice(0, at)}Q${name.slice(at)}`,
  ])
  return [...found, `${name}S`].filter((typo) => /^[A-Z]/.test(typo) && !NAMES.includes(typo))
}
const TYPOS = [...new Set(NAMES.flatMap(edited))]

const checkConfig = (names: readonly string[], env: Record<string, string> = {}) => {
  const file = path.join(stage.directory(), 'settings')
  writeFileSync(file, names.map((name) => `${name}=${VALUE}\n`).join(''))
  return sortie(['check-config'], path.join(stage.directory(), 'data'), { ENV_FILE: file, ...env })
}
const namesIn = (err: string) =>
  err
    .trimEnd()
    .split('\n')
    .map((line) => /^sortie: (\w+): /.exec(line)?.[1])

describe('O3: a setting with a typo', () => {
  test('in the settings file is refused: each name with each single edit is one line that suggests a name, and exit code 78', async () => {
    expect(TYPOS.length).toBeGreaterThan(2_000)
    const { code, out, err } = await checkConfig(TYPOS)
    expect(code).toBe(78)
    expect(out).toBe('')
    expect(namesIn(err).toSorted()).toEqual(TYPOS.toSorted())
    const lines = err.trimEnd().split('\n')
    expect(
      lines.filter((line) => !/ is in \S+settings, but is not a setting; did you mean [A-Z0-9_]+\?$/.test(line)),
    ).toEqual([])
    expect(err).toContain('sortie: DATABSE_URL: ')
    expect(err).toMatch(/DATABSE_URL: .*did you mean DATABASE_URL\?/)
    expect(err).not.toContain(VALUE)
  })

  test('in the environment is refused in the same way if the name has at least 8 letters', async () => {
    const [long, short] = [TYPOS.filter((name) => name.length >= 8), TYPOS.filter((name) => name.length < 8)]
    expect(short.length).toBeGreaterThan(10)
    const { code, err } = await checkConfig([], Object.fromEntries(TYPOS.map((name) => [name, VALUE])))
    expect(code).toBe(78)
    expect(namesIn(err).toSorted()).toEqual(long.toSorted())
    expect(err).toMatch(/DATABSE_URL: is in the environment, but is not a setting; did you mean DATABASE_URL\?/)
    expect(err).not.toContain(VALUE)
  })
})

test('O3: a name in the settings file that is similar to no setting is refused, too; a file for a value that is not secret has its own message', async () => {
  const { code, err } = await checkConfig(['POSTGRES_PASSWORD', 'STORAGE_PATH_FILE', 'database_url'])
  expect(code).toBe(78)
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^sortie: POSTGRES_PASSWORD: .*is not a setting; docs\/operating\.md lists them all$/),
    expect.stringMatching(
      /^sortie: STORAGE_PATH_FILE: .*; STORAGE_PATH takes its value itself, not the name of a file$/,
    ),
    expect.stringMatching(/^sortie: database_url: .*did you mean DATABASE_URL\?$/),
  ])
})

test('O3: variables of Node, npm, our scripts and other programs in the environment are ignored', async () => {
  // Variables of containers and their links, of Postgres, Redis and mail in other programs, of shells and desktops.
  const others = `HOSTNAME LOGNAME LANGUAGE PGDATA PGHOST PGPASSWORD PGDATABASE PGSSLMODE POSTGRES_URL DATABASE_HOST DATABASE_PORT DATABASE_USER
    DATABASE_NAME DATABASE_PASSWORD DB_URL REDIS_PORT REDIS_HOST REDIS_SERVICE_HOST REDIS_PORT_6379_TCP REDIS_PASSWORD SORTIE_PORT
    SORTIE_SERVICE_HOST SORTIE_SERVICE_PORT SMTP_HOST SMTP_PORT SMTP_USER SMTP_FROM SMTP_PASSWORD MAIL_HOST MAIL_PORT MAIL_USER MAILNAME
    XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS XDG_RUNTIME_DIR SSH_AUTH_SOCK GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS JOURNAL_STREAM
    STATE_DIRECTORY RUNTIME_DIRECTORY INVOCATION_ID SYSTEMD_EXEC_PID LISTEN_FDS HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE
    AWS_REGION AWS_PROFILE AWS_DEFAULT_REGION KUBERNETES_SERVICE_HOST KUBERNETES_PORT OTEL_LOGS_EXPORTER OTEL_RESOURCE_ATTRIBUTES
    SENTRY_DSN VIRTUAL_HOST LETSENCRYPT_EMAIL NODE_ENV NODE_OPTIONS_EXTRA NPM_CONFIG_LOGLEVEL npm_package_name npm_config_cache
    SORTIE_LAUNCHED TEST_DATABASE_URL CLIENT_ID CLIENT_SECRET API_KEY WEBHOOK_SECRET SECRET_KEY APP_SECRET PUBLIC_URL BASE_URL`
  const { code, err } = await checkConfig([], {
    SESSION_SECRET,
    ...Object.fromEntries(others.split(/\s+/).map((name) => [name, 'x'])),
  })
  expect(err).toBe('')
  expect(code).toBe(0)
})
