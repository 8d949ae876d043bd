import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { openUpload } from '../../support/clients/slow-upload.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { filesBelow, filesOf, newEngagement } from '../../support/document/files.ts'
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

test('a portable backup of a bucket is whole, and is restored into another place of the bucket', async () => {
  const env = { DATABASE_URL: databaseUrl(await copyTemplate()), ...s3.env('original') }
  const { server, stored } = await serve(env, [...Array.from({ length: 5 }, () => 400_000), 6_000_000])
  await server.stop()
  const parent = stage.directory()
  const backup = path.join(parent, 'backup')
  expect(await sortie(['backup', backup], stage.directory(), env)).toMatchObject({ code: 0 })
  expect(await sortie(['verify', backup], stage.directory(), env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('6 files'),
  })
  mkdirSync(path.join(parent, 'data'))
  const restored = await sortie(['restore', backup, '--keep-keys'], path.join(parent, 'data'), s3.env('restored'))
  expect(restored).toMatchObject({ code: 0 })
  expect(objectsBelow('restored').map(idOf).toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
})

test('a bucket that belongs to another database, is not there, or gets a wrong secret, is one line and exit code 78', async () => {
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
  const wrongSecret = { ...env, AWS_SECRET_ACCESS_KEY: 'another secret' }
  expect(await sortie(['check-config'], stage.directory(), wrongSecret)).toMatchObject({
    code: 78,
    err: expect.stringMatching(
      /^sortie: STORAGE_URL: the bucket files .*: AWS_SECRET_ACCESS_KEY is not that of the access key \(SignatureDoesNotMatch\)\n$/,
    ),
  })
})
