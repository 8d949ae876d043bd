import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { fixture, imported, resultsOf } from '../../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const importing = async (...files: (string | Buffer)[]) => {
  const engagementId = await newEngagement(key)
  const imports = []
  for (const file of files) imports.push(await imported(key, engagementId, file))
  return { imports, rows: await resultsOf(key, engagementId) }
}

const NMAP_XML = `<nmaprun scanner="nmap" args="nmap" start="1795165200" version="7.95"><scaninfo protocol="tcp" services="22,443"/>
<host starttime="1795165200" endtime="1795165230"><status state="up" reason="echo-reply"/><address addr="192.0.2.40" addrtype="ipv4"/><hostnames><hostname name="box.example.com" type="PTR"/></hostnames>
<ports><port protocol="tcp" portid="22"><state state="open"/><service name="ssh" product="OpenSSH" version="9.6p1" extrainfo="protocol 2.0" method="probed"/></port><port protocol="tcp" portid="443"><state state="open"/><service name="http" product="nginx" version="1.24.0" tunnel="ssl" method="probed"/></port></ports></host>
<runstats><finished time="1795165231"/></runstats></nmaprun>`

test.each<[string, (string | Buffer)[]]>([
  ['the normal, grepable and XML output of one scan of nmap', [fixture('nmap.nmap'), fixture('nmap.gnmap'), NMAP_XML]],
  ['JSON and CSV of Prowler', [fixture('prowler.json'), fixture('prowler.csv')]],
  [
    'JSON and CSV of testssl',
    [
      fixture('testssl.json'),
      '"id","fqdn/ip","port","severity","finding","cve","cwe"\n"SSLv3","app.example.com/192.0.2.60","443","CRITICAL","offered","",""\n',
    ],
  ],
  [
    'XML and CSV of Qualys',
    [
      fixture('qualys.xml'),
      'IP,DNS,QID,Title,Severity,Port,Protocol\n192.0.2.50,db.example.com,38739,Deprecated settings,4,5432,tcp\n',
    ],
  ],
  ['a path by three tools', [fixture('ffuf.json'), fixture('feroxbuster.jsonl'), 'https://app.example.com/admin\n']],
  [
    'a component by SPDX and CycloneDX',
    [
      fixture('spdx.json'),
      JSON.stringify({
        bomFormat: 'CycloneDX',
        components: [{ type: 'library', name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash@4.17.20' }],
      }),
    ],
  ],
  [
    'records by dnsx and as text',
    [fixture('dnsx.jsonl'), 'www.example.com. A 192.0.2.10\nwww.example.com. CNAME edge.example.net.\n'],
  ],
])('%s: one result for each thing', async (_what, files) => {
  const { imports } = await importing(...files)
  const [first, ...others] = imports
  expect(first?.counts.results['created']).toBeGreaterThan(0)
  for (const { state, counts } of others) expect([state, counts.results['created']]).toEqual(['applied', 0])
})

test('grepable output that lists its ports ends services that it no longer finds; without that list it ends none', async () => {
  const gone = fixture('nmap.gnmap')
    .toString()
    .replace(', 443/open/tcp//ssl|http//nginx 1.24.0/', '')
    .replaceAll('2026', '2027')
  const { imports, rows } = await importing(NMAP_XML, gone)
  expect(imports[1]?.counts.results['gone']).toBeGreaterThan(0)
  expect(rows.find(({ asset, kind }) => kind === 'service' && asset.endsWith(':443/tcp'))?.state).toBe('gone')
  const without = gone.replace(/# Ports scanned.*\n/, '')
  expect((await importing(NMAP_XML, without)).imports[1]?.counts.results['gone']).toBe(0)
})

test('a check of Prowler that passes later is fixed', async () => {
  const { rows } = await importing(
    fixture('prowler.json'),
    fixture('prowler.json').toString().replace('"FAIL"', '"PASS"').replace('The bucket', 'Now the bucket'),
  )
  expect(rows).toMatchObject([{ status: 'fixed', state: 'gone' }])
})
