import { test } from 'vitest'

/** A test that only `npm run test:soak` runs: a long form, or one whose subject changes seldom. */
export const longForm = test.runIf(process.env['SORTIE_LONG_FORMS'] === '1')
