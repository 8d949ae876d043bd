import { test } from 'vitest'

/** Whether this is `npm run test:nightly`: tests are run in their long forms, and all of them. */
export const isNightly = process.env['SORTIE_NIGHTLY'] === '1'

/** A test that only `npm run test:nightly` runs: a long form, or one whose subject changes seldom. */
export const nightly = test.runIf(isNightly)
