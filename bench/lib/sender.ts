import http from 'node:http'
import autocannon from 'autocannon'
import { type Alternation, CONNECTIONS, type Job, type Load } from './load.ts'
import { openLoop } from './open-loop.ts'
import { median } from './statistics.ts'

const load = async ({ url, headers = {}, seconds, connections = CONNECTIONS }: Load): Promise<number> => {
  const result = await autocannon({ url, headers, connections, duration: seconds })
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0) throw new Error(`${url}: ${bad} of ${result.requests.total} requests went wrong`)
  return result.requests.total / result.duration
}

const alternate = async ({ urls, headers, requests }: Alternation): Promise<number[]> => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const latencies = urls.map((): number[] => [])
  for (let i = 0; i < requests; i++) {
    for (const [which, url] of urls.entries()) {
      const started = performance.now()
      await get(url, headers[which] ?? {}, agent)
      latencies[which]?.push(performance.now() - started)
    }
  }
  agent.destroy()
  return latencies.map(median)
}

const get = (url: string, headers: Record<string, string>, agent: http.Agent) =>
  new Promise<void>((resolve, reject) => {
    http
      .get(url, { headers, agent }, (response) => {
        response.resume().once('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`))))
      })
      .once('error', reject)
  })

process.on('message', (job: Job) => {
  if (!job.kind) return
  const urls = job.kind === 'load' ? [job.url] : job.kind === 'open' ? [job.origin] : job.urls
  if (!urls.every((url) => new URL(url).hostname === '127.0.0.1')) throw new Error('load is sent to 127.0.0.1 only')
  const work: Promise<unknown> = job.kind === 'load' ? load(job) : job.kind === 'open' ? openLoop(job) : alternate(job)
  work.then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
