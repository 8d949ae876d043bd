import { STATUS_CODES } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { SocksClient } from 'socks'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Destination } from './outbound.ts'

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 }

const UNOPENED = 'the proxy did not open a connection'

/** The proxy did not open the tunnel, or was itself unreachable; the cause holds the reason, if known. */
export class TunnelError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'TunnelError'
  }
}

/** The connection to the proxy itself failed. */
export const unreachedProxy = (cause: unknown): TunnelError => new TunnelError('the proxy could not be reached', cause)

export const proxyPort = ({ protocol, port }: URL): number => Number(port) || (DEFAULT_PORTS[protocol] as number)

/**
 * Opens a connection through a proxy to a checked address. The proxy receives the address, so that it cannot resolve
 * the name to another one.
 *
 * @param open connects to the proxy itself, with TLS if it speaks https
 * @throws TunnelError, what `open` throws
 */
export const openTunnel = async (
  proxy: URL,
  { addresses, port }: Destination,
  open: buildConnector.connector,
  timeoutMs: number,
): Promise<Socket> => {
  const [address = ''] = addresses
  if (proxy.protocol === 'socks5:') return openSocks(proxy, address, port, open, timeoutMs)
  const { statusCode, headers, socket } = await askHttpProxy(proxy, placeOf(address, port), open, timeoutMs)
  if (statusCode >= 200 && statusCode < 300) return socket as unknown as Socket
  socket.destroy()
  throw new TunnelError(`the proxy answered ${statusText(statusCode)}${proxyErrorOf(headers['proxy-status'])}`)
}

/** `192.0.2.7:443`, `[2001:db8::7]:443`. */
export const placeOf = (address: string, port: number): string =>
  `${isIP(address) === 6 ? `[${address}]` : address}:${port}`

const statusText = (status: number): string => [status, STATUS_CODES[status] ?? []].flat().join(' ')

/** The proxy's own error code, such as `dns_error` or `connection_refused` (RFC 9209), if it sends one. */
const proxyErrorOf = (header: string | string[] | undefined): string => {
  const parameters = String(header ?? '').split(';')
  const [, error] = parameters.map((parameter) => parameter.trim().split('=')).find(([name]) => name === 'error') ?? []
  return error !== undefined && /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''
}

const askHttpProxy = async (
  proxy: URL,
  path: string,
  open: buildConnector.connector,
  timeoutMs: number,
): Promise<Dispatcher.ConnectData> => {
  const client = new Client(`${proxy.protocol}//${proxy.host}`, { connect: open, headersTimeout: timeoutMs })
  try {
    return await client.connect({ path, headers: { host: path }, signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    throw error instanceof TunnelError ? error : new TunnelError(UNOPENED, error)
  } finally {
    // The connection through it belongs to the caller by now.
    await client.destroy()
  }
}

const openSocks = async (
  proxy: URL,
  address: string,
  port: number,
  open: buildConnector.connector,
  timeout: number,
): Promise<Socket> => {
  const own = { hostname: proxy.hostname, protocol: 'http:', port: String(proxyPort(proxy)) }
  const existing = await new Promise<Socket>((resolve, reject) =>
    open(own, (error, socket) => (error ? reject(error) : resolve(socket))),
  )
  try {
    const { socket } = await SocksClient.createConnection({
      proxy: { host: proxy.hostname, port: proxyPort(proxy), type: 5 },
      command: 'connect',
      destination: { host: address, port },
      existing_socket: existing,
      timeout,
    })
    socket.on('error', () => undefined)
    return socket
  } catch (error) {
    existing.destroy()
    throw new TunnelError(socksAnswer(error as Error) ?? UNOPENED, error)
  }
}

/** Answers of SOCKS proxies (RFC 1928, 6), by the library's names for them. */
const SOCKS_ANSWERS: Readonly<Record<string, string>> = {
  Failure: 'that it failed, and not why',
  NotAllowed: 'that its rules do not allow it',
  NetworkUnreachable: 'that the network cannot be reached',
  HostUnreachable: 'that the host cannot be reached',
  ConnectionRefused: 'that the connection was refused',
  TTLExpired: 'that the hop limit was exceeded',
  CommandNotSupported: 'that it opens no connections',
  AddressNotSupported: 'that it does not know this kind of address',
}

const socksAnswer = ({ message }: Error): string | undefined => {
  if (message.includes('authentication type')) return 'the proxy wants authentication'
  const answer = SOCKS_ANSWERS[/^Socks5 proxy rejected connection - (\w+)$/.exec(message)?.[1] ?? '']
  return answer && `the proxy answered ${answer}`
}
