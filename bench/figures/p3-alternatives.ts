import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { alternateLoad, atLeast, type Figure, type Measured, ratios } from '../lib/figure.ts'
import { startServer } from '../lib/processes.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, startSortie } from '../lib/sortie.ts'

const VS = path.join(import.meta.dirname, '../vs')
const AIM_BETTER_AUTH = 5

export const p3: Figure = {
  name: 'P3',
  title: 'Member list of 20 against what one would pick instead, on the same Postgres',
  measure: async (bench) => {
    if (!installed()) return [unmeasured('better-auth', AIM_BETTER_AUTH, 'its packages could not be installed'), HEADLESS]
    const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-bench-vs-'))
    const readyFile = path.join(directory, 'ready.json')
    const url = await bench.database.createMigrated('p3')
    const { headers } = await seedOrganization(url, 'p3', 100)
    const sortie = await startSortie(url)
    const betterAuth = await startServer({
      script: 'bench/vs/better-auth.mjs',
      readyPath: '/api/auth/ok',
      env: { DATABASE_URL: await bench.database.create('p3_better_auth'), MEMBERS: '100', READY_FILE: readyFile },
    })
    try {
      const { key, organizationId } = JSON.parse(readFileSync(readyFile, 'utf8')) as { key: string; organizationId: string }
      const [ours, theirs] = await alternateLoad(bench, [
        { name: 'sortie', server: sortie, path: MEMBERS, headers },
        {
          name: 'better-auth',
          server: betterAuth,
          path: `/api/auth/organization/list-members?organizationId=${organizationId}&limit=20&offset=0`,
          headers: { 'x-api-key': key },
        },
      ])
      return [atLeast('better-auth 1.7.5', AIM_BETTER_AUTH, ratios(ours, theirs), 'organization and apiKey plugins'), HEADLESS]
    } finally {
      await Promise.all([sortie.stop(), betterAuth.stop()])
      rmSync(directory, { recursive: true, force: true })
    }
  },
}

/** The others have dependencies of their own, which are no part of the project's. */
const installed = (): boolean =>
  existsSync(path.join(VS, 'node_modules')) || spawnSync('npm', ['ci', '--loglevel=error'], { cwd: VS, stdio: ['ignore', 2, 2] }).status === 0

const unmeasured = (what: string, aim: number, remark: string): Measured => ({
  what,
  aim: `at least ${aim}`,
  value: undefined,
  unit: 'x',
  reached: false,
  remark,
})

const HEADLESS = unmeasured('a headless platform', 10, 'Directus needs a native module compiled while it is installed, Strapi a project and a build of its own')
