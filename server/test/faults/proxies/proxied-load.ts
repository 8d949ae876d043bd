import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import type { ProxiedAnswer, ProxiedClient } from '../../support/network/proxied-client.ts'

const ENGAGEMENTS = '/api/v1/engagements'
const PAUSE_MS = 25
const READERS = 3
export const WRITERS = 2

/** An answer, and how long it took in milliseconds. */
type Read = ProxiedAnswer & { tookMs: number }

interface Write {
  name: string
  answer: ProxiedAnswer
}

/** Continuous reads and writes, each client at its own address and below the rate limit of a proxy. */
export const startLoad = (newClient: () => ProxiedClient) => {
  const reads: Read[] = []
  const writes: Write[] = []
  // Distinguishes this load from one before: a test that is tried again finds what its first try wrote.
  const load = randomUUID()
  let isEnding = false
  const run = async (act: (client: ProxiedClient) => Promise<void>) => {
    const client = newClient()
    for (; !isEnding; await sleep(PAUSE_MS)) await act(client)
  }
  const readers = Array.from({ length: READERS }, () =>
    run(async (client) => {
      const startedAt = performance.now()
      const answer = await client.get('/api/v1/organizations/current')
      reads.push({ ...answer, tookMs: performance.now() - startedAt })
    }),
  )
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    run(async (client) => {
      const name = `Written ${load} ${writer} ${writes.length}`
      writes.push({ name, answer: await client.post(ENGAGEMENTS, { name }) })
    }),
  )
  const running = Promise.all([...readers, ...writers])
  return {
    writes,
    /** Waits until this number of further reads and of writes are answered. */
    passes: async (count: number) => {
      const [read, written] = [reads.length + count, writes.length + count]
      const passed = eventually(
        () => expect([reads.length >= read, writes.length >= written]).toEqual([true, true]),
        60_000,
      )
      await Promise.race([passed, running])
      await passed
    },
    end: async () => {
      isEnding = true
      await running
      return { reads, writes }
    },
  }
}

/** Names of all engagements that the key sees. */
export const namesOf = async (client: ProxiedClient): Promise<string[]> => {
  const names: string[] = []
  for (let page = 1; ; page++) {
    const { body } = await client.get(`${ENGAGEMENTS}?perPage=100&page=${page}`)
    names.push(...body.data.map((engagement: { name: string }) => engagement.name))
    if (page >= body.meta.totalPages) return names
  }
}
