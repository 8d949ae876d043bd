import { VARIABLES } from '../../server/src/platform/config.ts'
import { startSender } from '../lib/load.ts'
import { seedOrganization } from '../lib/seed.ts'
import { ORGANIZATION, REFUSING_OVERLOAD, startSortie } from '../lib/sortie.ts'
import { atMostOf, none, type Target } from './target.ts'

const SIGN_INS_PER_SECOND = 200
const RATE = 100

export const l11: Target = {
  name: 'L11',
  title: `${SIGN_INS_PER_SECOND} sign-ins a second with a wrong password, from one address: the API goes on (count: seconds)`,
  count: 30,
  measure: async ({ stage, database, sender, count, note }) => {
    const url = await database.createMigrated('l11')
    const { headers } = await seedOrganization(url, 'l11', 100)
    // As every server is that is told nothing else; only the key that measures is not limited.
    const { RATE_LIMIT_ANONYMOUS_MAX } = VARIABLES
    const server = await startSortie(url, { ...REFUSING_OVERLOAD, LOG_LEVEL: 'warn', RATE_LIMIT_ANONYMOUS_MAX: RATE_LIMIT_ANONYMOUS_MAX.fallback })
    stage.add(() => server.stop())
    const mix = [{ method: 'GET' as const, path: ORGANIZATION, weight: 1 }]
    const api = (seconds: number) => sender.open({ origin: server.origin, headers, mix, rate: RATE, seconds, connections: 32 })
    await api(5)
    const before = await api(Math.min(count, 15))
    const memoryBefore = server.memoryMb()
    const flooder = startSender()
    stage.add(() => flooder.stop())
    const people = Array.from({ length: 50 }, (_, i) => ({
      method: 'POST' as const,
      path: '/api/auth/sign-in/email',
      body: { email: `${i + 1}.l11@example.com`, password: 'not the password of anybody' },
      weight: 1,
    }))
    let memory = 0
    const watch = setInterval(() => {
      memory = Math.max(memory, server.memoryMb())
    }, 250)
    const flood = flooder.open({ origin: server.origin, headers: {}, mix: people, rate: SIGN_INS_PER_SECOND, seconds: count + 2, connections: 400 })
    const during = await api(count)
    const { due, refused, other } = await flood
    clearInterval(watch)
    note(`sign-ins: ${due} sent, ${refused.count} refused as too many, others ${JSON.stringify(other)}`)
    note(`API p99 ${during.good.p99.toFixed(1)} ms against ${before.good.p99.toFixed(1)} ms before`)
    return [
      atMostOf('API, 99th percentile', 2, 'x', during.good.p99 / before.good.p99),
      none('API answers that are not good', during.due - during.good.count),
      atMostOf('memory added', 150, 'MB', memory - memoryBefore),
    ]
  },
}
