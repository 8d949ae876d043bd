import type { Socket } from 'node:net'
import type { Clock } from '../../../platform/clock.ts'
import { limitTime } from '../../../platform/concurrency/time-limit.ts'
import { type Check, EgressRefusedError, type Outbound } from '../../../platform/outbound/outbound.ts'
import { findSourceAddress } from '../../../platform/outbound/source-address.ts'
import {
  type CurrentRules,
  type Destined,
  NotPermittedError,
  permittedPorts,
  requirePermitted,
  subjectOf,
} from '../../connection-rules/permit.ts'
import { evaluate } from '../../scope/rules/rule-set.ts'
import { NoAnswer, type ScanAddress, type PortRange, type ScanNetwork, OutOfScopeError } from '../scanners/scanner.ts'
import type { Connections } from './connections.ts'

/** A probe that was sent. */
export interface ScanOperation {
  /** Milliseconds since the Unix epoch. The end is that of the connection attempt, not of the connection. */
  startedAt: number
  endedAt: number
  /** Our address; null if the system has no route. */
  sourceAddress: string | null
  address: string
  /** The requested name; null if the address was contacted directly. */
  host: string | null
  protocol: 'tcp' | 'udp'
  ports: readonly PortRange[]
}

export interface ScanNetworkOptions {
  outbound: Outbound
  clock: Clock
  /** At most a second old. Called for each connection, so it caches for that long. */
  rulesNow(): Promise<CurrentRules> | CurrentRules
  connections: Connections
  onOperation(operation: ScanOperation): void
  /** Stops the scan as partial by aborting `signal`. Idempotent. */
  stop(reason: string): void
  signal: AbortSignal
  /** True if the scan has an override of scope, dates and hours. */
  override: boolean
}

/** Creates a scan's access to the network, with the guarantees of `ScanNetwork`. */
export const createScanNetwork = ({
  outbound,
  clock,
  rulesNow,
  connections,
  onOperation,
  stop,
  signal,
  override,
}: ScanNetworkOptions): ScanNetwork => {
  const sockets = new Set<Socket>()
  /**
   * Attempts in progress. One listener aborts all of them: with one listener each, a list of thousands would be
   * searched for each removal.
   */
  const attempts = new Set<AbortController>()
  const records = outbound.openRecords()
  const onAbort = () => {
    records.cancel()
    for (const attempt of attempts) attempt.abort()
    for (const socket of sockets) socket.destroy()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const findSource = createFindSource(outbound)

  /** @throws OutOfScopeError, the reason of the signal */
  const byRules = async <T>(host: string, decide: (current: CurrentRules) => T): Promise<T> => {
    signal.throwIfAborted()
    const current = await rulesNow()
    try {
      const decision = decide(current)
      signal.throwIfAborted()
      return decision
    } catch (error) {
      if (!(error instanceof NotPermittedError)) throw error
      if (error.kind === 'ended') stop(error.message)
      signal.throwIfAborted()
      throw untouchable(host, error)
    }
  }

  /** @throws OutOfScopeError, the reason of the signal */
  const permit = (place: ScanPlace, addresses: readonly string[] = []): Promise<void> => {
    const { host, url } = place
    return byRules(host, (current) =>
      requirePermitted(current, { host, port: portOf(place), url, addresses }, override),
    )
  }

  const keep = (socket: Socket, release: () => void) => {
    sockets.add(socket)
    // An error closes the socket, and its user receives the `close` event.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      release()
    })
    if (signal.aborted) socket.destroy()
  }

  /** Logs a finished attempt or an open connection. */
  const noteAttempt = async (
    startedAt: number,
    { host, port }: ScanAddress,
    addresses: readonly string[],
    source?: string,
  ): Promise<void> => {
    const endedAt = clock.now()
    for (const address of addresses) {
      const sourceAddress = source ?? (await findSource(address, port))
      onOperation({
        startedAt,
        endedAt,
        sourceAddress,
        address,
        host: host === address ? null : host,
        protocol: 'tcp',
        ports: [[port, port]],
      })
    }
  }

  const connect = async (place: ScanAddress, timeoutMs: number): Promise<Socket> => {
    // A known address needs no DNS lookup, and `check` evaluates it with the same rules.
    if (place.address === undefined) await permit(place)
    const { release } = await connections.take(signal)
    const attempt = timeLimit(attempts, timeoutMs)
    let startedAt = 0
    let checked: readonly string[] = []
    const check: Check = async ({ addresses, isOpen }) => {
      // The host has answered: reading the rules again is not its time.
      if (isOpen) attempt.end()
      await permit(place, addresses)
      if (isOpen) return
      startedAt = clock.now()
      checked = addresses
      attempt.begin()
    }
    try {
      const socket = await outbound.connect({ ...place, check, signal: attempt.signal })
      keep(socket, release)
      await noteAttempt(startedAt, place, [socket.remoteAddress ?? (checked[0] as string)], socket.localAddress)
      return socket
    } catch (error) {
      release()
      await noteAttempt(startedAt, place, checked)
      signal.throwIfAborted()
      if (attempt.signal.aborted) throw new NoAnswer(`no answer within ${timeoutMs} ms`)
      throw error instanceof EgressRefusedError ? refusedByEgress(error) : error
    } finally {
      attempt.end()
    }
  }

  return {
    signal,
    connect,
    createHttpAgent: (place, timeoutMs, onReady) => {
      const waiting: (() => void)[] = []
      let checked: readonly string[] = []
      return outbound.createHttpAgent({
        connectTimeoutMs: timeoutMs,
        address: place.address,
        tls: { rejectUnauthorized: false },
        allowH2: false,
        check: async ({ addresses, isOpen }) => {
          if (isOpen) return permit(place, addresses)
          const { release } = await connections.take(signal)
          try {
            await permit(place, addresses)
          } catch (error) {
            release()
            throw error
          }
          checked = addresses
          waiting.push(release)
        },
        stages: {
          opening: (socket) => {
            const startedAt = clock.now()
            keep(socket, waiting.shift() ?? (() => undefined))
            let isNoted = false
            const note = () => {
              if (isNoted) return
              isNoted = true
              const reached = socket.remoteAddress
              void noteAttempt(startedAt, place, reached === undefined ? checked : [reached], socket.localAddress)
            }
            socket.once('connect', note).once('close', note)
          },
          ready: () => onReady?.(),
        },
      })
    },
    evaluate: async (place) => {
      await permit(place)
      const decision = await outbound.evaluate(place.host, place.port, place.address)
      if (!decision.allowed) throw refusedByEgress(new EgressRefusedError(decision))
      const addresses = decision.addresses.map(({ address }) => address)
      await permit(place, addresses)
      return addresses
    },
    isInScope: async (place) => {
      await permit(place)
      const { rules } = await rulesNow()
      return (
        rules !== undefined &&
        ['in', 'caution'].includes(evaluate(rules, subjectOf(place.host, { url: place.url })).verdict)
      )
    },
    permittedPorts: ({ host, address }) =>
      byRules(host, (current) => permittedPorts(current, { host, addresses: [address] }, override)),
    deniedPorts: async (address) => {
      const ports = outbound.namedPorts()
      const checked = await Promise.all(ports.map((port) => outbound.evaluate(address, port)))
      return ports.filter((_, index) => !checked[index]?.allowed)
    },
    acquireConnections: (count) => connections.take(signal, count),
    note: async ({ address, host = null }, protocol, ports) => {
      const now = clock.now()
      const sourceAddress = await findSource(address, ports[0]?.[0] ?? 1)
      onOperation({ startedAt: now, endedAt: now, sourceAddress, address, host, protocol, ports })
    },
    findRecords: async (name, type) => {
      await permit({ host: name })
      try {
        return await records.find(name, type)
      } catch (error) {
        signal.throwIfAborted()
        throw error
      }
    },
  }
}

/** A host, or a port of it. */
type ScanPlace = Parameters<ScanNetwork['evaluate']>[0]

/** All connections of this server are TCP. */
const portOf = ({ port, only }: Pick<ScanPlace, 'port' | 'only'>): Destined['port'] =>
  only ?? (port === undefined ? undefined : { number: port, protocol: 'tcp' })

const untouchable = (host: string, { kind, message }: NotPermittedError): OutOfScopeError =>
  new OutOfScopeError(
    host,
    kind === 'ended'
      ? message
      : kind === 'out'
        ? `out of scope: ${message}`
        : `the scope rules cannot judge it: ${message}`,
  )

const refusedByEgress = ({ decision }: EgressRefusedError): OutOfScopeError =>
  new OutOfScopeError(decision.host, `the egress policy refuses it: ${decision.rule}`)

/** Creates a signal that is aborted with all others of its set, or `ms` after `begin` (`limitTime`). */
const timeLimit = (all: Set<AbortController>, ms: number) => {
  const controller = new AbortController()
  let endLimit = () => {}
  all.add(controller)
  return {
    signal: controller.signal,
    begin: () => {
      endLimit = limitTime(ms, () => controller.abort())
    },
    end: () => {
      endLimit()
      all.delete(controller)
    },
  }
}

const MAX_KNOWN_SOURCES = 10_000

/** Finds the local address for a connection, by asking the system; sends nothing. */
const createFindSource = (outbound: Outbound) => {
  const known = new Map<string, Promise<string | null>>()
  return (address: string, port: number): Promise<string | null> => {
    const found = known.get(address) ?? findSourceAddress(outbound, address, port)
    if (known.size >= MAX_KNOWN_SOURCES) known.clear()
    known.set(address, found)
    return found
  }
}
