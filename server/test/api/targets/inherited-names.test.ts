import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'
import { portScan } from '../../support/scans/scans.ts'

let app: TestApp
let key: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write'])
  const owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Names' })).body.data.id
})
afterAll(() => app.close())

/** Every JavaScript object has these. */
const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty']

test.each(INHERITED)('a list of ports named %s does not exist', async (ports) => {
  const { status, text } = await key.post('/api/v1/scans', {
    engagementId,
    scanners: [portScan(ports)],
    targets: { all: true },
  })
  expect(status, text).toBe(422)
})

test.each(INHERITED)('a service, a protocol, a level or a severity named %s is unknown', async (name) => {
  const host = `192.0.2.${INHERITED.indexOf(name) + 1}`
  const masscan = {
    ip: host,
    timestamp: '1795336755',
    ports: [{ port: 80, proto: 'tcp', status: 'open', service: { name, banner: 'x' } }],
  }
  expect(
    await imported(
      key,
      engagementId,
      JSON.stringify([masscan, { ...masscan, ports: [{ port: 81, proto: name, status: 'open' }] }]),
    ),
  ).toMatchObject({
    state: 'applied',
    format: 'masscan',
  })
  const item = (more: string) => `<ReportItem ${more} severity="2" pluginID="1" pluginName="Found"></ReportItem>`
  const items =
    item(`port="443" svc_name="${name}" protocol="tcp"`) + item(`port="444" svc_name="www" protocol="${name}"`)
  const nessus = `<?xml version="1.0"?><NessusClientData_v2><Report name="r"><ReportHost name="${host}"><HostProperties></HostProperties>${items}</ReportHost></Report></NessusClientData_v2>`
  expect(await imported(key, engagementId, nessus)).toMatchObject({ state: 'applied', format: 'nessus' })
  const result = {
    ruleId: 'r',
    level: name,
    message: { text: `Level ${name}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a.c' } } }],
  }
  const sarif = { version: '2.1.0', runs: [{ tool: { driver: { name: 'x', rules: [] } }, results: [result] }] }
  expect(await imported(key, engagementId, JSON.stringify(sarif))).toMatchObject({ state: 'applied', format: 'sarif' })
  const services = (await resultsOf(key, engagementId, { kind: 'service' })).filter(({ asset }) =>
    asset.startsWith(host),
  )
  expect(services.map(({ asset, data }) => [asset, data.service ?? data.name])).toEqual([
    [`${host}:80/tcp`, name],
    [`${host}:443/tcp`, name],
  ])
  const findings = (await resultsOf(key, engagementId, { kind: 'vulnerability' })).filter(
    ({ tools }) => !tools.includes('nessus'),
  )
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.filter(({ severity }) => severity !== null)).toEqual([])
})
