import { expect, test } from 'vitest'
import { FEATURE_LAYERS, SERVER_LAYERS } from '../../../src/app/layers.ts'
import { folderOf } from '../../support/sources/features.ts'
import { readSources, type Source, sourceOf } from '../../support/sources/imports.ts'

const server = readSources('server/src')

const topOf = (file: string): string | undefined => /^server\/src\/([^/]+)/.exec(file)?.[1]

/** Imports that do not lead to a lower line of the list, of which folders in no line are the top. */
const upward = (
  sources: Source[],
  nameOf: (file: string) => string | undefined,
  layers: readonly (readonly string[])[],
): string[] => {
  const lineOf = (name: string) => layers.findIndex((names) => names.includes(name))
  return sources.flatMap(({ file, imports }) =>
    imports.flatMap(({ target }) => {
      const [from, to] = [nameOf(file), nameOf(target)]
      if (from === undefined || to === undefined || from === to) return []
      return lineOf(from) <= lineOf(to) || lineOf(to) < 0 ? [`${file} imports ${target}`] : []
    }),
  )
}

const namesIn = (nameOf: (file: string) => string | undefined) =>
  [...new Set(server.flatMap(({ file }) => nameOf(file) ?? []))].toSorted()

test('layers.ts names every folder of the server and every feature, and nothing else', () => {
  expect(namesIn(topOf)).toEqual(SERVER_LAYERS.flat().toSorted())
  expect(namesIn(folderOf)).toEqual(FEATURE_LAYERS.flat().toSorted())
})

test('folders of the server, and features, import only those of lower lines in layers.ts, types included', () => {
  expect(upward(server, topOf, SERVER_LAYERS)).toEqual([])
  expect(upward(server, folderOf, FEATURE_LAYERS)).toEqual([])
})

test('an import of a higher line is found, and one of the same line', () => {
  const bad = (from: string, to: string) => [
    sourceOf(`server/src/features/${from}/x.ts`, `import type { Y } from '../${to}/y.ts'`),
  ]
  expect(upward(bad('audit', 'mails'), folderOf, FEATURE_LAYERS)).toHaveLength(1)
  expect(upward(bad('imports', 'scans'), folderOf, FEATURE_LAYERS)).toHaveLength(1)
  expect(upward(bad('scans', 'audit'), folderOf, FEATURE_LAYERS)).toEqual([])
})
