import { request as plainRequest } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type TLSSocket } from 'node:tls'
import { AUTHORITY, type RealProxy, SITE } from './real-proxy.ts'

/** The status of a request in HTTP/2. @throws if the stream ends without an answer */
export const overHttp2 = (proxy: RealProxy, target: string, method: 'GET' | 'POST' = 'GET'): Promise<number> =>
  new Promise((resolve, reject) => {
    const session = connectHttp2(`https://127.0.0.1:${proxy.port}`, { ca: AUTHORITY, servername: SITE })
    session.once('error', reject)
    const stream = session.request({ ':method': method, ':path': target, ':authority': SITE })
    stream.once('error', reject)
    stream.end(method === 'POST' ? '{}' : undefined)
    stream.once('response', (headers) => {
      stream.close()
      session.close()
      resolve(Number(headers[':status']))
    })
  })

/** A GET without TLS. */
export const overPlainHttp = (
  proxy: RealProxy,
  target: string,
): Promise<{ status: number; location: string | undefined }> =>
  new Promise((resolve, reject) => {
    const asked = plainRequest(
      { host: '127.0.0.1', port: proxy.plainPort, path: target, headers: { host: SITE }, agent: false },
      (response) => {
        response.resume()
        resolve({ status: response.statusCode ?? 0, location: response.headers.location })
      },
    )
    asked.once('error', reject)
    asked.end()
  })

/** Offers only this version of TLS. @returns the negotiated version */
export const handshake = (proxy: RealProxy, version: 'TLSv1.1' | 'TLSv1.2'): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: proxy.port,
      servername: SITE,
      ca: AUTHORITY,
      minVersion: version,
      maxVersion: version,
    }
    const socket = connect({ ...options, ciphers: 'DEFAULT:@SECLEVEL=0' }, () => {
      resolve(socket.getProtocol())
      socket.destroy()
    })
    socket.once('error', reject)
  })

/**
 * Sends bytes unchanged over TLS. @returns everything received until the other side closed or was silent for `quietMs`
 * after an answer
 */
export const sendRawTls = (proxy: RealProxy, bytes: string, quietMs = 500): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    let quiet: NodeJS.Timeout | undefined
    const socket: TLSSocket = connect({ host: '127.0.0.1', port: proxy.port, servername: SITE, ca: AUTHORITY }, () =>
      socket.write(bytes),
    )
    const finish = () => {
      clearTimeout(quiet)
      socket.destroy()
      resolve(text)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      clearTimeout(quiet)
      quiet = setTimeout(finish, quietMs)
    })
    socket.once('close', finish)
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish() : reject(error),
    )
  })
