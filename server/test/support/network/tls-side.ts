import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import path from 'node:path'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { listening, type Receiver } from '../races/receiver.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/tls')
const fixture = (name: string): Buffer => readFileSync(path.join(FIXTURES, `${name}.pem`))

/**
 * All are for `target.example.com` and 127.0.0.1, the trusted one for ::1, too; the self-signed one is only for
 * 127.0.0.1.
 */
export type Certificate = 'trusted' | 'expired' | 'self-signed'

export const certificate = (name: Certificate) => ({ cert: fixture(name), key: fixture('key') })

/** Makes this process trust the authority of the fixtures. @returns a function that reverts it */
export const trustTestAuthority = (): (() => void) => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, fixture('authority').toString()])
  return () => setDefaultCACertificates(before)
}

export interface TlsSide extends Receiver {
  /** Names that clients sent by SNI; `false` for those that sent none. */
  serverNames: (string | false | null)[]
}

/**
 * An HTTPS server on loopback that returns the request that it received. With `h2` it uses HTTP/2 with clients that
 * prefer it.
 */
export const tlsSide = async (
  name: Certificate,
  { h2 = false, host = '127.0.0.1', port = 0 } = {},
): Promise<TlsSide> => {
  const options = { ...certificate(name), minVersion: 'TLSv1.2' as const }
  const server = h2
    ? createSecureServer({ ...options, allowHTTP1: true, ALPNCallback: ({ protocols }) => protocols[0] })
    : createServer(options)
  const serverNames: TlsSide['serverNames'] = []
  server.on('secureConnection', (socket: TLSSocket) => serverNames.push(socket.servername ?? null))
  server.on('request', (request, response) => {
    request.resume()
    response.setHeader('x-asked', `${request.httpVersion} ${request.headers[':authority'] ?? request.headers.host}`)
    response.setHeader('content-type', 'text/plain')
    response.end('over TLS')
  })
  return Object.assign(await listening(server, [], 'https', host, port), { serverNames })
}
