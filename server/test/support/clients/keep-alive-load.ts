import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** These clients never repeat a request that fails on a persistent connection, because that would hide the failure. */
export interface KeepAliveLoad {
  /** The outcomes of the requests, by status or by the code of the error. */
  readonly outcomes: Map<string, number>
  /** Requests that were not answered with 2xx. */
  readonly failures: string[]
  /** @returns when every client has received its last answer */
  stop(): Promise<void>
}

export interface LoadOptions {
  origin: string
  headers: Record<string, string>
  /** Each client repeats one of them. */
  requests: readonly { method: string; path: string; body?: unknown }[]
  clients: number
  /** Between an answer and the next request of the same client, on the same connection. */
  pauseMs?: number
}

export const startLoad = ({ origin, headers, requests, clients, pauseMs = 0 }: LoadOptions): KeepAliveLoad => {
  const outcomes = new Map<string, number>()
  const failures: string[] = []
  let going = true
  const client = async (number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { method, path, body } = requests[number % requests.length] as LoadOptions['requests'][number]
    while (going) {
      const outcome = await send(origin + path, method, headers, body, agent)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (!outcome.startsWith('2')) failures.push(`${method} ${path}: ${outcome}`)
      if (going) await sleep(pauseMs)
    }
    agent.destroy()
  }
  const all = Array.from({ length: clients }, (_, number) => client(number))
  return {
    outcomes,
    failures,
    stop: async () => {
      going = false
      await Promise.all(all)
    },
  }
}

const send = (
  url: string,
  method: string,
  headers: Record<string, string>,
  body: unknown,
  agent: Agent,
): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(url, {
      method,
      agent,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.once('response', (response: IncomingMessage) => {
      response.resume()
      response.once('end', () => resolve(String(response.statusCode)))
      response.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
