// P3: the list of members against alternatives on the same Postgres, whose packages are installed for this figure.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { atLeast, type Bench, inTurn, type Measured, notMeasured } from '../../lib/figure.ts'
import { compareRates, type Side } from '../../lib/load.ts'
import { MEMBERS, startServer, startWithOrganization } from '../../lib/sortie.ts'

const ALTERNATIVES = [
  {
    what: 'better-auth 1.7.5, with organization and apiKey',
    aim: 5,
    script: 'bench/vs/better-auth.mjs',
    readyPath: '/api/auth/ok',
  },
  {
    what: 'Strapi 5.54.0, with a collection and a static token',
    aim: 8,
    script: 'bench/vs/strapi/server.cjs',
    readyPath: '/_health',
  },
]

export const title = 'Member list of 20 against what one would pick instead, on the same Postgres'

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { server, headers } = await startWithOrganization(bench)
  return inTurn(ALTERNATIVES, async ({ what, aim, ...options }) => {
    if (!isInstalled(path.dirname(options.script))) return notMeasured(what, 'could not be installed')
    // The alternative writes into this file how it is requested.
    const READY_FILE = path.join(bench.stage.directory(), 'ready.json')
    const other = await startServer(bench, {
      ...options,
      env: { DATABASE_URL: await bench.database({ isEmpty: true }), MEMBERS: '100', READY_FILE },
    })
    const how = JSON.parse(readFileSync(READY_FILE, 'utf8')) as Omit<Side, 'server'>
    const { ratios, cpu } = await compareRates(bench, { server, path: MEMBERS, headers }, { server: other, ...how })
    await other.process.stop()
    return atLeast(what, aim, 'x', ratios, cpu)
  })
}

const isInstalled = (cwd: string): boolean =>
  existsSync(path.join(cwd, 'node_modules')) ||
  spawnSync('npm', ['ci', '--loglevel=error'], { cwd, stdio: ['ignore', 2, 2] }).status === 0
