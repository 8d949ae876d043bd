import { withClient } from '../lib/database.ts'
import type { Figure } from '../lib/figure.ts'
import { CONNECTIONS } from '../lib/load.ts'
import { insertKey, seedOrganization } from '../lib/seed.ts'
import { ORGANIZATION, signIn, startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'
import { sendTail } from '../lib/tail.ts'

const WARM_UP = 2_000
const TAIL = 10_000
const KEYS = 3

export const p5: Figure = {
  name: 'P5',
  title: `A key deleted on one of two services under load: accepted after the acknowledgement, of ${TAIL.toLocaleString('en')}`,
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p5')
    const [one, two] = await Promise.all([startSortie(url), startSortie(url)])
    try {
      await seedOrganization(url, 'p5', 10)
      const owner = await signIn(one.origin)
      const accepted: number[] = []
      for (let i = 0; i < KEYS; i++) {
        const key = await withClient(url, (client) => insertKey(client, owner.organizationId, owner.userId))
        const result = await sendTail(
          [one.origin, two.origin],
          ORGANIZATION,
          { authorization: `Bearer ${key.value}` },
          {
            connections: CONNECTIONS,
            warmUp: WARM_UP,
            tail: TAIL,
            remove: () => owner.deleteKey(key.id),
          },
        )
        bench.note(`${result.before} accepted before, ${result.after} of ${result.tail} after`)
        accepted.push(result.after)
      }
      return [{ what: 'accepted', aim: '0', value: spread(accepted), unit: 'requests', reached: Math.max(...accepted) === 0 }]
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  },
}
