import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'

/** Verdicts of results whose place no target fits exactly: the rules evaluate the place itself. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const rule = async (engagementId: string, effect: string, pattern: string): Promise<string> => {
  const { status, body, text } = await key.post('/api/v1/scope-rules', { engagementId, effect, pattern })
  expect(status, text).toBe(201)
  return body.data.id
}
const target = async (engagementId: string, value: string): Promise<string> =>
  (await key.post('/api/v1/targets', { engagementId, value })).body.data.id
const finding = (url: string) =>
  JSON.stringify({ 'template-id': 't', info: { name: 'N', severity: 'high' }, type: 'http', 'matched-at': url })
const verdicts = async (engagementId: string, filters: Record<string, string> = {}) => {
  const rows = (await resultsOf(key, engagementId, { kind: 'vulnerability', ...filters })) as unknown as {
    data: { location: string }
    verdict: string
  }[]
  return Object.fromEntries(rows.map(({ data, verdict }) => [data.location, verdict]))
}

const byHand = async (engagementId: string, asset: string, more: object = {}) =>
  (await key.post('/api/v1/results', { engagementId, title: 'T', severity: 'high', asset, ...more })).body.data as {
    id: string
    verdict: string
    targetId: string | null
  }

test('a finding at a URL in scope on a host that is not has the verdict in scope, in lists, filters and facets, and follows the rules', async () => {
  const engagementId = await newEngagement(key)
  const shop = await rule(engagementId, 'allow', 'https://app.example.com/shop')
  await imported(
    key,
    engagementId,
    [finding('https://app.example.com/shop/cart'), finding('https://app.example.com/other')].join('\n'),
  )
  const [cart, other] = ['https://app.example.com/shop/cart', 'https://app.example.com/other'] as const
  expect(await verdicts(engagementId)).toEqual({ [cart]: 'in', [other]: 'out' })
  expect(await verdicts(engagementId, { verdict: 'in' })).toEqual({ [cart]: 'in' })
  expect(await verdicts(engagementId, { verdict: 'out' })).toEqual({ [other]: 'out' })
  expect((await key.get(`/api/v1/results/facets?engagementId=${engagementId}&by=verdict`)).body.data.verdict).toEqual({
    in: 1,
    out: 1,
    caution: 0,
    unknown: 0,
  })
  const [host] = (await key.get(`/api/v1/targets?engagementId=${engagementId}`)).body.data
  expect((await resultsOf(key, engagementId)).map(({ targetId }) => targetId)).toEqual([host.id, host.id])
  expect(host).toMatchObject({ canonical: 'app.example.com', verdict: 'out' })

  const before = (await resultsOf(key, engagementId)) as unknown as { updatedAt: string }[]
  const cartDenied = await rule(engagementId, 'deny', 'https://app.example.com/shop/cart')
  expect(await verdicts(engagementId), 'exclusions win').toEqual({ [cart]: 'out', [other]: 'out' })
  await key.delete(`/api/v1/scope-rules/${cartDenied}`)
  expect(await verdicts(engagementId)).toEqual({ [cart]: 'in', [other]: 'out' })
  await key.patch(`/api/v1/scope-rules/${shop}`, { effect: 'caution' })
  expect(await verdicts(engagementId)).toEqual({ [cart]: 'caution', [other]: 'unknown' })
  await key.delete(`/api/v1/scope-rules/${shop}`)
  expect(await verdicts(engagementId)).toEqual({ [cart]: 'unknown', [other]: 'unknown' })
  await rule(engagementId, 'allow', 'app.example.com')
  await rule(engagementId, 'deny', 'https://app.example.com/other')
  expect(await verdicts(engagementId), 'a rule for a URL that comes later').toEqual({ [cart]: 'in', [other]: 'out' })
  expect(
    ((await resultsOf(key, engagementId)) as unknown as { updatedAt: string }[]).map(({ updatedAt }) => updatedAt),
  ).toEqual(before.map(({ updatedAt }) => updatedAt))
})

describe('a result at a port', () => {
  const service = (ip: string, port: number, more: object = {}) =>
    JSON.stringify({ ip, port, protocol: 'tcp', ...more })
  const verdictsOf = async (engagementId: string, filters: Record<string, string> = {}) => {
    const rows = (await resultsOf(key, engagementId, filters)) as unknown as { asset: string; verdict: string }[]
    return Object.fromEntries(rows.map(({ asset, verdict }) => [asset, verdict]))
  }
  const ROWS = [
    service('192.0.2.1', 22),
    service('192.0.2.1', 443),
    service('192.0.2.2', 22, { host: 'vpn.example.com' }),
    service('192.0.2.2', 8443, { host: 'vpn.example.com' }),
  ].join('\n')
  const [SSH, WEB, VPN_SSH, VPN] = ['192.0.2.1:22/tcp', '192.0.2.1:443/tcp', '192.0.2.2:22/tcp', '192.0.2.2:8443/tcp']

  test('has the verdict of its port, in an import, in filters, and after each change of rules', async () => {
    for (const isImportFirst of [true, false]) {
      const engagementId = await newEngagement(key)
      const load = () => imported(key, engagementId, ROWS, { format: 'naabu' })
      if (isImportFirst) await load()
      await rule(engagementId, 'allow', '192.0.2.0/24')
      await rule(engagementId, 'allow', 'vpn.example.com:8443/tcp')
      const ssh = await rule(engagementId, 'deny', '192.0.2.1:22')
      const udp = await rule(engagementId, 'deny', '192.0.2.1:443/udp')
      if (!isImportFirst) await load()
      const services = { kind: 'service' }
      const expected = { [SSH]: 'out', [WEB]: 'in', [VPN_SSH]: 'out', [VPN]: 'in' }
      expect(await verdictsOf(engagementId, services), `import first: ${isImportFirst}`).toEqual(expected)
      expect(await verdictsOf(engagementId, { ...services, verdict: 'in' })).toEqual({ [WEB]: 'in', [VPN]: 'in' })
      const address = await rule(engagementId, 'deny', '192.0.2.2:8443')
      expect(await verdictsOf(engagementId, services)).toEqual({ ...expected, [VPN]: 'out' })
      await key.patch(`/api/v1/scope-rules/${ssh}`, { effect: 'caution' })
      for (const id of [udp, address]) await key.delete(`/api/v1/scope-rules/${id}`)
      expect(await verdictsOf(engagementId, services)).toEqual({ ...expected, [SSH]: 'caution' })
      await key.delete(`/api/v1/scope-rules/${ssh}`)
      expect(await verdictsOf(engagementId, services)).toEqual({ ...expected, [SSH]: 'in' })
    }
  })

  test('belongs to the target that is its service, where rules tell it from its host; out of scope it is left out', async () => {
    const engagementId = await newEngagement(key)
    await rule(engagementId, 'allow', 'vpn.example.com:8443')
    const targetId = await target(engagementId, 'vpn.example.com:8443')
    const { counts } = await imported(key, engagementId, ROWS, { format: 'naabu', outOfScope: 'skip' })
    expect([counts.outOfScope > 2, counts.results['created']]).toEqual([true, 1])
    expect(await resultsOf(key, engagementId)).toMatchObject([{ asset: VPN, targetId, verdict: 'in' }])
  })

  test('that is a URL or a finding has the verdict of its port, also one written by hand', async () => {
    const engagementId = await newEngagement(key)
    await rule(engagementId, 'allow', 'app.example.com')
    const urls = ['https://app.example.com/a', 'https://app.example.com:8443/a', 'http://app.example.com/a']
    await imported(key, engagementId, urls.map(finding).join('\n'))
    const { id } = await byHand(engagementId, 'app.example.com:8443')
    const verdict = async () => (await key.get(`/api/v1/results/${id}`)).body.data.verdict
    expect([Object.values(await verdicts(engagementId)), await verdict()].flat()).not.toContain('out')
    const denied = await rule(engagementId, 'deny', 'app.example.com:8443')
    await rule(engagementId, 'caution', 'app.example.com:80/tcp')
    expect(await verdicts(engagementId)).toMatchObject({
      [urls[0] as string]: 'in',
      [urls[1] as string]: 'out',
      [urls[2] as string]: 'caution',
    })
    expect(await verdict()).toBe('out')
    await key.delete(`/api/v1/scope-rules/${denied}`)
    expect(await verdicts(engagementId)).toMatchObject({ [urls[1] as string]: 'in' })
    expect(await verdict()).toBe('in')
  })
})

test('a denied address takes precedence over the URL', async () => {
  const engagementId = await newEngagement(key)
  await rule(engagementId, 'allow', 'https://app.example.com/shop')
  await rule(engagementId, 'deny', '192.0.2.66')
  const row = { ...JSON.parse(finding('https://app.example.com/shop/cart')), ip: '192.0.2.66' }
  await imported(key, engagementId, JSON.stringify(row))
  expect(await verdicts(engagementId)).toEqual({ 'https://app.example.com/shop/cart': 'out' })
})

test('Burp: an issue is evaluated by its path', async () => {
  const engagementId = await newEngagement(key)
  await rule(engagementId, 'allow', 'https://app.example.com/shop')
  const issue = (path: string) =>
    `<issue><serialNumber>1</serialNumber><type>1</type><name>N ${path}</name><host>https://app.example.com</host><path>${path}</path><location>${path} [id parameter]</location><severity>High</severity></issue>`
  await imported(key, engagementId, `<issues burpVersion="1">${issue('/shop/a')}${issue('/b')}</issues>`)
  const seen = { '/shop/a [id parameter]': 'in', '/b [id parameter]': 'out' }
  expect(await verdicts(engagementId)).toEqual(seen)
  await rule(engagementId, 'caution', 'other.example.com')
  expect(await verdicts(engagementId), 'judged from what is stored').toEqual(seen)
})

describe('a finding that is written by hand', () => {
  test('belongs to the nearest target, and has the verdict of its place', async () => {
    const engagementId = await newEngagement(key)
    await rule(engagementId, 'allow', '*.example.com')
    await rule(engagementId, 'allow', '192.0.2.0/24')
    await rule(engagementId, 'deny', 'https://app.example.com/admin')
    const [host, url, network] = await Promise.all(
      ['app.example.com', 'https://app.example.com/shop', '192.0.2.0/24'].map((value) => target(engagementId, value)),
    )
    const placed = async (asset: string) => {
      const { verdict, targetId } = await byHand(engagementId, asset)
      return [verdict, targetId]
    }
    expect(await placed('https://app.example.com/shop/cart?x=1')).toEqual(['in', url])
    expect(await placed('https://app.example.com/login')).toEqual(['in', host])
    expect(await placed('https://app.example.com/admin/users')).toEqual(['out', host])
    expect(await placed('app.example.com:8443')).toEqual(['in', host])
    expect(await placed('app.example.com/login (parameter q)')).toEqual(['in', host])
    expect(await placed('www.example.com')).toEqual(['in', null])
    expect(await placed('192.0.2.7')).toEqual(['in', network])
    expect(await placed('https://other.example.org/')).toEqual(['out', null])
    expect(await placed('the office')).toEqual(['unknown', null])
  })

  test('is denied if its place is, whatever target it was given, and is evaluated again with the rules and with its place', async () => {
    const engagementId = await newEngagement(key)
    const allowed = await rule(engagementId, 'allow', 'app.example.com')
    const targetId = await target(engagementId, 'app.example.com')
    const { id, verdict } = await byHand(engagementId, 'https://app.example.com/admin', { targetId })
    const now = async () => (await key.get(`/api/v1/results/${id}`)).body.data as { verdict: string; targetId: string }
    expect(verdict).toBe('in')
    const denied = await rule(engagementId, 'deny', 'https://app.example.com/admin/*')
    expect(await now()).toMatchObject({ verdict: 'out', targetId })
    expect(
      (await key.patch(`/api/v1/results/${id}`, { asset: 'https://app.example.com/login' })).body.data,
    ).toMatchObject({ verdict: 'in', targetId })
    expect(
      (await key.patch(`/api/v1/results/${id}`, { asset: 'https://app.example.com/admin/x' })).body.data,
    ).toMatchObject({ verdict: 'out' })
    await key.delete(`/api/v1/scope-rules/${denied}`)
    expect(await now()).toMatchObject({ verdict: 'in' })
    await key.delete(`/api/v1/scope-rules/${allowed}`)
    expect(await now()).toMatchObject({ verdict: 'unknown' })
  })

  test('is evaluated by the rules of the engagement into which it is copied', async () => {
    const engagementId = await newEngagement(key)
    await rule(engagementId, 'allow', '*.example.com')
    await byHand(engagementId, 'www.example.com')
    const clone = async (include: string[]) => {
      const { body } = await key.post(`/api/v1/engagements/${engagementId}/clone`, { name: 'Retest', include })
      return Object.values(await verdictsByAsset(body.data.id))
    }
    expect(await clone(['scope', 'vulnerabilities'])).toEqual(['in'])
    expect(await clone(['vulnerabilities'])).toEqual(['unknown'])
  })
})

const verdictsByAsset = async (engagementId: string) => {
  for (let tries = 0; tries < 100; tries++) {
    const rows = (await resultsOf(key, engagementId)) as unknown as { asset: string; verdict: string }[]
    if (rows.length > 0) return Object.fromEntries(rows.map(({ asset, verdict }) => [asset, verdict]))
  }
  throw new Error('nothing was copied')
}
