import http from 'node:http'
import https from 'node:https'
import net, { type Socket } from 'node:net'
import { listening, type Receiver } from '../races/receiver.ts'
import { type Certificate, certificate } from './tls-side.ts'

export interface Proxy extends Receiver {
  /** `address:port` of each requested connection. */
  asked: string[]
}

/** An HTTP proxy's answer to `CONNECT` that replaces the tunnel. */
type Refusal = (socket: Socket) => void

/** An HTTP proxy on loopback that supports only `CONNECT`; with a certificate it is reached by TLS. */
export const httpProxy = async ({ tls, refuse }: { tls?: Certificate; refuse?: Refusal } = {}): Promise<Proxy> => {
  const server = tls ? https.createServer(certificate(tls)) : http.createServer()
  const asked: string[] = []
  server.on('connect', ({ url = '' }, client: Socket) => {
    asked.push(url)
    client.on('error', () => undefined)
    if (refuse) return refuse(client)
    const { hostname, port } = new URL(`http://${url}`)
    join(client, hostname, Number(port), () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
  })
  return Object.assign(await listening(server, [], tls ? 'https' : 'http'), { asked })
}

const SOCKS_VERSION = 5
const NO_AUTHENTICATION = 0
const IPV4 = 1
const CONNECTION_REFUSED = 5

/**
 * A SOCKS proxy on loopback (RFC 1928) that accepts IPv4 addresses and no authentication.
 *
 * @param refuse its answer in place of the tunnel
 */
export const socksProxy = async ({ refuse }: { refuse?: number } = {}): Promise<Proxy> => {
  const asked: string[] = []
  const server = net.createServer((client) => {
    client.once('data', () => {
      client.write(Buffer.from([SOCKS_VERSION, NO_AUTHENTICATION]))
      client.once('data', (request) => {
        const isIpv4 = request[3] === IPV4
        const address = isIpv4 ? [...request.subarray(4, 8)].join('.') : `type ${request[3]}`
        const port = request.readUInt16BE(request.length - 2)
        asked.push(`${address}:${port}`)
        const answer = (code: number) => client.write(Buffer.from([SOCKS_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0]))
        if (refuse !== undefined || !isIpv4) return answer(refuse ?? CONNECTION_REFUSED)
        join(client, address, port, () => answer(0))
      })
    })
  })
  const side = await listening(server, [], 'socks5')
  return Object.assign(side, { asked })
}

const join = (client: Socket, host: string, port: number, onOpen: () => void): void => {
  const target = net.connect({ host, port }, () => {
    onOpen()
    client.pipe(target).pipe(client)
  })
  target.on('error', () => client.resetAndDestroy())
  client.once('close', () => target.destroy())
}
