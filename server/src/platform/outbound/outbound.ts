import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP, connect as openTcp, type Socket } from 'node:net'
import type { Agent } from 'undici'
import type { Config } from '../config.ts'
import type { SafeMode } from '../safe-mode/safe-mode.ts'
import { parseAddress, parseHost, textOf } from './addresses.ts'
import { parseEntry } from './entries.ts'
import { type HttpOptions, httpAgent, lookUpIn, type Resolve } from './http-agent.ts'
import { createFindAddresses, UnresolvedError } from './names.ts'
import { createFindOwn, type OwnSettings, ownPorts } from './own-ports.ts'
import { createPolicy, type Verdict } from './policy.ts'
import { createRecords, type Records } from './records.ts'

/** The policy's decision on a host, with the verdict on each of its addresses. */
export interface EgressDecision extends Verdict {
  /** Canonical: an address, or a name in lower case and Punycode. */
  host: string
  port: number | undefined
  addresses: readonly ({ address: string } & Verdict)[]
}

/** A host that the policy allows, with the permitted addresses. */
export interface Destination {
  host: string
  port: number
  /** At least one. */
  addresses: readonly string[]
}

/** The policy refuses a host; nothing was sent to it. */
export class EgressRefusedError extends Error {
  readonly decision: EgressDecision

  constructor(decision: EgressDecision) {
    super(`the egress policy refuses ${decision.host}: ${decision.rule}`)
    this.name = 'EgressRefusedError'
    this.decision = decision
  }
}

/** A connection that is about to be opened, or is open and about to be used. */
export interface Connecting extends Destination {
  /** Set for the connection to the proxy, rather than to the destination. */
  isProxy: boolean
  /** Opening may take long: the check runs again before anything is sent. */
  isOpen: boolean
}

/**
 * The caller's rules for a connection, such as the scope of an engagement: throws to refuse it. Every connection has
 * one.
 */
export type Check = (connecting: Connecting) => void | Promise<void>

export interface ConnectOptions {
  host: string
  port: number
  /** The resolved address, if the name was resolved before: it is checked, and no name server is asked. */
  address?: string | undefined
  /** Ends resolving and opening. */
  signal?: AbortSignal
  check: Check
}

/**
 * Everything that the server sends to networks on behalf of people. The policy is described in docs/platform/egress.md.
 * In safe mode it sends nothing: each method throws ApiError CONFLICT, and a request of an agent fails with that.
 */
export interface Outbound {
  /**
   * Resolves a name once, and checks every address of the answer, or only the given `address`. @throws UnresolvedError
   */
  evaluate(host: string, port?: number, address?: string): Promise<EgressDecision>
  /** Ports that the settings name, for any address: at all other ports, an address has one verdict. */
  namedPorts(): readonly number[]
  /**
   * Opens a TCP connection to a checked address. An error closes it: its user receives the event `close`.
   *
   * @throws EgressRefusedError, UnresolvedError, what `check` and `node:net` throw
   */
  connect(options: ConnectOptions): Promise<Socket>
  /** Opens a UDP socket that sends to, and receives from, one checked address only. */
  connectUdp(options: ConnectOptions): Promise<UdpSocket>
  /**
   * For undici's `request`. It follows no redirects, ignores `HTTP_PROXY` and similar variables, and uses the name for
   * `Host` and SNI. A request fails with what `connect` throws. Close it after use.
   */
  createHttpAgent(options: HttpOptions): Agent
  /** Opens a separate session for querying name servers. */
  openRecords(): Records
}

export type OutboundSettings = OwnSettings & Pick<Config, 'EGRESS_ALLOW' | 'EGRESS_DENY' | 'DNS_SERVERS'>

/** @throws EntryError for settings that were not checked */
export const createOutbound = (config: OutboundSettings, { requireLive }: Pick<SafeMode, 'requireLive'>): Outbound => {
  const policy = createPolicy(config)
  const findAddresses = createFindAddresses(config.DNS_SERVERS)
  const findOwn = createFindOwn(config, createFindAddresses(undefined))

  const evaluate = async (
    text: string,
    port?: number,
    address?: string,
    signal?: AbortSignal,
  ): Promise<EgressDecision> => {
    await requireLive()
    const parsed = parseHost(text)
    if (parsed === undefined)
      return { host: text, port, allowed: false, rule: 'neither an address nor a host name', addresses: [] }
    const host = typeof parsed === 'string' ? parsed : textOf(parsed)
    const known = typeof parsed === 'string' ? address && parseAddress(address) : parsed
    const found = known ? [known] : await findAddresses(host, signal)
    const own = await findOwn(host, port)
    const addresses = found.map((address) => ({ address: textOf(address), ...policy(address, port, own) }))
    // One refused address refuses the name: the owner of its DNS zone chooses which address is used.
    const decisive = addresses.find(({ allowed }) => !allowed) ?? addresses[0]
    if (!decisive) throw new UnresolvedError(host)
    return { host, port, allowed: decisive.allowed, rule: decisive.rule, addresses }
  }

  const resolve: Resolve = async ({ host, port, address, check, isProxy = false, signal }) => {
    const decision = await evaluate(host, port, address, signal)
    if (!decision.allowed) throw new EgressRefusedError(decision)
    const destination = { host: decision.host, port, addresses: decision.addresses.map(({ address }) => address) }
    await check({ ...destination, isProxy, isOpen: false })
    return destination
  }

  return {
    evaluate: (host, port, address) => evaluate(host, port, address),
    namedPorts: () => [
      ...new Set([
        ...ownPorts(config),
        ...[...(config.EGRESS_ALLOW ?? []), ...(config.EGRESS_DENY ?? [])].flatMap(
          (text) => parseEntry(text).port ?? [],
        ),
      ]),
    ],
    connect: async ({ signal, ...options }) => {
      const destination = await resolve({ ...options, signal })
      signal?.throwIfAborted()
      const socket = openTcp({ host: destination.host, port: destination.port, lookup: lookUpIn(destination) })
      socket.on('error', () => undefined)
      const close = () => socket.destroy()
      await opened(socket, signal, close)
      return stillPermitted(socket, options.check, destination, close)
    },
    connectUdp: async ({ signal, ...options }) => {
      const { addresses, port } = await resolve({ ...options, signal })
      const [address = ''] = addresses
      signal?.throwIfAborted()
      const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
      socket.on('error', () => undefined)
      socket.connect(port, address)
      return opened(socket, signal, () => socket.close())
    },
    createHttpAgent: (options) => httpAgent(resolve, options),
    openRecords: () => createRecords(config.DNS_SERVERS, requireLive),
  }
}

/** Runs the check again on an open connection. @throws what it throws */
const stillPermitted = async <S>(socket: S, check: Check, destination: Destination, close: () => void): Promise<S> => {
  try {
    await check({ ...destination, isProxy: false, isOpen: true })
    return socket
  } catch (error) {
    close()
    throw error
  }
}

const opened = async <S extends Socket | UdpSocket>(
  socket: S,
  signal: AbortSignal | undefined,
  close: () => void,
): Promise<S> => {
  try {
    await once(socket, 'connect', signal && { signal })
    return socket
  } catch (error) {
    close()
    throw error
  }
}
