// P6: time until the server with its embedded Postgres is ready, on an empty directory and again; and its own memory
// under load.
import path from 'node:path'
import { atMost, type Bench, inRounds, type Measured } from '../../lib/figure.ts'
import { load } from '../../lib/load.ts'
import { MEMBERS, ORGANIZATION, startServer, startWithOrganization } from '../../lib/sortie.ts'

const LOAD_SECONDS = 60

export const title = 'Time to ready with the embedded Postgres, and memory without it'

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { first, warm } = await inRounds(bench.rounds, async () => {
    const dataDir = path.join(bench.stage.directory(), 'data')
    const start = async () => {
      // A start keeps its compile cache for the next one; a fresh install has none.
      const server = await startServer(bench, { dataDir, env: { NODE_COMPILE_CACHE: path.join(dataDir, 'compile') } })
      await server.process.stop()
      return server.readyMs / 1_000
    }
    return { first: await start(), warm: await start() }
  })
  const { server, headers } = await startWithOrganization(bench)
  for (const where of [MEMBERS, ORGANIZATION]) await load({ server, path: where, headers }, LOAD_SECONDS / 2)
  return [
    atMost('warm start to ready', 3, 's', warm),
    atMost('first start to ready', 10, 's', first),
    atMost(`memory after ${LOAD_SECONDS} s of load`, 250, 'MB', [server.memoryMb()]),
  ]
}
