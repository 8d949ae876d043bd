import { isIP, type Socket } from 'node:net'
import { SocksClient } from 'socks'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Destination } from './outbound.ts'

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 }

const UNOPENED = 'the proxy did not open a connection'

/** The proxy did not open the way; the cause says why, where that is known. */
export class TunnelError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'TunnelError'
  }
}

export const proxyPort = ({ protocol, port }: URL): number => Number(port) || (DEFAULT_PORTS[protocol] as number)

/**
 * A connection through a proxy to an address that was judged: the proxy is told the address, so that it cannot take the
 * name for another one.
 *
 * @param open connects to the proxy itself, with TLS where it speaks https
 * @throws TunnelError, what `open` throws
 */
export const openTunnel = async (proxy: URL, { addresses, port }: Destination, open: buildConnector.connector, timeoutMs: number): Promise<Socket> => {
  const [address = ''] = addresses
  if (proxy.protocol === 'socks5:') return openSocks(proxy, address, port, open, timeoutMs)
  const path = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
  const { statusCode, socket } = await askHttpProxy(proxy, path, open, timeoutMs)
  if (statusCode === 200) return socket as unknown as Socket
  socket.destroy()
  throw new TunnelError(`the proxy answered ${statusCode}`)
}

const askHttpProxy = async (proxy: URL, path: string, open: buildConnector.connector, timeoutMs: number): Promise<Dispatcher.ConnectData> => {
  const client = new Client(`${proxy.protocol}//${proxy.host}`, { connect: open, headersTimeout: timeoutMs })
  try {
    return await client.connect({ path, headers: { host: path }, signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    throw new TunnelError(UNOPENED, error)
  } finally {
    // The connection that was opened through it is the caller's by now.
    await client.destroy()
  }
}

const openSocks = async (proxy: URL, address: string, port: number, open: buildConnector.connector, timeout: number): Promise<Socket> => {
  const own = { hostname: proxy.hostname, protocol: 'http:', port: String(proxyPort(proxy)) }
  const existing = await new Promise<Socket>((resolve, reject) => open(own, (error, socket) => (error ? reject(error) : resolve(socket))))
  try {
    const { socket } = await SocksClient.createConnection({
      proxy: { host: proxy.hostname, port: proxyPort(proxy), type: 5 },
      command: 'connect',
      destination: { host: address, port },
      existing_socket: existing,
      timeout,
    })
    return socket
  } catch (error) {
    existing.destroy()
    throw new TunnelError(UNOPENED, error)
  }
}
