import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSortie, sortie } from '../../support/app/operator.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { openUpload } from '../../support/clients/slow-upload.ts'
import { asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'
import { filesBelow, filesOf, newEngagement, sha256 } from '../../support/document/files.ts'
import { type S3Server, startS3Server } from '../../support/storage/s3-server.ts'

const stage = createStage()
let s3: S3Server

beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => {
  await stage.close()
  await s3.close()
})

const objectsBelow = (prefix: string) =>
  filesBelow(path.join(s3.directory, prefix)).filter((name) => /fil_[^/]+\._S3rver_object$/.test(name))
const idOf = (name: string) => path.basename(name).split('.')[0] as string

/** A server on this database, with files of these sizes. */
const serve = async (env: Record<string, string>, sizes: readonly number[]) => {
  const server = await stage.server({ env })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const files = filesOf(await newEngagement(key))
  const stored: { id: string; bytes: Buffer }[] = []
  for (const [index, size] of sizes.entries()) {
    const bytes = randomBytes(size)
    const sent = openUpload(
      `${server.origin}${files}?fileName=${index}`,
      key.headers['authorization'] as string,
      bytes.length,
    )
    await sent.send(bytes)
    sent.end()
    const answer = await sent.answer
    expect(answer?.status, answer?.body).toBe(201)
    stored.push({ id: JSON.parse(answer?.body as string).data.id, bytes })
  }
  return { server, key, files, stored }
}

const download = async (url: string, headers: Record<string, string>) => {
  const response = await fetch(url, { headers })
  return Buffer.from(await response.arrayBuffer())
}

test('U7: a server with its files in a bucket that is killed during an upload in parts and after one: every row has its object', async () => {
  const settings = await copyTemplate()
  const env = { DATABASE_URL: databaseUrl(settings), ...s3.env('kills') }
  const { server, key, files, stored } = await serve(env, [1_000, 7_000_000])
  const authorization = key.headers['authorization'] as string
  const cut = openUpload(`${server.origin}${files}?fileName=cut`, authorization, 20_000_000)
  await cut.send(randomBytes(12_000_000))
  await server.kill()
  const again = await stage.server({ env, port: server.port })
  await again.ready()
  const rows = await asSuperuserRows<{ id: string }>(settings, 'select id from files order by id')
  expect(rows.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toSorted())
  expect(objectsBelow('kills').map(idOf).toSorted()).toEqual(rows.map(({ id }) => id))
  for (const { id, bytes } of stored)
    expect((await download(`${again.origin}${files}/${id}`, key.headers)).equals(bytes)).toBe(true)
})

test('move-storage, killed while it copies: the next call goes on, finds a damaged file, and at last only the new place is accepted', async () => {
  const settings = await copyTemplate()
  const directory = stage.directory()
  const local = { DATABASE_URL: databaseUrl(settings), STORAGE_PATH: directory }
  const { server, key, files, stored } = await serve(local, [...Array.from({ length: 30 }, () => 400_000), 6_000_000])
  await server.stop()
  const { STORAGE_URL: url, ...keys } = s3.env('moved')
  const args = ['move-storage', '--to', url as string]
  const first = startSortie(args, stage.directory(), { ...local, ...keys })
  await eventually(() => expect(objectsBelow('moved').length).toBeGreaterThan(3))
  first.child.kill('SIGKILL')
  await first.finished
  const victim = filesBelow(directory).find((name) => name.endsWith(stored.at(-1)?.id as string)) as string
  const whole = readFileSync(path.join(directory, victim))
  writeFileSync(path.join(directory, victim), 'damaged')
  const damaged = await sortie(args, stage.directory(), { ...local, ...keys })
  expect(damaged.err).toMatch(/damaged: fil_.*\n.* lacks 0 of the files, and 1 are damaged there/)
  expect(damaged.code).toBe(1)
  expect(damaged.out).toContain('31 files, ')
  writeFileSync(path.join(directory, victim), whole)
  const moved = await sortie(args, stage.directory(), { ...local, ...keys })
  expect(moved.out).toMatch(/31 files, .*: 1 were copied to s3:.*\n[\s\S]*Set STORAGE_URL=s3:/)
  expect(moved.code).toBe(0)
  const former = await sortie(['clean-storage'], stage.directory(), local)
  expect(former).toMatchObject({ code: 78, err: expect.stringMatching(/were moved to s3:\/\/files\/moved\//) })
  rmSync(directory, { recursive: true })
  const env = { DATABASE_URL: local.DATABASE_URL, STORAGE_URL: url as string, ...keys } as Record<string, string>
  const next = await stage.server({ env, port: server.port })
  await next.ready()
  for (const { id, bytes } of stored)
    expect(sha256(await download(`${next.origin}${files}/${id}`, key.headers))).toBe(sha256(bytes))

  const parent = stage.directory()
  const backup = path.join(parent, 'backup')
  expect(await sortie(['backup', backup], stage.directory(), env)).toMatchObject({ code: 0 })
  expect(await sortie(['verify', backup], stage.directory(), env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('31 files'),
  })
  mkdirSync(path.join(parent, 'data'))
  const restored = await sortie(['restore', backup, '--keep-keys'], path.join(parent, 'data'), s3.env('restored'))
  expect(restored).toMatchObject({ code: 0 })
  expect(objectsBelow('restored').map(idOf).toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
})

test('a bucket that belongs to another database, or is not there, is one line and exit code 78', async () => {
  const env = { DATABASE_URL: databaseUrl(await copyTemplate()), ...s3.env('bound') }
  const { server } = await serve(env, [10])
  await server.stop()
  const other = await stage.server({ env: { ...env, DATABASE_URL: databaseUrl(await copyTemplate()) } })
  expect((await other.exited).code).toBe(78)
  const missing = {
    ...env,
    STORAGE_URL: (s3.env('bound')['STORAGE_URL'] as string).replace('s3://files', 's3://missing'),
  }
  const refused = await sortie(['check-config'], stage.directory(), missing)
  expect(refused).toMatchObject({
    code: 78,
    err: expect.stringMatching(/^sortie: STORAGE_URL: there is no bucket missing at .*\n$/),
  })
})
