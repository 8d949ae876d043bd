import type { TestInfo, TestType } from '@playwright/test'
import { test } from './sortie.ts'

/** Whether this is `npm run test:nightly`: tests are run in their long forms, and all of them. */
export const isNightly = process.env['SORTIE_NIGHTLY'] === '1'

type Declare<Fixtures> = (title: string, body: (fixtures: Fixtures, info: TestInfo) => Promise<void> | void) => void

/**
 * Declares tests that only `npm run test:nightly` runs: long forms, and variations of what each commit runs. Elsewhere they
 * are not even listed: a line for each that is skipped would hide what is skipped by mistake.
 */
export const nightlyOf = <T extends object, W extends object>(own: TestType<T, W>): Declare<T & W> => (isNightly ? own : () => undefined)

export const nightly = nightlyOf(test)

/** Of what a walk goes through: one in so many, the same with every commit; at night all. */
export const sampled = <T>(all: readonly T[], every: number): readonly T[] => all.filter((_, index) => isNightly || index % every === 0)
