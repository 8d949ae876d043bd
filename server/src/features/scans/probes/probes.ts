import { type Clock, isoTime } from '../../../platform/clock.ts'
import { plainChange } from '../../../platform/database/change.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { recordOperations } from '../../operation-log/operation-log.service.ts'
import type { ScanOperation } from '../network/scan-network.ts'
import { insertProbes, type ProbeRecord, consumeProbes } from './probes.queries.ts'

const MINUTE_MS = 60_000
/** Rows per statement. */
const AT_ONCE = 1_000

interface OfScan {
  organizationId: string
  engagementId: string
  scanId: string
}

/** The sender, as the operation log names it. */
interface Sender {
  id: string
  name: string
}

/**
 * Buffers a scan's probes on their way to the operation log: a second in memory, then one row per minute, logged after
 * that minute. If the process dies, the stored rows are logged when the scan ends.
 */
export class ProbeLog {
  readonly #db: Database
  readonly #of: OfScan
  readonly #sender: Sender
  #gathered: ScanOperation[] = []
  /** How often anything was sent. */
  sent = 0

  constructor(db: Database, of: OfScan, sender: Sender) {
    this.#db = db
    this.#of = of
    this.#sender = sender
  }

  add(operation: ScanOperation): void {
    this.sent++
    this.#gathered.push(operation)
  }

  /**
   * Stores the buffered probes, and logs those of past minutes. Ignores the scan's current permissions, because the
   * probes were sent.
   */
  async flush(clock: Clock): Promise<void> {
    const gathered = this.#gathered
    this.#gathered = []
    try {
      await recordProbes(this.#db, this.#of, probesOf(gathered))
    } catch (error) {
      this.#gathered = [...gathered, ...this.#gathered]
      throw error
    }
    await settleMinutes(this.#db, this.#of, this.#sender, minuteOf(clock.now()))
  }
}

const recordProbes = async (db: Database, of: OfScan, probes: readonly ProbeRecord[]): Promise<void> => {
  for (let from = 0; from < probes.length; from += AT_ONCE)
    await plainChange(db)((tx) => insertProbes(tx, of, probes.slice(from, from + AT_ONCE)))
}

const settleMinutes = async (db: Database, of: OfScan, by: Sender, before: string): Promise<void> => {
  while (await plainChange(db)((tx) => flushProbes(tx, of, by, before)));
}

/**
 * Moves the next probes of a scan to the operation log, either from past minutes or all. @returns true if there may be
 * more
 */
const flushProbes = async (tx: Transaction, of: OfScan, by: Sender, before?: string): Promise<boolean> => {
  const taken = await consumeProbes(tx, of, before, AT_ONCE)
  const operations = taken.map(({ ranges, ...probe }) => {
    const isOne = ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1]
    return {
      kind: 'scan' as const,
      scanId: of.scanId,
      startedAt: probe.started_at,
      endedAt: probe.ended_at,
      sourceAddress: probe.source_address,
      address: probe.address,
      host: probe.host,
      port: isOne ? (ranges[0]?.[0] as number) : null,
      ports: isOne ? null : ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(','),
      protocol: probe.protocol,
      by,
    }
  })
  await recordOperations(tx, of, operations)
  return taken.length === AT_ONCE
}

/** Logs all remaining probes after the end of a scan. */
export const flushAllProbes = async (tx: Transaction, of: OfScan, by: Sender): Promise<void> => {
  while (await flushProbes(tx, of, by));
}

const minuteOf = (time: number): string => isoTime(Math.floor(time / MINUTE_MS) * MINUTE_MS)

const probesOf = (operations: readonly ScanOperation[]): ProbeRecord[] => {
  const groups = Map.groupBy(
    operations,
    ({ address, protocol, startedAt }) => `${address} ${protocol} ${minuteOf(startedAt)}`,
  )
  return [...groups.values()].map((group) => {
    const [first] = group as [ScanOperation, ...ScanOperation[]]
    return {
      address: first.address,
      protocol: first.protocol,
      minute: minuteOf(first.startedAt),
      source_address: group.find(({ sourceAddress }) => sourceAddress !== null)?.sourceAddress ?? null,
      host: group.find(({ host }) => host !== null)?.host ?? null,
      ports: `{${group.flatMap(({ ports }) => ports.map(([from, to]) => `[${from},${to}]`)).join(',')}}`,
      started_at: isoTime(Math.min(...group.map(({ startedAt }) => startedAt))),
      ended_at: isoTime(Math.max(...group.map(({ startedAt, endedAt }) => Math.max(startedAt, endedAt)))),
    }
  })
}
