import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, SESSION_SECRET } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { databaseNamed } from '../../support/database/database-named.ts'
import { queryAt } from '../../support/database/external-postgres.ts'

const stage = createStage()
afterEach(() => stage.close())

const SECRET_MARK = 'tell-nobody'

describe('wrong settings', () => {
  test('are one line each on standard error, then exit code 78; nothing is created, and the environment takes precedence over the file', async () => {
    const file = path.join(stage.directory(), 'settings')
    writeFileSync(file, 'PORT=wrong\nLOG_LEVEL=loud\n')
    const env = { ENV_FILE: file, SESSION_SECRET: undefined, SMTP_URL: `https://user:${SECRET_MARK}@localhost` }
    const server = await stage.server({ env, firstStart: true })
    expect((await server.exited).code).toBe(78)
    expect(server.stdout).toBe('')
    expect(server.errorLines).toEqual([
      expect.stringMatching(/^sortie: SESSION_SECRET: is missing/),
      'sortie: LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      expect.stringMatching(/^sortie: SMTP_URL: /),
    ])
    expect(server.stderr).not.toContain(SECRET_MARK)
    expect(existsSync(server.dataDir)).toBe(false)
  })

  nightly('in an unreadable file are one line, and exit code 78', async () => {
    const server = await stage.server({ env: { ENV_FILE: stage.directory() }, firstStart: true })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([
      expect.stringMatching(/^sortie: ENV_FILE: .* cannot be read by user \S+ \(EISDIR\)/),
    ])
  })

  test('O14: an ENV_FILE that does not exist is one line that names the file, and exit code 78', async () => {
    const file = path.join(stage.directory(), 'no-such-settings')
    const server = await stage.server({ env: { ENV_FILE: file }, firstStart: true })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([`sortie: ENV_FILE: ${file} does not exist`])
  })

  nightly.each(['DATA_DIR', 'STORAGE_PATH'])(
    '%s: a path that is a file is one line that names it, and exit code 78',
    async (name) => {
      const file = path.join(stage.directory(), 'file')
      writeFileSync(file, '')
      const server = await stage.server({ env: { [name]: path.join(file, 'below') }, firstStart: true })
      expect((await server.exited).code).toBe(78)
      expect(server.errorLines).toEqual([expect.stringMatching(new RegExp(`^sortie: ${name}: `))])
    },
  )
})

test('P3: secrets never appear in the log or at the terminal, whichever connection fails', async () => {
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
  await eventually(() =>
    expect(server.log.filter(({ msg }) => msg.startsWith('the database does not answer')).length).toBeGreaterThan(1),
  )
  expect((await server.stop()).code).toBe(0)
  expect(server.log.length).toBeGreaterThan(1)
  expect(server.stdout + server.stderr).not.toContain(SECRET_MARK)
})

const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
/** Missing in /etc/passwd, as in containers that run with an arbitrary user. */
const NAMELESS = 54_321

test('DATABASE_URL: a database that does not exist is one line that names it, and exit code 78', async () => {
  const server = await stage.server({
    env: { DATABASE_URL: databaseUrl(databaseNamed(inject('postgres'), 'nothing_of_this_name')) },
  })
  expect((await server.exited).code).toBe(78)
  expect(server.errorLines).toEqual([
    expect.stringMatching(/^sortie: DATABASE_URL: the database refused the connection/),
  ])
})

test('O12: a role that may not create tables is one line that names DATABASE_URL and the right, and exit code 78', async () => {
  const admin = databaseUrl(databaseNamed(inject('postgres'), 'postgres'))
  await queryAt(admin, 'drop database if exists without_rights')
  await queryAt(admin, 'drop role if exists poor_server')
  await queryAt(admin, 'create role poor_server login')
  await queryAt(admin, 'create database without_rights')
  const url = databaseUrl(databaseNamed(inject('postgres'), 'without_rights'))
  const server = await stage.server({
    env: { DATABASE_URL: url.replace(/user=[^&]*/, 'user=poor_server').replace(/\/\/[^/@]+@/, '//poor_server@') },
  })
  expect((await server.exited).code).toBe(78)
  expect(server.errorLines).toEqual([
    expect.stringMatching(
      /^sortie: DATABASE_URL: the role may not create the tables of Sortie \(permission denied for schema public\): let it own the database, or grant it CREATE/,
    ),
  ])
})

nightly('HOST: an address of another machine is one line that names it, and exit code 78', async () => {
  const server = await stage.server({ env: { HOST: 'no such host' } })
  expect((await server.exited).code).toBe(78)
  expect(server.errorLines).toEqual([expect.stringMatching(/^sortie: HOST, PORT: cannot listen on no such host /)])
})

describe('F9: an unusable data directory is one clear line and exit code 78:', () => {
  const refusal = async (dataDir: string, uid?: number) => {
    const server = await stage.server({
      dataDir,
      env: { STORAGE_PATH: stage.directory(0o777) },
      ...(uid !== undefined && { uid }),
    })
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

  test('a directory without a database', async () => {
    expect(await refusal(cluster({ 'notes.txt': 'mine' }))).toMatch(/DATA_DIR: .* is not a whole Postgres directory/)
  })

  nightly.each(['17', '19'])('a database of Postgres %s', async (version) => {
    const line = await refusal(cluster({ PG_VERSION: `${version}\n`, 'global/pg_control': 'x' }))
    expect(line).toMatch(new RegExp(`DATA_DIR: .* was made by Postgres ${version}, this build brings 18`))
    expect(line).toContain('docs/operating/database/postgres.md')
  })

  test.runIf(isNightly && isRoot)('a read-only directory', async () => {
    const dataDir = stage.directory(0o555)
    expect(await refusal(dataDir, NOBODY)).toMatch(/DATA_DIR: .* cannot be used by user nobody \(EACCES\)/)
  })

  test.runIf(isNightly && isRoot)('a database of another user', async () => {
    const dataDir = cluster({ PG_VERSION: '18\n', 'global/pg_control': 'x' })
    chmodSync(path.join(dataDir, 'postgres'), 0o700)
    expect(await refusal(dataDir, NOBODY)).toMatch(/DATA_DIR: .* belongs to user root, and this is user nobody/)
  })

  test.runIf(isNightly && isRoot)('a user without a name, whom Postgres refuses', async () => {
    expect(await refusal(stage.directory(0o777), NAMELESS)).toMatch(
      /^sortie: DATABASE_URL: .* a user without a name \(uid 54321\); add the user/,
    )
  })
})
