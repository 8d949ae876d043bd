import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { makeBackup } from '../src/backup/backup.ts'
import { readManifest } from '../src/backup/manifest.ts'
import { restoreBackup } from '../src/backup/restore.ts'
import { startEmbedded } from '../src/embedded.ts'
import type { SocketSettings } from '../src/types.ts'

vi.setConfig({ testTimeout: 200_000 })

const root = mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-'))
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))

const MB = 1_048_576
const name = 'example'
const log = { error: () => undefined }
const options = { report: () => undefined, signal: new AbortController().signal }
const at = (directory: string) => path.join(root, directory)
const isRunning = (directory: string) => existsSync(path.join(directory, 'postgres/postmaster.pid'))

const query = async (settings: SocketSettings, text: string): Promise<unknown[]> => {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

test('F21: by itself, without the product: a copy of the running database and its files is restored with every row and file, and files of any size', async () => {
  const [directory, files, backup] = [at('first'), at('first-files'), at('backup')]
  const first = await startEmbedded({ directory, name, log })
  await query(
    first.settings,
    `create table numbers as select n, repeat(md5(n::text), 20) as filler from generate_series(1, 20000) n`,
  )
  mkdirSync(path.join(files, 'below'), { recursive: true })
  // Sizes at the limits of pieces and of blocks.
  for (const bytes of [0, 1, 511, 512, 513, 1_048_577])
    writeFileSync(path.join(files, 'below', String(bytes)), Buffer.alloc(bytes, 'x'))
  const made = await makeBackup({
    settings: first.settings,
    files,
    target: backup,
    facts: async () => ({ version: '1.2.3' }),
    ...options,
  })
  await query(first.settings, 'drop table numbers')
  await first.stop()
  expect(isRunning(directory)).toBe(false)

  const manifest = readManifest(backup)
  expect(manifest).toEqual(made)
  expect(manifest.facts).toEqual({ version: '1.2.3' })
  const again = { directory: at('second'), files: at('second-files') }
  let rows: unknown[] = []
  await restoreBackup({ backup, manifest, ...again, name, log, ...options }, async () => {
    await expect(startEmbedded({ directory: again.directory, name, log })).rejects.toMatchObject({
      about: 'directory',
      remedy: 'restore again',
    })
    const second = await startEmbedded({ directory: again.directory, name, log, restoring: true })
    rows = await query(second.settings, 'select count(*)::int, sum(n)::int, count(distinct filler)::int from numbers')
    await second.stop()
  })
  expect(rows).toEqual([[20_000, 200_010_000, 20_000]])
  for (const bytes of [0, 1, 511, 512, 513, 1_048_577])
    expect(readFileSync(path.join(again.files, 'below', String(bytes)))).toEqual(Buffer.alloc(bytes, 'x'))
  const second = await startEmbedded({ directory: again.directory, name, log })
  await second.stop()
  expect(isRunning(again.directory)).toBe(false)
})

test('F9: two users of one directory share its Postgres, which has an eighth of the memory, and the last one stops it; stopping twice is stopping once', async () => {
  const directory = at('shared')
  const [one, two] = await Promise.all([
    startEmbedded({ directory, name, log }),
    startEmbedded({ directory, name, log }),
  ])
  expect(await query(one.settings, 'select pg_postmaster_start_time()')).toEqual(
    await query(two.settings, 'select pg_postmaster_start_time()'),
  )
  await Promise.all([one.stop(), one.stop()])
  expect(await query(two.settings, 'select 1')).toEqual([[1]])
  const [[memory]] = (await query(two.settings, `select pg_size_bytes(current_setting('shared_buffers'))`)) as [
    [string],
  ]
  const eighth = Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 8
  expect(Number(memory)).toBeLessThanOrEqual(Math.max(128 * MB, eighth))
  expect(Number(memory)).toBeGreaterThan(Math.min(1_024 * MB, eighth) - MB)
  await two.stop()
  expect(isRunning(directory)).toBe(false)
})
