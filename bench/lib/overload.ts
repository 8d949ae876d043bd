import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sender } from './load.ts'
import type { Latencies, MixedRequest, OpenLoad, OpenResult } from './open-loop.ts'
import { pinSelf, SENDER_CORE, type Server } from './processes.ts'
import { seedOrganization } from './seed.ts'

const FACTOR = 10
const CAPACITY_CONNECTIONS = 64
/** Clients of which each waits for its answer before it sends again: what is due while all of them wait is not sent. */
const CLIENTS = 256
const HEALTH_PAUSE_MS = 100
const CALM_SHARE = 0.5
/** A second of which nothing was refused, and that was answered in this time, is a normal one. */
const NORMAL_P99_MS = 500
const GIVE_UP_AFTER_S = 20

/** Organizations at work at the same time, engagements of each, and members. */
const TEAMS = 10
const ENGAGEMENTS = 5
const MEMBERS = 1_000

/**
 * What teams do with the API in a working day: mostly reading lists, some writing. It leaves as many rows behind as it finds
 * (but for the audit log), so that a request costs at the end what it cost at the beginning.
 */
export const seedTeams = async (databaseUrl: string, origin: string): Promise<MixedRequest[]> => {
  const made: { headers: Record<string, string>; path: string }[] = []
  for (let team = 0; team < TEAMS; team++) {
    const { headers } = await seedOrganization(databaseUrl, `team${team}`, MEMBERS)
    for (let i = 0; i < ENGAGEMENTS; i++) {
      const response = await fetch(`${origin}/api/v1/engagements`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Engagement ${i}`, description: 'Made for a load test.' }),
      })
      if (response.status !== 201) throw new Error(`making an engagement answered ${response.status}`)
      const { data } = (await response.json()) as { data: { id: string } }
      made.push({ headers, path: `/api/v1/engagements/${data.id}` })
    }
  }
  return ['the first', 'the second'].flatMap((round) =>
    made.flatMap(({ headers, path }): MixedRequest[] => [
      { headers, method: 'GET', path: '/api/v1/organizations/current', weight: 2 },
      { headers, method: 'GET', path: '/api/v1/organizations/current/members?perPage=100', weight: 3 },
      { headers, method: 'GET', path: '/api/v1/engagements', weight: 3 },
      { headers, method: 'PATCH', path, body: { description: `Under load, ${round} time.` }, weight: 1 },
      { headers, method: 'PATCH', path, body: { description: `Under load, ${round} time again.` }, weight: 1 },
    ]),
  )
}

export interface OverloadResult {
  /** Good answers per second that the server can give. */
  capacity: number
  overload: OpenResult
  health: Latencies & { bad: number }
  /** Share of one core that the server had during the overload: less than it wants where others use the machine. */
  serverCpu: number
  /** Load average of the machine afterwards. */
  machineLoad: number
  /** Seconds after the end of the load until a second was normal. */
  normalAfterSeconds: number
}

/** Finds out what the server can do, sends it ten times that, and watches how it comes back to normal. */
export const overload = async (
  sender: Sender,
  { origin, cpuMs }: Pick<Server, 'origin' | 'cpuMs'>,
  mix: MixedRequest[],
  seconds: number,
): Promise<OverloadResult> => {
  // Whoever asks for the health of the server is no part of it either.
  pinSelf(SENDER_CORE)
  const load = (options: Pick<OpenLoad, 'seconds'> & Partial<OpenLoad>) =>
    sender.open({ origin, headers: {}, mix, connections: CLIENTS, skipsWhenBusy: true, ...options })
  await load({ seconds: 3, connections: CAPACITY_CONNECTIONS })
  const { goodPerSecond: capacity } = await load({ seconds: Math.min(seconds, 15), connections: CAPACITY_CONNECTIONS })
  const watch = watchHealth(origin)
  const cpuBefore = cpuMs()
  const overloadedAt = performance.now()
  const overloaded = await load({ seconds, rate: capacity * FACTOR })
  const health = await watch.stop()
  const endedAt = performance.now()
  const serverCpu = (cpuMs() - cpuBefore) / (endedAt - overloadedAt)
  const machineLoad = os.loadavg()[0] as number
  for (;;) {
    const startedAt = performance.now()
    const { good, refused, other } = await load({ seconds: 1, rate: capacity * CALM_SHARE })
    const normalAfterSeconds = (startedAt - endedAt) / 1000
    const isNormal = refused.count === 0 && Object.keys(other).length === 0 && good.p99 <= NORMAL_P99_MS
    if (isNormal || normalAfterSeconds > GIVE_UP_AFTER_S) return { capacity, overload: overloaded, health, serverCpu, machineLoad, normalAfterSeconds }
  }
}

/** Asks for the health of the server all the time. */
const watchHealth = (origin: string) => {
  const times: number[] = []
  let bad = 0
  let isGoing = true
  const going = (async () => {
    while (isGoing) {
      const startedAt = performance.now()
      const response = await fetch(`${origin}/api/health`).catch(() => undefined)
      await response?.arrayBuffer()
      times.push(performance.now() - startedAt)
      if (response?.status !== 200) bad++
      await sleep(HEALTH_PAUSE_MS)
    }
  })()
  return {
    stop: async () => {
      isGoing = false
      await going
      const sorted = times.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
      return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0, bad }
    },
  }
}
