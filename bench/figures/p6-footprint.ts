import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { atMost, type Figure } from '../lib/figure.ts'
import { startServer } from '../lib/processes.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, ORGANIZATION, sortieEnvironment, startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const LOAD_SECONDS = 30
const FIRST_STARTS = 3

export const p6: Figure = {
  name: 'P6',
  title: 'Time to ready and memory (the server with its embedded Postgres; memory without Postgres)',
  measure: async (bench) => {
    const first: number[] = []
    const warm: number[] = []
    for (let i = 0; i < FIRST_STARTS; i++) {
      const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-bench-data-'))
      // What a start compiles is kept for the next one, and a fresh install has none of it.
      const env = { ...sortieEnvironment(directory), NODE_COMPILE_CACHE: path.join(directory, 'compile') }
      const start = async () => {
        const server = await startServer({ script: 'server/src/process/main.ts', readyPath: '/api/health', env })
        await server.stop()
        return server.readyAfterMs / 1000
      }
      first.push(await start())
      for (let again = 0; again < 2; again++) warm.push(await start())
      rmSync(directory, { recursive: true, force: true })
    }
    return [
      atMost('warm start to ready', 3, 's', spread(warm)),
      atMost('first start to ready', 10, 's', spread(first)),
      atMost(`memory after ${LOAD_SECONDS} s of load`, 150, 'MB', spread([await memoryAfterLoad(bench)])),
    ]
  },
}

const memoryAfterLoad = async ({ database, sender, note }: Parameters<Figure['measure']>[0]): Promise<number> => {
  const url = await database.createMigrated('p6')
  const { headers } = await seedOrganization(url, 'p6', 100)
  const sortie = await startSortie(url)
  try {
    note(`${sortie.memoryMb().toFixed(0)} MB after the start`)
    for (const where of [MEMBERS, ORGANIZATION]) await sender.load({ url: sortie.origin + where, headers, seconds: LOAD_SECONDS / 2 })
    return sortie.memoryMb()
  } finally {
    await sortie.stop()
  }
}
