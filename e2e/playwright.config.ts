import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** The browser of the system, without the parts that need a screen where there is such a build; where there is none, the one that Playwright installs. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
)

/** Without these the browser itself talks to its maker, which no test may need. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-default-apps']

/** One server for all workers: three of them keep two processors busy. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: './support/global-setup.ts',
  outputDir: '../test-results',
  workers: 3,
  fullyParallel: true,
  // On a busy machine a browser may miss a moment: what fails is run twice more there.
  retries: process.env.CI ? 2 : 0,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME }]] : [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { ...(executablePath && { executablePath }), args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...QUIET] },
  },
})
