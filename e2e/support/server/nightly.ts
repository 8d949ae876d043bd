import type { TestInfo, TestType } from '@playwright/test'
import { test } from './sortie.ts'

/** True in `npm run test:nightly`: all tests run, in their long forms. */
export const isNightly = process.env['SORTIE_NIGHTLY'] === '1'

type Declare<Fixtures> = (title: string, body: (fixtures: Fixtures, info: TestInfo) => Promise<void> | void) => void

/**
 * Declares tests that only `npm run test:nightly` runs: long forms, and variations of a commit's tests. Elsewhere they
 * are not even listed: a line for each skipped test would hide one that is skipped by mistake.
 */
export const nightlyOf = <T extends object, W extends object>(own: TestType<T, W>): Declare<T & W> =>
  isNightly ? own : () => undefined

export const nightly = nightlyOf(test)

/** One in `every` items of a walk, the same with every commit; at night all. */
export const sampled = <T>(all: readonly T[], every: number): readonly T[] =>
  all.filter((_, index) => isNightly || index % every === 0)
