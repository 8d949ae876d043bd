import { defineConfig } from 'vitest/config'

/** What takes hours: `npm run test:soak`. */
export default defineConfig({
  test: {
    include: ['server/test/**/*.soak.test.ts'],
    globalSetup: ['server/test/support/app/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
})
