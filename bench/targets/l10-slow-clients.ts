import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Slowness, slowClients } from '../../server/test/support/slow-clients.ts'
import type { Measured } from '../lib/figure.ts'
import { pinSelf, SENDER_CORE } from '../lib/processes.ts'
import { seedOrganization } from '../lib/seed.ts'
import { inSmallNetwork, slowReaders } from '../lib/slow-readers.ts'
import { ORGANIZATION, startSortie } from '../lib/sortie.ts'
import { atMostOf, none, type Target, type TargetRun } from './target.ts'

const MODES: Slowness[] = ['headers', 'body', 'idle']
const RATE = 200
const BEFORE_SECONDS = 10
/** Connections that the server has to spare beside those. */
const MAX_CLIENTS = 3_000
const CLOSED_WITHIN_S = 20
const MEMORY_MB = 200
/** A file is sent piece by piece: what waits for each reader is a few pieces of 64 KiB. */
const READERS_MEMORY_MB = 500
/** How fast the slow ones come: more at once would be a flood, which is something else. */
const OPENED_PER_SECOND = 250
/** After the last of them has come. */
const WATCH_SECONDS = 22
/** Set in the run that a run starts in a network of its own, for those who do not read. */
const READ_ONLY = 'SORTIE_L10_READ'
const ASSETS = path.resolve('web/dist/assets')

export const l10: Target = {
  name: 'L10',
  title:
    'Slow clients in four ways, one way after the other: others are served, all are closed (count: clients of each way; those who do not read: only as root)',
  count: 2_000,
  measure: async (run) => {
    if (run.count > MAX_CLIENTS) throw new Error(`at most ${MAX_CLIENTS} clients`)
    if (process.env[READ_ONLY]) return besideSlowClients(run, ['read'])
    return [...(await besideSlowClients(run, MODES)), ...readersElsewhere(run)]
  },
}

const besideSlowClients = async ({ stage, database, sender, count, note }: TargetRun, modes: readonly Slowness[]): Promise<Measured[]> => {
  const url = await database.createMigrated('l10')
  const { headers } = await seedOrganization(url, 'l10', 100)
  const server = await startSortie(url, { LOG_LEVEL: 'warn' })
  stage.add(() => server.stop())
  const mix = [{ method: 'GET' as const, path: ORGANIZATION, weight: 1 }]
  const open = (seconds: number) => sender.open({ origin: server.origin, headers, mix, rate: RATE, seconds, connections: 32 })
  const connect = (mode: Slowness) =>
    mode === 'read'
      ? slowReaders(server.origin, largestAsset(), count, OPENED_PER_SECOND)
      : slowClients(server.origin, mode, count, headers, mode === 'body' ? '/api/v1/engagements' : '/', OPENED_PER_SECOND)
  // The slow ones are clients of this process: they belong beside the sender, not on the core of the server.
  pinSelf(SENDER_CORE)
  await open(BEFORE_SECONDS)
  const before = await open(BEFORE_SECONDS)
  const memoryBefore = server.memoryMb()
  const results = []
  for (const mode of modes) {
    let memory = 0
    const watch = setInterval(() => {
      memory = Math.max(memory, server.memoryMb())
    }, 250)
    const openingSeconds = Math.ceil(count / OPENED_PER_SECOND)
    const load = open(openingSeconds + WATCH_SECONDS)
    const clients = await connect(mode)
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
      atMostOf(`${mode}: memory added`, mode === 'read' ? READERS_MEMORY_MB : MEMORY_MB, 'MB', memory - memoryBefore),
    )
    await sleep(1_000)
  }
  return results
}

/** This target again, for those who do not read, in a network with small buffers. */
const readersElsewhere = ({ count, note }: TargetRun): Measured[] => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-l10-'))
  try {
    const report = path.join(directory, 'report.json')
    const command = [process.execPath, process.argv[1] as string, 'L10', '--count', String(count), '--out', report]
    if (!inSmallNetwork(command, { [READ_ONLY]: '1' })) {
      const remark = 'needs Linux, root, unshare and ip'
      return [{ what: 'read', aim: 'as the others', value: undefined, unit: '', reached: false, remark }]
    }
    const { results, notes } = JSON.parse(readFileSync(report, 'utf8')) as { results: Measured[]; notes: string[] }
    for (const text of notes) note(text)
    return results
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The path of what is largest among the files that anybody may ask for. */
const largestAsset = (): string => {
  const files = readdirSync(ASSETS).map((name) => ({ name, size: statSync(path.join(ASSETS, name)).size }))
  const largest = files.toSorted((a, b) => b.size - a.size)[0]
  if (!largest) throw new Error('the web interface is not built')
  return `/assets/${largest.name}`
}
