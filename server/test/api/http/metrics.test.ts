import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { METRICS_TOKEN, metricsText } from '../../support/document/metrics.ts'
import { type PlainProxy, plainProxy } from '../../support/network/plain-proxy.ts'

let app: TestApp
let proxy: PlainProxy
beforeAll(async () => {
  app = await testApp({ workers: false })
  proxy = await plainProxy(app.origin)
})
afterAll(async () => {
  await proxy.close()
  await app.close()
})

describe('S28: /metrics on the port of the product', () => {
  const ask = (origin: string, headers: Record<string, string> = {}) => fetch(`${origin}/metrics`, { headers })

  test('S28: accepts METRICS_TOKEN, wherever the request comes from', async () => {
    for (const origin of [app.origin, proxy.origin]) {
      expect(await metricsText(origin)).toContain('process_cpu_seconds_total')
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${METRICS_TOKEN}` }]) {
        expect((await ask(origin, headers as Record<string, string>)).status).toBe(404)
      }
    }
  })

  test('S28: answers 404 without METRICS_TOKEN, locally and through a proxy that makes every client look local', async () => {
    const closed = await testApp({ workers: false, env: { METRICS_TOKEN: '' } })
    const before = await plainProxy(closed.origin)
    try {
      for (const origin of [closed.origin, before.origin]) {
        for (const headers of [
          {},
          { authorization: `Bearer ${METRICS_TOKEN}` },
          { authorization: 'Bearer undefined' },
        ]) {
          const answer = await ask(origin, headers)
          expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }])
        }
      }
    } finally {
      await before.close()
      await closed.close()
    }
  })
})

test('every metric has a row in docs/operating/monitoring.md, and every alert a section in docs/operating/alerts.md', async () => {
  const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name).toSorted()
  const exported = found(await metricsText(app.origin), /^# TYPE (sortie_\w+) /gm)
  expect(exported.length).toBeGreaterThanOrEqual(28)
  expect(found(read('docs/operating/monitoring.md'), /^\| `(sortie_\w+)` /gm)).toEqual(exported)
  const alerts = read('deploy/prometheus/alerts.yaml')
  const names = found(alerts, /- alert: (\w+)/g)
  expect(names.length).toBeGreaterThanOrEqual(10)
  expect(found(read('docs/operating/alerts.md'), /^## (\w+)$/gm)).toEqual(names)
  const links = found(alerts, /runbook_url: docs\/operating\/alerts\.md#(\w+)/g)
  expect(links).toEqual(names.map((name) => name?.toLowerCase()))
})
