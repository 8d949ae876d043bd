import http from 'node:http'
import { hereMs } from '../app/machine.ts'
import type { TestApp } from '../app/test-app.ts'
import type { TestResponse } from '../app/test-client.ts'
import { checkResponse } from '../document/check-response.ts'

export interface CostlyRequest {
  method: string
  path: string
  headers?: http.OutgoingHttpHeaders
  body?: Buffer
}

/** An answer, and the time that this process spent on it from the first byte of the request. */
export interface Costed extends TestResponse {
  /**
   * Milliseconds of processor time of the server's thread, this client included, without waits and without other
   * threads.
   */
  costMs: number
}

/** Sends requests one at a time; each answer is checked against the contract. */
export class CostMeter {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  readonly #origin: string

  constructor({ origin }: Pick<TestApp, 'origin'>) {
    this.#origin = origin
  }

  async send(request: CostlyRequest): Promise<Costed> {
    const before = process.threadCpuUsage()
    const { status, headers, text } = await this.#exchange(request)
    const used = process.threadCpuUsage(before)
    const isJson = headers.get('content-type')?.includes('json') ?? false
    const response = { status, headers, text, body: isJson && text ? JSON.parse(text) : undefined }
    await checkResponse(request.method, request.path, response)
    return { ...response, costMs: (used.user + used.system) / 1000 }
  }

  /** The cheapest of a few attempts, or the first within the limit: garbage collection delays some. */
  async sendWithin(limitMs: number, request: CostlyRequest, attempts = 12): Promise<Costed> {
    let best = await this.send(request)
    for (let left = attempts - 1; left > 0 && best.costMs > limitMs; left--) {
      const again = await this.send(request)
      if (again.costMs < best.costMs) best = again
    }
    return best
  }

  close(): void {
    this.#agent.destroy()
  }

  #exchange({
    method,
    path,
    headers = {},
    body,
  }: CostlyRequest): Promise<{ status: number; headers: Headers; text: string }> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': body.length }
      let answered = false
      const request = http.request(
        this.#origin + path,
        { method, agent: this.#agent, headers: { ...length, ...headers } },
        (response) => {
          answered = true
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const pairs = Object.entries(response.headers).flatMap(([name, value]) =>
              [value ?? []].flat().map((one): [string, string] => [name, one]),
            )
            resolve({
              status: response.statusCode as number,
              headers: new Headers(pairs),
              text: Buffer.concat(chunks).toString(),
            })
          })
        },
      )
      // A server that has refused the body reads no more of it.
      request.on('error', (error) => {
        if (!answered) reject(error)
      })
      request.end(body)
    })
  }
}

export type IsRight = (status: number) => boolean
export const isRefused: IsRight = (status) => status >= 400 && status < 500
export const isNoFailure: IsRight = (status) => status < 500

/**
 * Sends requests and records those that cost more than the limit, or have a wrong answer.
 *
 * @param harmless a trivial request of as many bytes as the largest: its cost is added to the limit
 */
export const hostileClient = async (meter: CostMeter, limitMs: number, harmless: CostlyRequest, isRight: IsRight) => {
  const findings: string[] = []
  const harmlessMs = (await meter.sendWithin(0, harmless)).costMs
  return {
    findings,
    send: async (what: string, request: CostlyRequest): Promise<void> => {
      const { status, text, costMs } = await meter.sendWithin(limitMs + harmlessMs, request)
      const limit = hereMs(limitMs + harmlessMs)
      if (costMs > limit) findings.push(`${what}: ${Math.round(costMs)} ms, the limit is ${Math.round(limit)}`)
      if (!isRight(status)) findings.push(`${what}: ${status} ${text.slice(0, 200)}`)
    },
  }
}

/** The most processor time, in milliseconds, that this thread spent between two timers while `work` ran. */
export const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const used = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longest = Math.max(longest, (used.user + used.system) / 1000)
  }
  const timer = setInterval(look, 1)
  await work()
  clearInterval(timer)
  look()
  return longest
}
