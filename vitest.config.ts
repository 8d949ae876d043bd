import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['contract/src/**/*.test.ts', 'client/src/**/*.test.ts', 'server/src/**/*.test.ts'],
    // Named by `npm test` where Redis is missing, which says so; run by themselves, those tests fail and say what to install.
    exclude: ['**/node_modules/**', '**/*.soak.test.ts', ...(process.env.SORTIE_TEST_WITHOUT?.includes('redis') ? ['**/*.redis.test.ts'] : [])],
    globalSetup: ['server/src/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
})
