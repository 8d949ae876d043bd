import { test } from 'vitest'

/** Whether this is `npm run test:nightly`: tests are run in their long forms, and all of them. */
export const isNightly = process.env['SORTIE_NIGHTLY'] === '1'

/** A test that only `npm run test:nightly` runs: a long form, or one whose subject changes seldom. */
export const nightly = test.runIf(isNightly)

/** With a commit one of so many, beginning with that of `turn`; at night all. */
export const oneOf = <T>(count: number, all: readonly T[], turn = 0): readonly T[] => (isNightly ? all : all.filter((_, index) => (index + turn) % count === 0))
