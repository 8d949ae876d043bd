import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { zipOf } from '../../../support/inputs/zip.ts'
import { imported, resultsOf } from '../../../support/scans/imports.ts'

let app: TestApp
let key: TestClient
let engagement: string

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
  engagement = await newEngagement(key)
})
afterAll(() => app.close())

const json = (value: unknown): string => JSON.stringify(value)

test.each<[string, string | Buffer, RegExp]>([
  ['an Excel file', zipOf({ '[Content_Types].xml': '<x/>', 'xl/workbook.xml': '<x/>' }), /Excel file: save it as CSV/],
  ['a ZIP', zipOf({ 'a.xml': '<nmaprun/>' }), /ZIP: unpack it/],
  ['a PDF', '%PDF-1.7\n1 0 obj', /PDF: export/],
  ['an HTML report', '<!doctype html>\n<html><head><title>Report, all</title></head></html>', /HTML report/],
  [
    'the HTML of Nessus',
    '<!doctype html>\n<html><title>Nessus scan report</title></html>',
    /export the scan as \.nessus/,
  ],
  ['Shodan', json({ ip_str: '192.0.2.90', ip: 3221225986, ports: [443], hostnames: [], data: [] }), /Shodan/],
  ['trufflehog', json({ SourceMetadata: {}, SourceID: 1, DetectorName: 'AWS', Raw: 'x' }), /trufflehog/],
  ['BloodHound', json({ data: [], meta: { methods: 0, type: 'users' } }), /BloodHound/],
  ['DefectDojo', json({ findings: [{ title: 'x' }] }), /DefectDojo.*CSV/],
  ['Metasploit', '<?xml version="1.0"?><MetasploitV5><hosts/></MetasploitV5>', /Metasploit/],
  ['a WSDL', '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" name="S"/>', /WSDL/],
  [
    'masscan -oG',
    '#masscan v1.3 scan initiated Fri Nov 20 09:00:00 2026\nTimestamp: 1795165200\tHost: 192.0.2.20 ()',
    /grepable output of masscan.*-oJ/,
  ],
  ['NetExec', 'SMB         192.0.2.20      445    SRV20            [*] Windows (name:SRV20)', /NetExec/],
  ['RustScan', 'Open 192.0.2.20:80\nOpen 192.0.2.20:445', /RustScan/],
  ['nuclei in a terminal', '[CVE-2026-1] [http] [high] https://a.example/x', /nuclei.*-jsonl/],
  ['httpx in a terminal', 'https://a.example [200] [Title, here]', /httpx/],
  [
    'cURL commands after a comment and a variable',
    '# the API\nexport TOKEN=a\n\ncurl https://a.example/\n',
    /cURL commands.*API requests/,
  ],
  ['cURL commands', "curl 'https://a.example/' \\\n  -d '{\"a\":1}'", /API requests/],
  [
    'a command copied as PowerShell',
    '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n{"a":1}',
    /Copy as cURL \(bash\)/,
  ],
  ['a HAR', json({ log: { entries: [] } }), /HAR.*API requests/],
  ['a collection', json({ info: { name: 'x', schema: 'y' }, item: [] }), /Postman/],
  ['a list of scope', 'identifier,asset_type,eligible_for_submission\n*.example.com,WILDCARD,true', /page Scope/],
  ['CSAF', json({ document: { category: 'csaf_vex', csaf_version: '2.0' }, product_tree: {} }), /CSAF.*OpenVEX/],
  ['ssh-audit', json({ banner: {}, compression: [], enc: [], kex: [], key: [], mac: [] }), /ssh-audit.*nmap/],
  ['npm audit', json({ auditReportVersion: 2, vulnerabilities: {} }), /npm audit.*trivy/],
  ['Dependency-Check', json({ reportSchema: '1.1', scanInfo: {}, dependencies: [] }), /Dependency-Check.*SARIF/],
  ['Snyk', json({ vulnerabilities: [], packageManager: 'npm' }), /Snyk.*--sarif/],
  ['Checkov', json({ check_type: 'terraform', results: {} }), /Checkov.*-o sarif/],
  ['gosec', json({ Issues: [], Stats: {}, GosecVersion: '2.22' }), /gosec.*sarif/],
  ['Bandit', json({ errors: [], generated_at: '', metrics: {}, results: [] }), /Bandit.*-f sarif/],
  ['SPDX as tags', 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0', /SPDX JSON/],
  ['gobuster without an address', '/admin (Status: 301) [Size: 178]', /baseUrl=/],
  ['something else', json({ surprise: 1 }), /docs\/imports\.md/],
  ['another named format', '<nmaprun scanner="nmap"/>', /not of nessus/],
])('%s is refused with one sentence of at most 300 characters that says what to do', async (what, file, reason) => {
  const { state, stateReason, format } = await imported(
    key,
    engagement,
    file,
    what === 'another named format' ? { format: 'nessus' } : {},
  )
  expect([state, stateReason]).toEqual(['failed', expect.stringMatching(reason)])
  expect(stateReason?.length).toBeLessThanOrEqual(300)
  if (!/gobuster/.test(what)) expect(format).toBeNull()
})

test('gobuster: paths belong to the address of the import, or to that of its own banner, and never leave it', async () => {
  const lines =
    '/admin (Status: 301) [Size: 178]\n../../etc (Status: 200) [Size: 1]\nhttps://b.example/x (Status: 200) [Size: 1]'
  const assets = async (file: string, options: Record<string, string> = {}) => {
    const id = await newEngagement(key)
    await imported(key, id, file, options)
    return (await resultsOf(key, id)).map(({ asset }) => asset).toSorted()
  }
  expect(await assets(lines, { baseUrl: 'https://a.example/app/' })).toEqual([
    'https://a.example/app/admin',
    'https://a.example/etc',
    'https://b.example/x',
  ])
  const banner = `${'='.repeat(60)}\nGobuster v3.6\n${'='.repeat(60)}\n[+] Url:                     https://c.example\n${'='.repeat(60)}\n/admin (Status: 200) [Size: 1]\n`
  expect(await assets(banner)).toEqual(['https://c.example/admin'])
  expect(
    (
      await key.request('POST', `/api/v1/imports?engagementId=${engagement}&fileName=x&baseUrl=file:///etc`, {
        rawBody: 'x',
      })
    ).status,
  ).toBe(400)
})
