import { setTimeout as sleep } from 'node:timers/promises'
import { type Slowness, slowClients } from '../../server/src/testing/slow-clients.ts'
import { pinSelf, SENDER_CORE } from '../lib/processes.ts'
import { seedOrganization } from '../lib/seed.ts'
import { ORGANIZATION, startSortie } from '../lib/sortie.ts'
import { atMostOf, none, type Target } from './target.ts'

const MODES: Slowness[] = ['headers', 'body', 'idle']
const RATE = 200
const BEFORE_SECONDS = 10
/** Connections that the server has to spare beside those. */
const MAX_CLIENTS = 3_000
const CLOSED_WITHIN_S = 20
/** How fast the slow ones come: more at once would be a flood, which is something else. */
const OPENED_PER_SECOND = 250
/** After the last of them has come. */
const WATCH_SECONDS = 22

export const l10: Target = {
  name: 'L10',
  title: 'Slow clients in three ways, one way after the other: others are served, all are closed (count: clients of each way)',
  count: 2_000,
  measure: async ({ stage, database, sender, count, note }) => {
    if (count > MAX_CLIENTS) throw new Error(`at most ${MAX_CLIENTS} clients`)
    const url = await database.createMigrated('l10')
    const { headers } = await seedOrganization(url, 'l10', 100)
    const server = await startSortie(url, { LOG_LEVEL: 'warn' })
    stage.add(() => server.stop())
    const mix = [{ method: 'GET' as const, path: ORGANIZATION, weight: 1 }]
    const open = (seconds: number) => sender.open({ origin: server.origin, headers, mix, rate: RATE, seconds, connections: 32 })
    // The slow ones are clients of this process: they belong beside the sender, not on the core of the server.
    pinSelf(SENDER_CORE)
    await open(BEFORE_SECONDS)
    const before = await open(BEFORE_SECONDS)
    const memoryBefore = server.memoryMb()
    const results = []
    for (const mode of MODES) {
      let memory = 0
      const watch = setInterval(() => {
        memory = Math.max(memory, server.memoryMb())
      }, 250)
      const openingSeconds = Math.ceil(count / OPENED_PER_SECOND)
      const load = open(openingSeconds + WATCH_SECONDS)
      const clients = await slowClients(server.origin, mode, count, headers, mode === 'body' ? '/api/v1/engagements' : '/', OPENED_PER_SECOND)
      const openedAt = performance.now()
      const during = await load
      clearInterval(watch)
      const left = clients.open()
      clients.end()
      const bad = during.due - during.good.count
      const slowest = Math.max(0, ...clients.closedAfterMs) / 1000
      note(
        `${mode}: p99 of others ${during.good.p99.toFixed(1)} ms against ${before.good.p99.toFixed(1)} ms, ${bad} not good; last closed ${slowest.toFixed(1)} s after it connected`,
      )
      results.push(
        none(`${mode}: still open after ${((performance.now() - openedAt) / 1000).toFixed(0)} s`, left),
        atMostOf(`${mode}: closed after`, CLOSED_WITHIN_S, 's', slowest),
        atMostOf(`${mode}: p99 of others`, 2, 'x', during.good.p99 / before.good.p99),
        none(`${mode}: answers of others that are not good`, bad),
        atMostOf(`${mode}: memory added`, 200, 'MB', memory - memoryBefore),
      )
      await sleep(1_000)
    }
    return results
  },
}
