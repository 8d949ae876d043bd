import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { alternateLoad, atLeast, type Bench, type Figure, type Measured, ratios, type Side } from '../lib/figure.ts'
import { type Server, startServer } from '../lib/processes.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, startSortie } from '../lib/sortie.ts'

const VS = path.join(import.meta.dirname, '../vs')
const MEMBERS_OF_EACH = 100

interface Alternative {
  name: string
  aim: number
  remark: string
  /** Where its packages are, which are no part of the project's. */
  directory: string
  script: string
  readyPath: string
  /** @param written what the server wrote to READY_FILE: how to ask it */
  request(written: Record<string, string>): Pick<Side, 'path' | 'headers'>
}

const ALTERNATIVES: Alternative[] = [
  {
    name: 'better-auth 1.7.5',
    aim: 5,
    remark: 'organization and apiKey plugins',
    directory: VS,
    script: 'bench/vs/better-auth.mjs',
    readyPath: '/api/auth/ok',
    request: ({ key = '', organizationId }) => ({
      path: `/api/auth/organization/list-members?organizationId=${organizationId}&limit=20&offset=0`,
      headers: { 'x-api-key': key },
    }),
  },
  {
    name: 'Strapi 5.54.0',
    aim: 10,
    remark: 'a collection of members, a token that may do everything',
    directory: path.join(VS, 'strapi'),
    script: 'bench/vs/strapi/server.cjs',
    readyPath: '/_health',
    request: ({ token }) => ({
      path: '/api/members?pagination[page]=1&pagination[pageSize]=20&sort=joinedAt',
      headers: { authorization: `Bearer ${token}` },
    }),
  },
]

export const p3: Figure = {
  name: 'P3',
  title: 'Member list of 20 against what one would pick instead, on the same Postgres',
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p3')
    const { headers } = await seedOrganization(url, 'p3', MEMBERS_OF_EACH)
    const sortie = await startSortie(url)
    try {
      const results: Measured[] = []
      for (const [index, alternative] of ALTERNATIVES.entries()) {
        results.push(await compare(bench, { name: 'sortie', server: sortie, path: MEMBERS, headers }, alternative, `p3_alternative_${index}`))
      }
      return results
    } finally {
      await sortie.stop()
    }
  },
}

const compare = async (bench: Bench, ours: Side, alternative: Alternative, database: string): Promise<Measured> => {
  const { name, aim, remark, directory, script, readyPath } = alternative
  if (!isInstalled(directory)) return { what: name, aim: `at least ${aim}`, value: undefined, unit: 'x', reached: false, remark: 'could not be installed' }
  const notes = mkdtempSync(path.join(os.tmpdir(), 'sortie-bench-vs-'))
  const readyFile = path.join(notes, 'ready.json')
  let server: Server | undefined
  try {
    server = await startServer({
      script,
      readyPath,
      env: { DATABASE_URL: await bench.database.create(database), MEMBERS: String(MEMBERS_OF_EACH), READY_FILE: readyFile },
    })
    const request = alternative.request(JSON.parse(readFileSync(readyFile, 'utf8')) as Record<string, string>)
    const [mine, theirs] = await alternateLoad(bench, [ours, { name, server, ...request }])
    if (!mine || !theirs) throw new Error('a side is missing')
    return atLeast(name, aim, ratios(mine, theirs), remark)
  } finally {
    await server?.stop()
    rmSync(notes, { recursive: true, force: true })
  }
}

const isInstalled = (directory: string): boolean =>
  existsSync(path.join(directory, 'node_modules')) || spawnSync('npm', ['ci', '--loglevel=error'], { cwd: directory, stdio: ['ignore', 2, 2] }).status === 0
