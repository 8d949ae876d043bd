// Creates load on the sender's core: closed loops, in which each connection waits for its response, and an open loop.
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { Agent, Client, type Dispatcher, request } from 'undici'
import { atMost, type Bench, inRounds, type Measured, median, medians, none, percentile, ratios } from './figure.ts'
import { ORGANIZATION, type Server } from './sortie.ts'

export const CONNECTIONS = 64

type Result = { requests: { total: number }; duration: number } & Record<'non2xx' | 'errors' | 'timeouts', number>
export type Side = { server: Server; path: string; headers?: Record<string, string> }
export type Request = { url: string; headers: Record<string, string> }

/** @returns requests per second, and the server's CPU time for each in microseconds */
export const load = async (
  { server, path, headers = {} }: Side,
  seconds: number,
): Promise<{ perSecond: number; cpuUs: number }> => {
  const before = server.cpuMs()
  const { requests, duration, ...wrong }: Result = await autocannon({
    url: server.origin + path,
    headers,
    connections: CONNECTIONS,
    duration: seconds,
  })
  const bad = wrong.non2xx + wrong.errors + wrong.timeouts
  if (bad > 0) throw new Error(`${path}: ${bad} of ${requests.total} requests went wrong`)
  return { perSecond: requests.total / duration, cpuUs: ((server.cpuMs() - before) * 1_000) / requests.total }
}

/**
 * Loads two servers alternately (A B A B ...). @returns the ratio of their requests per second, first to second, by
 * round
 */
export const compareRates = async (
  bench: Bench,
  ours: Side,
  theirs: Side,
): Promise<{ ratios: number[]; cpu: string }> => {
  for (const side of [ours, theirs]) await load(side, 2)
  const rounds = await inRounds(bench.rounds, async () => {
    const [our, their] = [await load(ours, bench.seconds), await load(theirs, bench.seconds)]
    return { ourRate: our.perSecond, theirRate: their.perSecond, ourUs: our.cpuUs, theirUs: their.cpuUs }
  })
  bench.note(`${ours.path}: ${medians(rounds.ourRate, rounds.theirRate)} requests a second`)
  return {
    ratios: ratios(rounds.ourRate, rounds.theirRate),
    cpu: `${medians(rounds.ourUs, rounds.theirUs)} us of server CPU`,
  }
}

/** Requests two URLs alternately over one connection. @returns median latencies in milliseconds, by round */
export const compareLatencies = ({ rounds }: Bench, ours: Request, theirs: Request, requests: number) =>
  inRounds(rounds, async () => {
    const [our = 0, their = 0] = await latencies([ours, theirs], requests)
    return { our, their }
  })

/** Requests each URL alternately over one connection. @returns the median latency of each, in milliseconds */
export const latencies = async (asked: readonly Request[], requests: number): Promise<number[]> => {
  const dispatcher = new Agent({ connections: 1 })
  const times = asked.map((): number[] => [])
  for (let i = 0; i < requests; i++) {
    for (const [which, { url, headers }] of asked.entries()) {
      const startedAt = performance.now()
      const { statusCode, body } = await request(url, { headers, dispatcher })
      await body.dump()
      times[which]?.push(performance.now() - startedAt)
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
    }
  }
  await dispatcher.close()
  return times.map(median)
}

/** The body is sent as JSON. */
export type MixedRequest = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers?: Record<string, string>
  body?: object
}

interface OpenLoad {
  origin: string
  mix: readonly MixedRequest[]
  seconds: number
  /** Requests per second, whatever the responses; undefined: as many as the connections allow. */
  rate?: number
  /**
   * Connections opened before the load, like those of keep-alive clients. If none is free, a request waits (its latency
   * counts) or is skipped.
   */
  connections: number
  skipsWhenBusy?: boolean
}

/**
 * Latencies in milliseconds: of good responses, and of 429 and 503 with Retry-After; and the number of other responses
 * by status, 0 for none.
 */
type OpenResult = { due: number; unsent: number; good: number[]; refused: number[]; other: Record<string, number> }

/**
 * Sends requests at their scheduled time and measures latency from it, so that a stalled server is charged for requests
 * during the stall.
 */
export const openLoop = async ({
  origin,
  mix,
  rate,
  seconds,
  connections,
  skipsWhenBusy = false,
}: OpenLoad): Promise<OpenResult> => {
  const requests = mix.map(({ body, headers, ...rest }): Dispatcher.DispatchOptions => {
    return {
      ...rest,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    }
  })
  const clients = Array.from({ length: connections }, () => new Client(origin))
  await Promise.all(
    clients.map(async (client) => (await client.request({ method: 'GET', path: '/api/health/live' })).body.dump()),
  )
  const idle = [...clients]
  const waiting: number[] = []
  const result: OpenResult = { due: 0, unsent: 0, good: [], refused: [], other: {} }
  let sent = 0
  const countOther = (status: number, count = 1) => {
    result.other[status] = (result.other[status] ?? 0) + count
  }
  const send = (client: Client, dueAt: number) => {
    let [status, isRefusal] = [0, false]
    const end = (code: number) => {
      const ms = performance.now() - dueAt
      if (code >= 200 && code < 300) result.good.push(ms)
      else if (isRefusal && code > 0) result.refused.push(ms)
      else countOther(code)
      idle.push(client)
    }
    client.dispatch(requests[sent++ % requests.length] as Dispatcher.DispatchOptions, {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code, headers) => {
        status = code
        isRefusal = (code === 429 || code === 503) && headers['retry-after'] !== undefined
      },
      onResponseData: () => undefined,
      onResponseEnd: () => end(status),
      onResponseError: () => end(0),
    })
  }
  const sendWaiting = () => {
    while (waiting.length > 0 && idle.length > 0) send(idle.shift() as Client, waiting.shift() as number)
  }
  const startedAt = performance.now()
  for (let now = startedAt; now < startedAt + seconds * 1_000; now = performance.now()) {
    const dueByNow = rate === undefined ? result.due + idle.length : Math.floor(((now - startedAt) / 1_000) * rate) + 1
    for (; result.due < dueByNow; result.due++)
      waiting.push(rate === undefined ? now : startedAt + (result.due / rate) * 1_000)
    sendWaiting()
    if (skipsWhenBusy) result.unsent += waiting.splice(0).length
    await nap()
  }
  for (
    const deadline = performance.now() + 5_000;
    idle.length < connections && performance.now() < deadline;
    sendWaiting()
  )
    await sleep(5)
  await Promise.all(clients.map((client) => client.destroy()))
  if (waiting.length > 0) countOther(0, waiting.length)
  return result
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))
let napping: Promise<void> | undefined

/**
 * Sleeps for a millisecond without handling sockets, then handles all of them; concurrent loops share it. Waiting in
 * `epoll` would wake the process for each response, which costs the server several microseconds on a neighbouring
 * virtual core.
 */
const nap = (): Promise<void> => {
  napping ??= new Promise((resolve) => {
    setImmediate(() => {
      Atomics.wait(sleeper, 0, 0, 1)
      setImmediate(() => {
        napping = undefined
        resolve()
      })
    })
  })
  return napping
}

export const API_CONNECTIONS = 32

/**
 * @returns a function that floods the server, from before the first to after the last request of the measured client
 */
export const flood = async (
  { note }: Bench,
  load: Omit<OpenLoad, 'connections'>,
): Promise<() => Promise<OpenResult>> => {
  // Warms up the flooded code, as on a server that has been up for a while.
  await openLoop({ ...load, rate: 5, seconds: 4, connections: 1 })
  return async () => {
    const result = await openLoop({ ...load, seconds: load.seconds + 2, connections: 64 })
    note(
      `${result.due} sent, ${result.good.length} good, ${result.refused.length} refused as too many, others ${JSON.stringify(result.other)}`,
    )
    return result
  }
}

/**
 * Measures an API client while other load disturbs the server: its responses must stay good, and at most twice as slow.
 */
export const duringDisturbance = async <T>(
  { note }: Bench,
  { server: { origin, memoryDuring }, headers }: Omit<Side, 'path'>,
  { name, seconds, memoryMb, disturb }: { name: string; seconds: number; memoryMb: number; disturb(): Promise<T> },
): Promise<{ result: T; measured: Measured[] }> => {
  const mix = [{ method: 'GET' as const, path: ORGANIZATION, headers: headers ?? {} }]
  const ask = (duration: number) =>
    openLoop({ origin, mix, rate: 100, seconds: duration, connections: API_CONNECTIONS })
  await ask(5)
  const before = await ask(20)
  const { result: both, addedMb } = await memoryDuring(() => Promise.all([ask(seconds), disturb()]))
  const [during, result] = both
  const [p99, p99Before] = [percentile(during.good, 0.99), percentile(before.good, 0.99)]
  note(`${name}: 99th percentile of the API ${p99.toFixed(1)} ms, ${p99Before.toFixed(1)} ms before`)
  const measured = [
    atMost(`${name}: API, 99th percentile`, 2, 'x', [p99 / p99Before]),
    none(`${name}: API answers that are not good`, during.due - during.good.length),
    atMost(`${name}: memory added`, memoryMb, 'MB', [addedMb]),
  ]
  return { result, measured }
}
