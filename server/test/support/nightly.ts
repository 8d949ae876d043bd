import { test } from 'vitest'

/** Whether this is `npm run test:nightly`: tests are run in their long forms, and all of them. */
export const isNightly = process.env['SORTIE_NIGHTLY'] === '1'

/** A test that only `npm run test:nightly` runs: a long form, or one whose subject changes seldom. */
export const nightly = test.runIf(isNightly)

/** Of the commit: see `scripts/turns.mjs`. */
const TURN = Number(process.env['SORTIE_TURN'] || 0)

/** With a commit one of so many, others with each commit, beginning with that of `turn`; at night all. */
export const oneOf = <T>(count: number, all: readonly T[], turn = 0): readonly T[] =>
  isNightly ? all : all.filter((_, index) => (index + turn + TURN) % count === 0)

/** How many random cases a property is tried with: all at night, a quarter with a commit. */
export const runs = (all: number): number => (isNightly ? all : Math.ceil(all / 4))
