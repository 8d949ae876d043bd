import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileDump, VanishedFile } from '../../../src/operator/backup/dump/dump-files.ts'
import { createDirectoryStorage } from '../../../src/platform/files/directory/directory-storage.ts'
import { filePath } from '../../../src/platform/files/directory/receive.ts'
import { newId } from '../../../src/platform/ids.ts'
import { copyTemplate, newSuperuser } from '../../support/database/test-databases.ts'
import { sha256 } from '../../support/document/files.ts'

const root = mkdtempSync(path.join(os.tmpdir(), 'sortie-files-'))
const storage = path.join(root, 'storage')
const organizationId = newId('org')
const clients: pg.Client[] = []
let snapshot: pg.Client
let now: pg.Client

beforeAll(async () => {
  const settings = await copyTemplate()
  for (let i = 0; i < 2; i++) clients.push(await newSuperuser(settings))
  ;[snapshot, now] = clients as [pg.Client, pg.Client]
  await now.query(
    `insert into organizations (id, name, slug, plan, created_at, updated_at) values ($1, 'O', 'o', 'free', now(), now())`,
    [organizationId],
  )
})
afterAll(async () => {
  for (const client of clients) await client.end()
  rmSync(root, { recursive: true })
})

const addFile = async (bytes: string): Promise<string> => {
  const id = newId('fil')
  const file = filePath({ root: storage, organizationId, fileId: id })
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  await now.query(
    `insert into files (id, organization_id, owner_type, owner_id, file_name, size, sha256, media_type, created_at) values ($1, $2, 'page', 'wik_1', 'f', $3, $4, 'x', now())`,
    [id, organizationId, bytes.length, sha256(bytes)],
  )
  return id
}
const deleteFile = async (id: string) => {
  await now.query('delete from files where id = $1', [id])
  rmSync(filePath({ root: storage, organizationId, fileId: id }))
}

test('O1: a file that is deleted between the snapshot of a backup and its copy makes another snapshot necessary; one that was copied before stays, and one without a row goes', async () => {
  const backup = path.join(root, 'backup')
  mkdirSync(backup)
  const dump = createFileDump(
    createDirectoryStorage(storage, 'STORAGE_PATH'),
    backup,
    () => undefined,
    new AbortController().signal,
  )
  const [kept, early] = [await addFile('kept'), await addFile('deleted before the snapshot')]
  await dump.copyNew(now)
  await deleteFile(early)
  const late = await addFile('deleted after the snapshot')
  const begin = async () => {
    await snapshot.query('begin isolation level repeatable read read only')
    await snapshot.query('select')
  }
  const list = async () => {
    const listed: string[] = []
    for await (const page of dump.list(snapshot, now)) listed.push(...page.map((file) => path.basename(file.path)))
    return listed
  }
  await begin()
  await deleteFile(late)
  // Its copy is in the backup already.
  await deleteFile(kept)
  await expect(list()).rejects.toThrow(VanishedFile)
  await snapshot.query('rollback')
  const last = await addFile('last')
  await begin()
  expect(await list()).toEqual([last])
  await dump.prune(snapshot)
  await snapshot.query('rollback')
  const inBackup = (id: string) =>
    existsSync(filePath({ root: path.join(backup, 'files'), organizationId, fileId: id }))
  expect([kept, early, late, last].map(inBackup)).toEqual([false, false, false, true])
  expect(dump.totals).toMatchObject({ stored: 1, missing: 0, damaged: 0 })
})
