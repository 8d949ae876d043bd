import type { OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { AUTHORITY, type RealProxy, SITE } from './real-proxy.ts'

export interface ProxiedAnswer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
  /** The parsed JSON; undefined where it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  body: any
}

export interface ProxiedRequest {
  headers?: OutgoingHttpHeaders
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is. */
  bytes?: Buffer
}

/** Asks a proxy over TLS by the name of the site, as a client at an address of loopback that keeps its connections. */
export class ProxiedClient {
  readonly #proxy: RealProxy
  readonly headers: OutgoingHttpHeaders
  readonly #agent: https.Agent

  /** @param address of the client; one of its own keeps a client apart from the others where a proxy counts by address */
  constructor(proxy: RealProxy, headers: OutgoingHttpHeaders = {}, address = '127.0.0.1') {
    this.#proxy = proxy
    this.headers = headers
    this.#agent = new https.Agent({ keepAlive: true, ca: AUTHORITY, servername: SITE, localAddress: address })
  }

  get = (target: string, request?: ProxiedRequest) => this.request('GET', target, request)
  post = (target: string, body?: unknown, request?: ProxiedRequest) => this.request('POST', target, { ...request, body })

  /** Sends the head; the body is for the caller to write. */
  open(method: string, target: string, headers: OutgoingHttpHeaders = {}): ReturnType<typeof https.request> {
    const all = { host: SITE, ...this.headers, ...headers }
    return https.request({ host: '127.0.0.1', port: this.#proxy.port, method, path: target, headers: all, agent: this.#agent })
  }

  async request(method: string, target: string, { headers = {}, body, bytes }: ProxiedRequest = {}): Promise<ProxiedAnswer> {
    const sent = bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
    const described = sent && { 'content-length': sent.length, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const request = this.open(method, target, { ...described, ...headers })
    const answered = answerOf(request)
    request.end(sent)
    return answered
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The answer to a request whose body may still be on its way. */
export const answerOf = (request: ReturnType<typeof https.request>): Promise<ProxiedAnswer> =>
  new Promise((resolve, reject) => {
    let isAnswered = false
    // An answer that comes before the body was taken may end the connection.
    request.on('error', (error) => !isAnswered && reject(error))
    request.once('response', (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.includes('json') ?? false
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : undefined })
      })
    })
  })
