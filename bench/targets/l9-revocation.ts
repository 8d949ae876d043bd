import { withClient } from '../lib/database.ts'
import { insertKey, seedOrganization } from '../lib/seed.ts'
import { ORGANIZATION, signIn, startSortie } from '../lib/sortie.ts'
import { sendTail } from '../lib/tail.ts'
import { atLeastOf, none, type Target } from './target.ts'

const CONNECTIONS = 64
const TAIL = 10_000
const WARM_UP = 2_000

export const l9: Target = {
  name: 'L9',
  title: `Keys deleted on one of two servers: accepted after the acknowledgement, of ${TAIL.toLocaleString('en')} each (count: keys)`,
  count: 5,
  measure: async ({ stage, database, count, note }) => {
    const url = await database.createMigrated('l9')
    const servers = [await startSortie(url), await startSortie(url)]
    for (const server of servers) stage.add(() => server.stop())
    await seedOrganization(url, 'l9', 10)
    const owner = await signIn((servers[0] as (typeof servers)[0]).origin)
    let before = 0
    let after = 0
    for (let i = 0; i < count; i++) {
      const key = await withClient(url, (client) => insertKey(client, owner.organizationId, owner.userId))
      const remove = () => owner.deleteKey(key.id)
      const options = { connections: CONNECTIONS, warmUp: WARM_UP, tail: TAIL, remove }
      const result = await sendTail(
        servers.map(({ origin }) => origin),
        ORGANIZATION,
        { authorization: `Bearer ${key.value}` },
        options,
      )
      note(`${result.before} accepted before, ${result.after} of ${result.tail} after`)
      before += result.before
      after += result.after
    }
    return [none('accepted after the acknowledgement', after), atLeastOf('accepted before', count, '', before)]
  },
}
