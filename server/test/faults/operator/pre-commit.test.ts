import { spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { copyCheckout } from '../../support/database/checkout.ts'

const stage = createStage()
afterAll(() => stage.close())

let root: string

const git = (...args: string[]) => {
  const { PATH, HOME } = process.env
  return spawnSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH, HOME },
  })
}

beforeAll(() => {
  root = path.join(stage.directory(), 'sortie')
  copyCheckout(root, 'linked')
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'start'],
    ['config', 'core.hooksPath', '.githooks'],
  ]) {
    expect(git(...args)).toMatchObject({ status: 0 })
  }
})

/** Tries to commit one file, and takes it back. */
const commit = (file: string, text: string) => {
  writeFileSync(path.join(root, file), text)
  git('add', '-A')
  const result = git('commit', '-qm', 'a change')
  git('reset', '-q', '--hard', 'HEAD')
  return { status: result.status, output: result.stdout + result.stderr }
}

test('the pre-commit hook refuses a staged file that is not formatted, breaks a type or a rule of the linter, and says which', () => {
  const unformatted = commit('server/src/planted.ts', "export const planted    = 'x'\n")
  expect([unformatted.status, unformatted.output]).toEqual([1, expect.stringContaining('Not committed: oxfmt failed')])
  const wrong = commit('e2e/planted.ts', "export const planted: any = 'x'\nexport const counted: number = 'x'\n")
  expect([wrong.status, wrong.output]).toEqual([1, expect.stringContaining('Not committed: oxlint, tsc failed')])
  expect(wrong.output).toContain('e2e/planted.ts(2,14)')
})

test('the pre-commit hook lets a right change pass, and looks at staged files only', () => {
  appendFileSync(path.join(root, 'server/src/platform/ids.ts'), '\nconst   notStaged: number = ""\n')
  writeFileSync(path.join(root, 'planted.md'), 'A document.\n')
  git('add', 'planted.md')
  expect(git('commit', '-qm', 'a document')).toMatchObject({ status: 0 })
  git('checkout', '-q', '--', '.')
  expect(commit('deploy/planted.mjs', 'export const planted = 1\n')).toMatchObject({ status: 0 })
})
