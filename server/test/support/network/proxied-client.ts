import type { OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { AUTHORITY, type RealProxy, SITE } from './real-proxy.ts'

export interface ProxiedAnswer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
  /** The parsed JSON; undefined if it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  body: any
}

export interface ProxiedRequest {
  headers?: OutgoingHttpHeaders
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged. */
  bytes?: Buffer
}

/** Calls a proxy over TLS by the name of the site, as a client at a loopback address with persistent connections. */
export class ProxiedClient {
  readonly #proxy: RealProxy
  readonly headers: OutgoingHttpHeaders
  readonly #agent: https.Agent

  /** @param address of the client; a separate one distinguishes a client from others if a proxy counts by address */
  constructor(proxy: RealProxy, headers: OutgoingHttpHeaders = {}, address = '127.0.0.1') {
    this.#proxy = proxy
    this.headers = headers
    this.#agent = new https.Agent({ keepAlive: true, ca: AUTHORITY, servername: SITE, localAddress: address })
  }

  get = (target: string, request?: ProxiedRequest) => this.request('GET', target, request)
  post = (target: string, body?: unknown, request?: ProxiedRequest) =>
    this.request('POST', target, { ...request, body })

  /** Sends the head; the caller writes the body. */
  open(method: string, target: string, headers: OutgoingHttpHeaders = {}): ReturnType<typeof https.request> {
    const all = { host: SITE, ...this.headers, ...headers }
    return https.request({
      host: '127.0.0.1',
      port: this.#proxy.port,
      method,
      path: target,
      headers: all,
      agent: this.#agent,
    })
  }

  async request(
    method: string,
    target: string,
    { headers = {}, body, bytes }: ProxiedRequest = {},
  ): Promise<ProxiedAnswer> {
    const sent = bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
    const described = sent && {
      'content-length': sent.length,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const request = this.open(method, target, { ...described, ...headers })
    const answered = answerOf(request)
    request.end(sent)
    return answered
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The answer to a request whose body may still be in transit. */
export const answerOf = (request: ReturnType<typeof https.request>): Promise<ProxiedAnswer> =>
  new Promise((resolve, reject) => {
    let isAnswered = false
    // An early answer may end the connection before the body is sent.
    request.on('error', (error) => !isAnswered && reject(error))
    request.once('response', (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.includes('json') ?? false
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson && text ? JSON.parse(text) : undefined,
        })
      })
    })
  })
