import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { notInTurn, TAKING_TURNS } from '../../../scripts/turns.mjs'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const FOLDERS = { server: '.', browser: 'e2e' }
const GROUPS = ['server', 'browser'] as const

test.each(GROUPS)('files of tests that take turns are there, each once: %s', (group) => {
  const files = TAKING_TURNS[group]
  expect(files.filter((file) => !existsSync(path.join(ROOT, FOLDERS[group], file)))).toEqual([])
  expect(new Set(files).size).toBe(files.length)
})

test.each(GROUPS)('eight turns after one another run every file once: %s', (group) => {
  const files = TAKING_TURNS[group]
  const run = (turn: number) => files.filter((file) => !notInTurn(files, String(turn)).includes(file))
  for (const first of [0, 1, 268_435_455]) {
    const turns = Array.from({ length: 8 }, (_, index) => run(first + index))
    expect(turns.flat().toSorted()).toEqual([...files].toSorted())
  }
  expect(notInTurn(files, '')).toEqual([])
})
