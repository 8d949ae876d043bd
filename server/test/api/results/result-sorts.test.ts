import { resultList } from '@sortie/contract/inventory/results.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { imported } from '../../support/scans/imports.ts'

interface Row {
  id: string
  asset: string
  title: string
  severity: string | null
  firstSeenAt: string
  lastSeenAt: string
  createdAt: string
}

let app: TestApp
let key: TestClient

const nuclei = (host: string, severity: string) =>
  JSON.stringify({
    'template-id': `${host}-${severity}`,
    info: { name: `Something of ${host}`, severity },
    type: 'http',
    host: `https://${host}.example.com`,
    'matched-at': `https://${host}.example.com/`,
  })

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
  const [one, two] = [await newEngagement(key), await newEngagement(key)]
  await newEngagement(key)
  await key.post('/api/v1/scope-rules', { engagementId: one, effect: 'allow', pattern: '*.example.com' })
  await imported(key, one, [nuclei('a', 'high'), nuclei('d', 'low'), nuclei('e', 'info')].join('\n'))
  app.clock.advance(60_000)
  await imported(key, two, [nuclei('b', 'high'), nuclei('c', 'critical'), nuclei('f', 'low')].join('\n'))
})
afterAll(() => app.close())

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical']
const compared: Record<string, (row: Row) => string | number> = {
  createdAt: ({ createdAt }) => createdAt,
  firstSeenAt: ({ firstSeenAt }) => firstSeenAt,
  lastSeenAt: ({ lastSeenAt }) => lastSeenAt,
  severity: ({ severity }) => SEVERITIES.indexOf(severity ?? ''),
  asset: ({ asset }) => asset.replace(/^https:\/\//, ''),
}

/** All rows, in pages of two. */
const walk = async (query: string) => {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await key.get(`/api/v1/results?perPage=2&${query}${cursor && `&cursor=${cursor}`}`)
    rows.push(...body.data)
    cursor = body.meta.nextCursor
  }
  return rows
}

describe('results of several engagements', () => {
  test.each(resultList.sorts.flatMap((sort) => [`sort=${sort}&order=asc`, `sort=${sort}&order=desc`]))(
    '%s: page by page, each once',
    async (query) => {
      const [, sort = '', order] = /sort=(\w+)&order=(\w+)/.exec(query) ?? []
      const valueOf = compared[sort] as (row: Row) => string | number
      for (const filter of ['', '&kind=vulnerability', '&verdict=in,unknown', '&targetId=none']) {
        const { data, meta } = (await key.get(`/api/v1/results?perPage=100&${filter}`)).body
        const rows = await walk(query + filter)
        expect(rows.length, filter).toBe(meta.total)
        expect(rows.map(({ id }) => id).toSorted(), filter).toEqual((data as Row[]).map(({ id }) => id).toSorted())
        const values = rows.map(valueOf)
        const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        expect(values, filter).toEqual(order === 'asc' ? sorted : sorted.toReversed())
      }
    },
  )
})
