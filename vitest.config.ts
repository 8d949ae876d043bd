import { defineConfig } from 'vitest/config'

/**
 * Two groups: `api` drives the server within the test's process, two files at a time; `faults` starts, kills and starves
 * whole servers with the machine to itself. On a busy machine a process may miss a moment that a test waits for: there a
 * failed test is run again, and only one that fails again fails.
 */
const isContinuousIntegration = Boolean(process.env.CI)
const withoutRedis = process.env.SORTIE_TEST_WITHOUT?.includes('redis') ? ['**/*.redis.test.ts'] : []
/** Mounting a small file system takes root. */
const withoutMount = process.getuid?.() === 0 ? [] : ['**/*.mount.test.ts']
const exclude = ['**/node_modules/**', '**/*.soak.test.ts', ...withoutRedis, ...withoutMount]

export default defineConfig({
  test: {
    globalSetup: ['server/src/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: isContinuousIntegration ? ['default'] : ['dot'],
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          include: ['contract/src/**/*.test.ts', 'client/src/**/*.test.ts', 'server/src/**/*.test.ts'],
          exclude: [...exclude, 'server/src/faults/**', 'server/src/cli.test.ts'],
          retry: isContinuousIntegration ? 1 : 0,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['server/src/faults/**/*.test.ts', 'server/src/cli.test.ts'],
          exclude,
          maxWorkers: 1,
          retry: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
