import { defineConfig } from '@playwright/test'
import { BROWSER } from './support/server/browsers.ts'

/** One server for all workers: three of them keep two processors busy. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: './support/server/global-setup.ts',
  outputDir: '../test-results',
  workers: 3,
  fullyParallel: true,
  // On a busy machine a browser may miss a moment: a failed test runs twice more there.
  retries: process.env.CI ? 2 : 0,
  timeout: 400_000,
  expect: { timeout: 40_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME
    ? [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME }]]
    : [['list']],
  use: {
    // A click that waits longer will not happen: it must not use up the time of its whole test.
    actionTimeout: 60_000,
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: BROWSER,
  },
})
