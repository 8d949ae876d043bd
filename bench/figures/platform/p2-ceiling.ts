// P2: the server's responses, against bare Fastify with the same bytes from memory.
import { type Bench, inTurn, type Measured, reported } from '../../lib/figure.ts'
import { compareRates } from '../../lib/load.ts'
import { MEMBERS, ORGANIZATION, startServer, startWithOrganization } from '../../lib/sortie.ts'

export const title = 'Against bare Fastify answering the same bytes from memory'

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { server, headers } = await startWithOrganization(bench)
  return inTurn([MEMBERS, ORGANIZATION], async (path) => {
    const BYTES = await (await fetch(server.origin + path, { headers })).text()
    const fixed = await startServer(bench, { script: 'bench/servers/bare.ts', readyPath: '/bytes', env: { BYTES } })
    const { ratios, cpu } = await compareRates(bench, { server, path, headers }, { server: fixed, path: '/bytes' })
    return reported(path === MEMBERS ? 'member list' : 'current organization', 'x', ratios, cpu)
  })
}
