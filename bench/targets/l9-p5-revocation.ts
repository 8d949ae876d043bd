import { TestClient } from '../../server/test/support/app/test-client.ts'
import { signInAsOwner, withNewKey } from '../../server/test/support/clients/server-clients.ts'
// L9 and P5: keys that are deleted on one of two servers under load; also for requests whose bodies arrive after the
// deletion.
import { deleteUnderLoad } from '../../server/test/support/races/deleted-key.ts'
import { startRequest } from '../../server/test/support/races/request-in-progress.ts'
import { atLeast, type Bench, inRounds, type Measured, none, repeat, sum } from '../lib/figure.ts'
import { CONNECTIONS } from '../lib/load.ts'
import { ORGANIZATION, startServer } from '../lib/sortie.ts'

const TAIL = 10_000

export const title = `Keys deleted on one of two servers under load: accepted after the acknowledgement, of ${TAIL.toLocaleString('en')} each (count: keys)`
export const count = 5

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const env = { DATABASE_URL: await bench.database() }
  const servers = [await startServer(bench, { env }), await startServer(bench, { env })] as const
  const owner = await signInAsOwner(servers[0].origin)
  const accepted = await inRounds(bench.count, async () => {
    const key = await withNewKey(owner)
    const clients = servers.map(({ origin }) => new TestClient(origin, key.headers))
    const held = await repeat(20, (index) =>
      startRequest(`${servers[index % 2]?.origin}/api/v1/engagements`, `Bearer ${key.value}`, { name: 'Held' }),
    )
    const remove = () => owner.delete(`/api/web/api-keys/${key.keyId}`)
    const { before, after } = await deleteUnderLoad(clients, ORGANIZATION, {
      lanes: CONNECTIONS,
      before: 2_000,
      after: TAIL,
      remove,
    })
    const late = await Promise.all(held.map((request) => request.finish()))
    bench.note(`${before.get(200)} accepted before; after: ${JSON.stringify(Object.fromEntries(after))}`)
    return {
      before: before.get(200) ?? 0,
      after: after.get(200) ?? 0,
      late: late.filter(({ status }) => status < 400).length,
    }
  })
  return [
    none('accepted after the acknowledgement', sum(accepted.after)),
    none('accepted whose bodies came after it', sum(accepted.late)),
    atLeast('accepted before', bench.count, '', [sum(accepted.before)]),
  ]
}
