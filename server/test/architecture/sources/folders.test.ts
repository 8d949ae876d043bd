import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/**
 * Sources that are read by people. Migrations and decisions are lists in the order of their numbers, and are left out.
 */
const ROOTS = [
  'web/src',
  'server/src',
  'server/test',
  'contract/src',
  'cli/src',
  'embedded-postgres',
  'e2e',
  'scripts',
  'bench',
]

/** Files as scanners wrote them, and the programs that figures compare with. */
const LEFT_OUT = /node_modules|\/fixtures(?:\/|$)|bench\/vs(?:\/|$)/

/** More files than this in one folder are grouped into subfolders. */
const MAX_FILES = 12

/** Folders with more files than allowed, of a listing of files by their paths. */
const crowded = (files: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count} files`)
}

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !LEFT_OUT.test(entry.parentPath))
    .map((entry) => path.join(entry.parentPath, entry.name))

test.each(ROOTS)('%s has at most 12 files in each folder', (root) => {
  const files = filesIn(root)
  expect(files.length).toBeGreaterThan(MAX_FILES)
  expect(crowded(files)).toEqual([])
})

test('a folder with 13 files is found, and one with 12 files and a subfolder is not', () => {
  const files = Array.from({ length: 12 }, (_, index) => `web/src/ui/${index}.ts`)
  expect(crowded([...files, 'web/src/ui/grid/Grid.tsx'])).toEqual([])
  expect(crowded([...files, 'web/src/ui/icons.svg'])).toEqual(['web/src/ui: 13 files'])
})
