import { defineConfig } from '@playwright/test'
import tests from './playwright.config.ts'

/** `npm run screenshots`: every page, two widths, both themes, into test-results/screenshots. */
export default defineConfig(tests, { testMatch: 'screenshots.ts', timeout: 900_000, reporter: [['list']] })
