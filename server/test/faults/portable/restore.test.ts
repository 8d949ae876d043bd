import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { formatManifest, type Manifest } from '@sortie/embedded-postgres/backup/manifest.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { type Finished, sortie, startSortie } from '../../support/app/operator.ts'
import { createStage, eventually, postgresPid, type ServerProcess } from '../../support/app/server-process.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { contentOf, startWriters } from '../backup/backup-writers.ts'
import { contradictions, onDatabase, seenWithoutScope, tableChecksums } from './database-state.ts'

const ENGAGEMENTS = '/api/v1/engagements'
/** No server listens there: mails wait. */
const NO_MAIL_SERVER = { SMTP_URL: 'smtp://127.0.0.1:9' }

const stage = createStage()
afterAll(() => stage.close())

const newDirectory = () => path.join(stage.directory(), 'data')
const at = ({ origin }: ServerProcess, { headers }: TestClient) => new TestClient(origin, headers)
const succeed = async (running: Promise<Finished>): Promise<string> => {
  const { code, out, err } = await running
  expect(err).not.toContain('sortie:')
  expect(code).toBe(0)
  return out
}
const refusal = (line: RegExp) => ({
  code: 78,
  out: '',
  err: expect.stringMatching(new RegExp(`^sortie: ${line.source}\\n$`)),
})

nightly(
  'F21: a backup during writes has everything acknowledged before, no partial changes, and a file for every row; two restores of it are equal',
  {
    timeout: 180_000,
  },
  async () => {
    const server = await stage.server({ env: { ...NO_MAIL_SERVER, INVITATION_LIMIT_PER_HOUR: '1000000' } })
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin))
    const backup = path.join(stage.directory(), 'backup')
    const { written, stop } = startWriters(key, {
      host: path.join(server.dataDir, 'postgres'),
      port: 5432,
      user: 'sortie',
      database: 'sortie',
    })
    await eventually(
      () =>
        expect(Math.min(written.engagements.length, written.invitations.length, written.files.length)).toBeGreaterThan(
          20,
        ),
      60_000,
    )
    const before = structuredClone(written)
    const out = await succeed(sortie(['backup', backup], server.dataDir))
    const after = written.engagements.length
    await stop()
    expect(after).toBeGreaterThan(before.engagements.length)
    expect(out).toContain('SESSION_SECRET is not in it')
    expect((await server.stop()).code).toBe(0)

    const [first, second] = [newDirectory(), newDirectory()]
    for (const dataDir of [first, second]) await succeed(sortie(['restore', backup, '--keep-keys'], dataDir))
    const { names, uploaded } = await onDatabase(first, async (client) => {
      expect(await contradictions(client)).toEqual([])
      const walls = await seenWithoutScope(client)
      expect(walls.walled).toBeGreaterThanOrEqual(10)
      expect(walls.seen).toBe(0)
      const { rows } = await client.query<{ name: string }>(
        'select name from engagements union all select email from invitations union all select file_name from files',
      )
      const files = await client.query<{ id: string; file_name: string }>('select id, file_name from files')
      return { names: new Set(rows.map(({ name }) => name)), uploaded: files.rows }
    })
    expect([...before.engagements, ...before.invitations, ...before.files].filter((name) => !names.has(name))).toEqual(
      [],
    )
    // It was made during the writes, not after they had stopped.
    expect(written.engagements.filter((name) => !names.has(name)).length).toBeGreaterThan(0)
    const files = readdirSync(path.join(first, 'uploads'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const contents = new Map(
      files.map((entry) => [entry.name, readFileSync(path.join(entry.parentPath, entry.name), 'utf8')]),
    )
    expect(uploaded.length).toBeGreaterThanOrEqual(before.files.length)
    expect(uploaded.filter(({ id, file_name: name }) => contents.get(id) !== contentOf(name))).toEqual([])
    const checksums = await Promise.all([onDatabase(first, tableChecksums), onDatabase(second, tableChecksums)])
    expect(Object.keys(checksums[0]).length).toBeGreaterThan(20)
    expect(checksums[0]).toEqual(checksums[1])

    const restored = await stage.server({ dataDir: first })
    await restored.ready()
    expect((await at(restored, key).post(ENGAGEMENTS, { name: 'Goes on' })).status).toBe(201)
    expect((await restored.stop()).code).toBe(0)
  },
)

describe('a small backup', () => {
  let backup = ''
  let out = ''
  const setUp = async () => {
    if (backup) return
    const server = await stage.server({ env: NO_MAIL_SERVER })
    await server.ready()
    people.owner = await signInAsOwner(server.origin)
    people.kept = await withNewKey(people.owner)
    const deleted = await withNewKey(people.owner)
    people.deleted = deleted
    expect(
      (
        await people.kept.post('/api/v1/organizations/current/members/invite', {
          email: 'held@example.com',
          role: 'member',
        })
      ).status,
    ).toBe(201)
    const made = path.join(stage.directory(), 'backup')
    out = await succeed(sortie(['backup', made], server.dataDir))
    expect((await people.owner.delete(`/api/web/api-keys/${deleted.keyId}`)).status).toBe(200)
    expect((await deleted.get(ENGAGEMENTS)).status).toBe(401)
    people.running = server
    backup = made
  }
  const people = {} as { owner: TestClient; kept: TestClient; deleted: TestClient; running: ServerProcess }

  test('F21: restored with --rekey, no earlier key or session works, an invitation is revoked and no mail is sent; each organization has it in its audit log', async () => {
    await setUp()
    expect(out).toMatch(/\d+ files, [\d.]+ MB; the database as of 20/)
    const dataDir = newDirectory()
    expect(await succeed(sortie(['restore', backup, '--rekey'], dataDir))).toMatch(
      /Ended: 2 API keys, 1 sessions, 1 remembered devices, 1 invitations/,
    )
    const server = await stage.server({ dataDir })
    await server.ready()
    for (const key of [people.kept, people.deleted]) expect((await at(server, key).get(ENGAGEMENTS)).status).toBe(401)
    expect((await at(server, people.owner).get('/api/web/organizations')).status).toBe(401)
    const owner = await signInAsOwner(server.origin)
    expect((await owner.get('/api/web/invitations')).body.data).toMatchObject([
      { email: 'held@example.com', status: 'revoked' },
    ])
    const { data } = (await owner.get('/api/web/audit?action=organization.restored')).body
    expect(data).toMatchObject([
      { actor: { name: "operator's command" }, after: { keysKept: false, apiKeysDeleted: 2, invitationsRevoked: 1 } },
    ])
    expect((await (await withNewKey(owner)).get(ENGAGEMENTS)).status).toBe(200)
    // The worker that ran when the backup was made is forgotten, not reported as dead.
    expect((await owner.get('/api/health?verbose')).body.components).toContainEqual(
      expect.objectContaining({ name: 'jobs', status: 'ok' }),
    )
    expect((await owner.get('/api/web/account')).body.data.safeMode).toMatchObject({
      reason: expect.stringContaining('restored'),
    })
    const mails = (await owner.get('/api/web/instance/mails?status=failed')).body.data as {
      recipient: string
      lastError: string
    }[]
    expect(mails.find(({ recipient }) => recipient === 'held@example.com')?.lastError).toContain(
      'when the backup was made',
    )
    // Only the sign-in above caused a mail.
    const mailed = existsSync(path.join(dataDir, 'mail')) ? readdirSync(path.join(dataDir, 'mail')).join() : ''
    expect(mailed).not.toContain('held')
    expect((await server.stop()).code).toBe(0)
  })

  nightly(
    'F21, F22: restored with --keep-keys, a key that was deleted since works again, and the command reports it; with another SESSION_SECRET sessions have ended',
    async () => {
      await setUp()
      const dataDir = newDirectory()
      expect(await succeed(sortie(['restore', backup, '--keep-keys'], dataDir))).toContain('WORK AGAIN')
      const server = await stage.server({ dataDir })
      await server.ready()
      expect((await at(server, people.deleted).get(ENGAGEMENTS)).status).toBe(200)
      expect((await at(server, people.owner).get('/api/web/organizations')).status).toBe(200)
      expect((await server.stop()).code).toBe(0)
      const other = await stage.server({
        dataDir,
        env: { SESSION_SECRET: 'another secret than that of the first server' },
      })
      await other.ready()
      expect((await at(other, people.owner).get('/api/web/organizations')).status).toBe(401)
      expect((await at(other, people.kept).get(ENGAGEMENTS)).status).toBe(200)
      expect((await (await signInAsOwner(other.origin)).get('/api/web/organizations')).status).toBe(200)
      expect((await other.stop()).code).toBe(0)
    },
  )

  nightly('F21: rekey has the same effect on a database restored by other means as --rekey', async () => {
    await setUp()
    const dataDir = newDirectory()
    await succeed(sortie(['restore', backup, '--keep-keys'], dataDir))
    expect(await succeed(sortie(['rekey'], dataDir))).toMatch(/Ended: 2 API keys, 1 sessions/)
    const server = await stage.server({ dataDir })
    await server.ready()
    expect((await at(server, people.kept).get(ENGAGEMENTS)).status).toBe(401)
    await server.stop()
  })

  nightly(
    'F21: is refused without the choice, with both choices, and into directories that are not empty or in use',
    async () => {
      await setUp()
      const dataDir = newDirectory()
      for (const args of [[], ['--rekey', '--keep-keys']]) {
        const { code, err } = await sortie(['restore', backup, ...args], dataDir)
        expect(code).toBe(64)
        expect(err.split('\n')[0]).toMatch(/^sortie: choose: --rekey .*--keep-keys/)
      }
      expect(existsSync(dataDir)).toBe(false)
      expect(await sortie(['restore', backup, '--rekey'], people.running.dataDir)).toEqual(
        refusal(/DATA_DIR: a server runs on .*/),
      )
      expect(await people.running.health()).toBe(200)
      mkdirSync(path.join(dataDir, 'uploads'), { recursive: true })
      writeFileSync(path.join(dataDir, 'uploads/mine'), 'mine')
      expect(await sortie(['restore', backup, '--rekey'], dataDir)).toEqual(
        refusal(/DATA_DIR: .* is not empty, it holds uploads\/mine; .*/),
      )
      const storage = { STORAGE_PATH: path.join(dataDir, 'uploads') }
      expect(await sortie(['restore', backup, '--rekey'], newDirectory(), storage)).toEqual(
        refusal(/STORAGE_PATH: .* is not empty; .*/),
      )
      expect(readFileSync(path.join(dataDir, 'uploads/mine'), 'utf8')).toBe('mine')
      expect(await sortie(['backup', backup], people.running.dataDir)).toEqual(
        refusal(/.* is there already: name a new directory/),
      )
      expect(
        await sortie(['restore', backup, '--rekey'], newDirectory(), { DATABASE_URL: 'postgres://localhost/sortie' }),
      ).toEqual(refusal(/DATABASE_URL: .* is a copy of an embedded database's directory, which fits no other: .*/))
    },
  )

  nightly('F21: is refused when a file is damaged or missing, and leaves the directories empty', async () => {
    await setUp()
    const damage = async (change: (copy: string) => void) => {
      const copy = path.join(stage.directory(), 'copy')
      cpSync(backup, copy, { recursive: true })
      change(copy)
      const dataDir = newDirectory()
      const finished = await sortie(['restore', copy, '--rekey'], dataDir)
      // Warnings about this machine only are not damage.
      const verified = await sortie(['verify', copy], dataDir)
      expect([verified.code, verified.err]).toEqual(/damaged/.test(finished.err) ? [78, finished.err] : [0, ''])
      const left = existsSync(dataDir) ? readdirSync(dataDir, { recursive: true }) : []
      expect(left.filter((name) => name !== 'uploads')).toEqual([])
      return finished
    }
    const flip = (file: string) => {
      const bytes = readFileSync(file)
      bytes[100] = (bytes[100] as number) ^ 1
      writeFileSync(file, bytes)
    }
    const control = 'database/global/pg_control'
    expect(await damage((copy) => flip(path.join(copy, control)))).toEqual(
      refusal(/the backup is damaged: .*pg_control has changed since it was written/),
    )
    expect(await damage((copy) => appendFileSync(path.join(copy, control), 'x'))).toEqual(
      refusal(/the backup is damaged: .*pg_control has changed since it was written/),
    )
    expect(await damage((copy) => rmSync(path.join(copy, control)))).toEqual(
      refusal(/the backup is damaged: .*pg_control is missing/),
    )
    expect(await damage((copy) => flip(path.join(copy, 'manifest.json')))).toEqual(
      refusal(/.* is damaged: manifest.json has changed since it was written/),
    )
    const edit = (fields: Partial<Manifest> | { schema: number }) => (copy: string) => {
      const { checksum: _, ...manifest } = JSON.parse(
        readFileSync(path.join(copy, 'manifest.json'), 'utf8'),
      ) as Manifest & { checksum: string }
      writeFileSync(path.join(copy, 'manifest.json'), formatManifest({ ...manifest, ...fields }))
    }
    expect(await damage(edit({ schema: 9_999 }))).toEqual(
      refusal(/.* has schema version 9999, this build knows versions up to .*/),
    )
    expect(await damage(edit({ postgres: '17' }))).toEqual(refusal(/.* was made by Postgres 17, this build brings .*/))
    expect(await damage(edit({ files: [{ path: '../outside', bytes: 0, sha256: '' }] }))).toEqual(
      refusal(/.* is damaged: .*/),
    )
  })

  nightly(
    'F21: killed while it is made, is not a backup; the server stays up, and the next backup reports the leftovers',
    async () => {
      await setUp()
      const target = path.join(stage.directory(), 'backup')
      const leftovers = () => readdirSync(path.dirname(target))
      const { child, finished } = startSortie(['backup', target], people.running.dataDir)
      await eventually(
        () =>
          expect(leftovers().flatMap((name) => readdirSync(path.join(path.dirname(target), name)))).toContain(
            'database',
          ),
        20_000,
        1,
      )
      child.kill('SIGKILL')
      await finished
      const [left] = leftovers() as [string]
      expect(left).toMatch(/^backup\.unfinished-/)
      const unfinished = path.join(path.dirname(target), left)
      expect(await sortie(['restore', unfinished, '--rekey'], newDirectory())).toEqual(
        refusal(/.* is not a backup, or one that was interrupted: .*/),
      )
      expect((await people.kept.get(ENGAGEMENTS)).status).toBe(200)
      const again = await sortie(['backup', target], people.running.dataDir)
      expect(again.code).toBe(0)
      expect(again.err).toBe(`an earlier backup was interrupted and left ${unfinished}: it can be removed\n`)
      const interrupted = startSortie(['backup', `${target}2`], people.running.dataDir)
      await eventually(
        () => expect(leftovers().some((name) => name.startsWith('backup2.unfinished-'))).toBe(true),
        20_000,
        1,
      )
      interrupted.child.kill('SIGTERM')
      expect((await interrupted.finished).err).toContain('interrupted')
      expect(leftovers().filter((name) => name.startsWith('backup2'))).toEqual([])
    },
  )

  nightly('F21: no server starts on a killed restore, whenever it was killed; restored again, it serves', async () => {
    await setUp()
    const moments: readonly ((dataDir: string) => boolean)[] = [
      (dataDir) => existsSync(path.join(dataDir, 'restore.unfinished')),
      (dataDir) => existsSync(path.join(dataDir, 'postgres.restoring/base')),
      (dataDir) => existsSync(path.join(dataDir, 'postgres')),
      (dataDir) => postgresPid(dataDir) !== undefined,
    ]
    for (const isNow of moments) {
      const dataDir = newDirectory()
      const { child, finished } = startSortie(['restore', backup, '--rekey'], dataDir)
      await eventually(() => expect(isNow(dataDir)).toBe(true), 30_000, 1)
      child.kill('SIGKILL')
      await finished
      const server = await stage.server({ dataDir })
      expect((await server.exited).code).toBe(78)
      expect(server.errorLines).toEqual([
        expect.stringMatching(
          /^sortie: DATA_DIR: a restore into .* was interrupted; run "npm run operator -- restore" again; it starts over$/,
        ),
      ])
      if (isNow === moments[0] || isNow === moments[3]) {
        const again = await sortie(['restore', backup, '--rekey'], dataDir)
        expect(again.err).toContain('its files are removed, and the restore starts over')
        expect(again.code).toBe(0)
        const serves = await stage.server({ dataDir })
        await serves.ready()
        expect((await at(serves, people.kept).get(ENGAGEMENTS)).status).toBe(401)
        await serves.stop()
      }
    }
  })

  nightly('F21: a database that was extracted from a backup by hand is not served', async () => {
    await setUp()
    const dataDir = newDirectory()
    mkdirSync(dataDir)
    cpSync(path.join(backup, 'database'), path.join(dataDir, 'postgres'), { recursive: true })
    const server = await stage.server({ dataDir })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([expect.stringContaining('was taken out of a backup by hand')])
  })
})

nightly(
  'F21, F22: a copy that was made as documented while the server was stopped starts elsewhere with every row',
  async () => {
    const first = await stage.server()
    await first.ready()
    const owner = await signInAsOwner(first.origin)
    const key = await withNewKey(owner)
    for (let i = 0; i < 20; i++) expect((await key.post(ENGAGEMENTS, { name: `Kept ${i}` })).status).toBe(201)
    const kept = (await key.get(`${ENGAGEMENTS}?perPage=100`)).body
    expect((await first.stop()).code).toBe(0)

    const backup = path.join(stage.directory(), 'sortie-backup.tgz')
    const tar = (...args: string[]) => expect(spawnSync('tar', args).stderr.toString()).toBe('')
    tar('-C', first.dataDir, '-czpf', backup, '.')
    const dataDir = stage.directory()
    tar('-C', dataDir, '-xzpf', backup)
    const restored = await stage.server({ dataDir })
    await restored.ready()
    expect((await at(restored, key).get(`${ENGAGEMENTS}?perPage=100`)).body).toEqual(kept)
    expect((await at(restored, key).post(ENGAGEMENTS, { name: 'Goes on' })).status).toBe(201)
    expect((await restored.stop()).code).toBe(0)
  },
)
