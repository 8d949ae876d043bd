import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url))
const copy = mkdtempSync(path.join(os.tmpdir(), 'sortie-released-migrations-'))
afterAll(() => rmSync(copy, { recursive: true }))

/** Files of SHA256SUMS that are missing or differ, and older files that it does not list. */
const changedIn = (directory: string): string[] => {
  const listed = new Map(
    readFileSync(path.join(directory, 'SHA256SUMS'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  ').toReversed() as [string, string]),
  )
  const newest = [...listed.keys()].toSorted().at(-1) as string
  const unlisted = readdirSync(directory).filter((file) => /^\d{4}_/.test(file) && file < newest && !listed.has(file))
  const changed = [...listed].filter(([file, sum]) => {
    const at = path.join(directory, file)
    return !existsSync(at) || createHash('sha256').update(readFileSync(at)).digest('hex') !== sum
  })
  return [...changed.map(([file]) => file), ...unlisted].toSorted()
}

test('migrations of released versions are as they were released, comments included', () => {
  expect(readFileSync(path.join(MIGRATIONS, 'SHA256SUMS'), 'utf8').split('\n').length).toBeGreaterThan(23)
  expect(changedIn(MIGRATIONS)).toEqual([])
})

test('a released migration that has another comment, is gone, or has a new file before it is reported', () => {
  cpSync(MIGRATIONS, copy, { recursive: true })
  appendFileSync(path.join(copy, '0002_organizations.sql'), '-- One more comment.\n')
  rmSync(path.join(copy, '0007_custom_fields.sql'))
  cpSync(path.join(copy, '0001_accounts.sql'), path.join(copy, '0011_more.sql'))
  expect(changedIn(copy)).toEqual(['0002_organizations.sql', '0007_custom_fields.sql', '0011_more.sql'])
})
