import { defineConfig } from '@playwright/test'
import tests from './playwright.config.ts'

/**
 * `npm run screenshots -- --states`: pages and dialogs of the browser tests, empty ones too, into test-results/states.
 */
export default defineConfig(tests, { testMatch: 'states.ts', timeout: 900_000, reporter: [['list']] })
