import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { imported, resultsOf } from '../../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const json = (value: unknown): string => JSON.stringify(value)
const PURL = 'pkg:npm/lodash@4.17.20'

const trivy = json({
  SchemaVersion: 2,
  ArtifactName: 'image',
  Results: [
    {
      Target: 'image',
      Vulnerabilities: [
        {
          VulnerabilityID: 'CVE-2026-1',
          PkgName: 'lodash',
          InstalledVersion: '4.17.20',
          Severity: 'HIGH',
          PkgIdentifier: { PURL },
        },
      ],
    },
  ],
})

test('VEX of CycloneDX decides about the finding of another tool; a statement about none is counted, also in a preview', async () => {
  const engagementId = await newEngagement(key)
  await imported(key, engagementId, trivy)
  const vex = json({
    bomFormat: 'CycloneDX',
    vulnerabilities: ['CVE-2026-1', 'CVE-2026-2'].map((id) => ({
      id,
      analysis: { state: 'not_affected', justification: 'code_not_reachable' },
      affects: [{ ref: PURL }],
    })),
  })
  const warnings = ['Statements about findings that the engagement does not have, which change nothing: 1.']
  expect((await imported(key, engagementId, vex, { mode: 'preview' })).warnings).toEqual(warnings)
  const last = await imported(key, engagementId, vex)
  expect([last.state, last.warnings]).toEqual(['applied', warnings])
  expect(await resultsOf(key, engagementId, { kind: 'vulnerability' })).toMatchObject([
    { title: 'CVE-2026-1', status: 'false_positive', data: { analysis: 'not_affected: code_not_reachable' } },
  ])
})

test('sslyze and sslscan: a check that passes fixes its known finding', async () => {
  const sslyze = (isVulnerable: boolean) =>
    json({
      sslyze_version: '6.1.0',
      server_scan_results: [
        {
          server_location: { hostname: 'a.example', ip_address: '192.0.2.1', port: 443 },
          scan_result: {
            heartbleed: { status: 'COMPLETED', result: { is_vulnerable_to_heartbleed: isVulnerable } },
          },
        },
      ],
    })
  const sslscan = (enabled: number) =>
    `<document title="SSLScan Results"><ssltest host="a.example" port="443"><protocol type="ssl" version="3" enabled="${enabled}"/></ssltest></document>`
  for (const [before, after, title] of [
    [sslyze(true), sslyze(false), 'Heartbleed'],
    [sslscan(1), sslscan(0), 'SSLv3 is offered'],
  ] as const) {
    const engagementId = await newEngagement(key)
    await imported(key, engagementId, before)
    expect((await imported(key, engagementId, after)).warnings).toEqual(['Checks that passed and are not findings: 1.'])
    expect(await resultsOf(key, engagementId, { kind: 'vulnerability' })).toMatchObject([
      { title, state: 'gone', status: 'fixed' },
    ])
  }
})
