import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { sortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { databaseNamed } from '../../support/database/database-named.ts'

const stage = createStage()
afterAll(() => stage.close())

/** An existing directory in which Linux lets no one create a file, not even root. */
const UNWRITABLE = '/sys/kernel'
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

test('O9: an unwritable STORAGE_PATH is one line with the reason, and exit code 78, before the database is opened', async () => {
  const server = await stage.server({ env: { STORAGE_PATH: UNWRITABLE }, firstStart: true })
  expect((await server.exited).code).toBe(78)
  expect(server.errorLines).toEqual([
    'sortie: STORAGE_PATH: the directory /sys/kernel cannot be written to: this user may not do that (EACCES)',
  ])
  expect(existsSync(server.dataDir)).toBe(false)
})

test.runIf(isNightly && isRoot)('O9: a directory of another user is refused at start in the same way', async () => {
  const storage = stage.directory(0o755)
  const server = await stage.server({ env: { STORAGE_PATH: storage }, dataDir: stage.directory(0o777), uid: NOBODY })
  expect((await server.exited).code).toBe(78)
  expect(server.errorLines).toEqual([
    expect.stringMatching(/^sortie: STORAGE_PATH: .* cannot be written to: this user may not do that \(EACCES\)$/),
  ])
})

test('O9: a folder of mails that cannot be created is one line, and exit code 78, if no SMTP_URL is set', async () => {
  const file = path.join(stage.directory(), 'file')
  writeFileSync(file, '')
  const env = {
    DATABASE_URL: databaseUrl(databaseNamed(inject('postgres'), 'nothing_of_this_name')),
    STORAGE_PATH: stage.directory(0o777),
    DATA_DIR: file,
  }
  const server = await stage.server({ env })
  expect((await server.exited).code).toBe(78)
  expect(server.errorLines).toEqual([
    expect.stringMatching(
      /^sortie: DATA_DIR: the directory .*file\/mail cannot be made: a part of the path is a file \(ENOTDIR\)$/,
    ),
  ])
})

test('O9: check-config names each unusable directory, and leaves nothing behind in the usable ones', async () => {
  const root = stage.directory()
  const file = path.join(root, 'file')
  writeFileSync(file, '')
  const refused = await sortie(['check-config'], path.join(file, 'data'), { STORAGE_PATH: UNWRITABLE })
  expect(refused.code).toBe(78)
  expect(refused.err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^sortie: STORAGE_PATH: .* \(EACCES\)$/),
    expect.stringMatching(/^sortie: DATA_DIR: .*a part of the path is a file \(ENOTDIR\)$/),
  ])
  const kept = path.join(root, 'there')
  mkdirSync(kept)
  chmodSync(kept, 0o700)
  const right = await sortie(['check-config'], kept, { STORAGE_PATH: path.join(root, 'not/there/yet') })
  expect(right.err).toBe('')
  expect(right.code).toBe(0)
  expect(readdirSync(root, { recursive: true }).toSorted()).toEqual(['file', 'there'])
})
