import { defineConfig } from '@playwright/test'
import tests from './playwright.config.ts'
import { LONG_FORMS } from './support/long-forms.ts'

process.env[LONG_FORMS] = '1'

/** The long forms of browser tests: a part of `npm run test:soak`. */
export default defineConfig(tests, { testMatch: 'payload*.spec.ts' })
