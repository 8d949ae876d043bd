import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/**
 * The folders and files that a tree of docs/architecture.md names in its first column, from the root of the checkout.
 */
const namedIn = (tree: string): string[] => {
  const parents: { indent: number; path: string }[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)((?:[\w./-]+ ?)*)/.exec(line) ?? []
    // A line that continues the description of the one before.
    if (names.trim() === '' || indent.length > 4) return []
    while ((parents.at(-1)?.indent ?? -1) >= indent.length) parents.pop()
    const parent = parents.at(-1)?.path ?? '.'
    // The name and its description are separated by two spaces or more; several names by one.
    const paths = (line.slice(indent.length).split('  ')[0] as string).split(' ').filter((name) => /[/.]/.test(name))
    const all = paths.map((name) => path.join(parent, name))
    parents.push({ indent: indent.length, path: all[0] as string })
    return all
  })
}

/** Names of the tree that do not exist, and folders of features, platform and contract that it does not name. */
const differences = (tree: string): string[] => {
  const named = new Set(namedIn(tree).map((name) => name.replace(/\/$/, '')))
  const missing = [...named]
    .filter((name) => !existsSync(name) && name !== 'server/dist')
    .map((name) => `does not exist: ${name}`)
  const folders = ['server/src', 'server/src/features', 'server/src/platform', 'server/test', 'contract/src'].flatMap(
    (directory) =>
      readdirSync(directory)
        .map((name) => path.join(directory, name))
        .filter((name) => statSync(name).isDirectory()),
  )
  const unnamed = folders.filter(
    (folder) => !named.has(folder) && !tree.includes(`${path.relative('server', folder)}/`),
  )
  return [...missing, ...unnamed.map((name) => `is not named: ${name}`)]
}

const [, tree = ''] = /\n```\n(contract\/src\/ [\s\S]*?)```\n/.exec(readFileSync('docs/architecture.md', 'utf8')) ?? []

test('the tree in docs/architecture.md names every feature and every folder of the platform, and nothing that does not exist', () => {
  expect(namedIn(tree).filter((name) => name.startsWith('server/src/features/')).length).toBeGreaterThanOrEqual(25)
  expect(differences(tree)).toEqual([])
})

test('a feature that the tree leaves out, and a folder that it invents, are found', () => {
  expect(differences(tree.replace(' wiki/ requests/\n  src/platform/', ' requests/\n  src/platform/'))).toEqual([
    'is not named: server/src/features/wiki',
  ])
  expect(differences(tree.replace('    lists/ search/ ', '    lists/ sorting/ '))).toEqual([
    'does not exist: server/src/platform/sorting',
    'is not named: server/src/platform/search',
  ])
})
