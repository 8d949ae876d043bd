import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Agent, buildConnector, errors } from 'undici'
import { limitTime } from '../concurrency/time-limit.ts'
import type { Check, Destination } from './outbound.ts'
import { TLS_OF_STRANGERS } from './tls-of-strangers.ts'
import { openTunnel, proxyPort, unreachedProxy } from './tunnel.ts'

export interface HttpOptions {
  /** Milliseconds from the checked address to the open connection, TLS included; a whole number. */
  connectTimeoutMs: number
  check: Check
  /** The resolved address of the one host to connect to, if it was resolved before. */
  address?: string | undefined
  /** `rejectUnauthorized: false` accepts any certificate. */
  tls?: { rejectUnauthorized: boolean }
  allowH2?: boolean
  /** `http`, `https` or `socks5`; the policy checks it like the destination. */
  proxy?: URL
  /** Ends resolving, and destroys what is being opened and what is open. */
  signal?: AbortSignal
  /** Called while a connection is being opened. */
  stages?: ConnectionStages
}

export interface ConnectionStages {
  /** Its addresses were resolved and checked. */
  resolved?(destination: Destination): void
  /** The connection is being opened; called once for each direct connection, whose `close` always follows. */
  opening?(socket: Socket): void
  /** TCP, or the tunnel through the proxy, is open to this address. */
  connected?(socket: Socket, address: string | undefined): void
  secured?(socket: TLSSocket): void
  /** It is open and checked again: the request is sent now. */
  ready?(): void
  /** A proxy was resolved and checked; the connection to it starts now. */
  proxyResolved?(proxy: Destination): void
  /** The proxy is connected, and is now asked for the tunnel. */
  proxyConnected?(socket: Socket): void
}

export type Resolve = (options: {
  host: string
  port: number
  address?: string | undefined
  check: Check
  isProxy?: boolean
  signal?: AbortSignal | undefined
}) => Promise<Destination>

/** Maximum size of the headers of an answer, in bytes. */
const MAX_HEADER_BYTES = 65_536

export const httpAgent = (resolve: Resolve, options: HttpOptions): Agent =>
  new Agent({
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: options.allowH2 ?? true,
    connect: (request, callback) => void openHttp(resolve, options, request, callback),
  })

/** Opens a connection for undici. */
const openHttp = async (
  resolve: Resolve,
  options: HttpOptions,
  request: buildConnector.Options,
  callback: buildConnector.Callback,
): Promise<void> => {
  let socket: Socket | undefined
  try {
    const { check, address, proxy, stages, signal } = options
    const port = Number(request.port) || (request.protocol === 'https:' ? 443 : 80)
    const destination = await resolve({ host: request.hostname, port, address, check, signal })
    stages?.resolved?.(destination)
    const checkAgain = async () => check({ ...destination, isProxy: false, isOpen: true })
    const tunnel =
      proxy &&
      (await openTunnel(
        proxy,
        destination,
        proxyConnector(resolve, options, proxy, checkAgain),
        options.connectTimeoutMs,
      ))
    socket = tunnel
    if (tunnel) stages?.connected?.(tunnel, destination.addresses[0])
    if (tunnel) await checkAgain()
    if (!tunnel || request.protocol === 'https:') socket = await openTo(destination, options, request, tunnel)
    await checkAgain()
    if (socket?.destroyed) throw closedMeanwhile()
    stages?.ready?.()
  } catch (error) {
    socket?.destroy()
    return callback(error as Error, null)
  }
  callback(null, socket as Socket)
}

/** Undici does not notice a close that happened before it received the socket. */
const closedMeanwhile = (): Error => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })

/** Directly, or with TLS through a tunnel. */
const openTo = (
  destination: Destination,
  options: HttpOptions,
  request: buildConnector.Options,
  tunnel: Socket | undefined,
): Promise<Socket> =>
  new Promise((done, fail) => {
    const { stages } = options
    // SNI carries host names only (RFC 6066, 3); the certificate of an address is verified for the address.
    const named = isIP(destination.host) === 0 ? {} : { servername: '' }
    const to = { ...request, ...named, hostname: destination.host, ...(tunnel && { httpSocket: tunnel }) }
    const opening = connectorTo(destination, options)(to, (error, socket) => {
      if (error) return fail(error)
      if ('encrypted' in socket) stages?.secured?.(socket)
      done(socket)
    })
    if (!tunnel && opening) stages?.opening?.(opening)
    if (!tunnel) opening?.once('connect', () => stages?.connected?.(opening, opening.remoteAddress))
  })

/** Connects to the proxy itself. @param checkTarget checks again the destination that the proxy will be asked for */
const proxyConnector =
  (resolve: Resolve, options: HttpOptions, proxy: URL, checkTarget: () => Promise<void>): buildConnector.connector =>
  (request, callback) => {
    const { check, stages, signal } = options
    const port = proxyPort(proxy)
    const open = async (): Promise<Socket> => {
      const destination = await resolve({ host: proxy.hostname, port, check, isProxy: true, signal })
      stages?.proxyResolved?.(destination)
      const socket = await new Promise<Socket>((done, fail) => {
        const to = { ...request, hostname: destination.host, port: String(port) }
        connectorTo(destination, { ...options, allowH2: false })(to, (error, opened) =>
          error ? fail(error) : done(opened),
        )
      })
      try {
        await check({ ...destination, isProxy: true, isOpen: true })
        await checkTarget()
        stages?.proxyConnected?.(socket)
        return socket
      } catch (error) {
        socket.destroy()
        throw error
      }
    }
    open().then(
      // oxlint-disable-next-line promise/no-callback-in-promise -- undici accepts only connectors with a callback
      (socket) => callback(null, socket),
      // oxlint-disable-next-line promise/no-callback-in-promise -- the same
      (error: Error) => callback(unreachedProxy(error), null),
    )
  }

/** One connector per connection: it contains the checked addresses. */
const connectorTo = (destination: Destination, { tls, allowH2 = true, connectTimeoutMs, signal }: HttpOptions) => {
  const connect = buildConnector({
    ...TLS_OF_STRANGERS,
    ...tls,
    allowH2,
    preferH2: true,
    // Undici's own limit counts time in which this process did not get to run.
    timeout: 0,
    port: destination.port,
    lookup: lookUpIn(destination),
  })
  return (request: buildConnector.Options, callback: buildConnector.Callback): Socket | undefined => {
    if (signal?.aborted) {
      callback(signal.reason as Error, null)
      return undefined
    }
    const socket = connect(request, callback) as unknown as Socket | undefined
    const endLimit = limitTime(connectTimeoutMs, () => {
      socket?.destroy(
        new errors.ConnectTimeoutError(
          `Connect Timeout Error (${destination.host}:${destination.port}, timeout: ${connectTimeoutMs}ms)`,
        ),
      )
    })
    socket?.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', endLimit).once('close', endLimit)
    const end = () => socket?.destroy(signal?.reason as Error)
    signal?.addEventListener('abort', end, { once: true })
    socket?.once('close', () => signal?.removeEventListener('abort', end))
    return socket
  }
}

/** Returns the checked addresses instead of resolving again. An address as host needs no look-up. */
export const lookUpIn =
  ({ addresses }: Destination): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all) callback(null, found)
    else callback(null, found[0]?.address as string, found[0]?.family)
  }
