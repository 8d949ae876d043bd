import { defineConfig } from 'vitest/config'

process.env['SORTIE_LONG_FORMS'] = '1'

/** The long forms of tests: `npm run test:soak`. */
export default defineConfig({
  test: {
    include: ['server/test/**/*.soak.test.ts', 'server/test/faults/{restore,postgres-15}.test.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
})
