import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'

/** Lists as users have them: from Excel, truncated, in their own language, and with more than hosts. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const importing = async (files: readonly (string | Uint8Array)[], options: Record<string, string> = {}) => {
  const engagementId = await newEngagement(key)
  const imports = []
  for (const bytes of files) imports.push(await imported(key, engagementId, bytes, options))
  const rows = await resultsOf(key, engagementId)
  return { engagementId, imports, rows, last: imports.at(-1) as (typeof imports)[number] }
}

const dataOf = async (id: string | undefined) => (await key.get(`/api/v1/results/${id}`)).body.data.data
describe('CSV', () => {
  const HEAD = 'Title,Severity,Host'

  test('in Windows-1252 keeps its letters, and reports the encoding', async () => {
    const text = 'Titel;Schwere;Host\nSchwache Verschlüsselung – „RC4“;Hoch;192.0.2.5'
    const bytes = Buffer.from(
      [...text].map((character) => ({ '–': 0x96, '„': 0x84, '“': 0x93 })[character] ?? character.charCodeAt(0)),
    )
    const options = { mapping: 'Titel:title,Schwere:severity,Host:host' }
    const { engagementId, last, rows } = await importing([bytes], options)
    expect(rows).toMatchObject([{ title: 'Schwache Verschlüsselung – „RC4“', severity: 'high' }])
    expect(last.warnings).toEqual(['The file is not UTF-8, and was read as Windows-1252.'])
    const corrected = await imported(key, engagementId, text, options)
    expect([corrected.counts.results['unchanged'], corrected.warnings]).toEqual([1, []])
    // A single broken byte among UTF-8 letters is damage.
    const { rows: damaged } = await importing([
      Buffer.concat([Buffer.from(`${HEAD}\nÜberlänge äöü `), Buffer.from([0xff]), Buffer.from(',low,192.0.2.5')]),
    ])
    expect(damaged[0]?.title).toBe('Überlänge äöü \ufffd')
  })

  test('with a quote that is never closed imports every row before it', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => `Finding ${index},low,192.0.2.${index + 1}`)
    const { last, rows: results } = await importing([
      [HEAD, ...rows, '"never closed,low,192.0.2.99', 'x,low,192.0.2.100'].join('\n'),
    ])
    expect([last.state, results.length]).toEqual(['partial', 50])
    expect(last.stateReason).toMatch(/quote/i)
    const small = await importing([`${HEAD}\nFirst,High,192.0.2.5\nThird,Low,"cut off in the mid`])
    expect([small.last.state, small.rows.length]).toEqual(['partial', 1])
  })

  test('keeps a finding without a host, and rejects only a row without a title', async () => {
    const { last, rows } = await importing([
      `${HEAD}\nPublic bucket,high,arn:aws:s3:::backups\nNowhere,low,\n,high,192.0.2.1`,
    ])
    expect(rows.map(({ title, asset, targetId }) => [title, asset, targetId]).toSorted()).toEqual([
      ['Nowhere', '(no host)', null],
      ['Public bucket', 'arn:aws:s3:::backups', null],
    ])
    expect(last).toMatchObject({ state: 'partial', counts: { rejected: 1 } })
  })

  test('reads severity words of several languages and scores; unknown ones are empty and listed', async () => {
    const words = ['Kritisch', 'Hoch', 'élevée', 'Media', '9.8', '4', 'Schwer', 'Schwer', 'unknown', '']
    const { last, rows } = await importing([
      [`${HEAD},Owner`, ...words.map((word, index) => `F${index},${word},192.0.2.${index + 1},x`)].join('\n'),
    ])
    const severities = new Map(rows.map(({ title, severity }) => [title, severity]))
    expect(words.map((_, index) => severities.get(`F${index}`))).toEqual([
      'critical',
      'high',
      'high',
      'medium',
      'critical',
      null,
      null,
      null,
      null,
      null,
    ])
    expect(last.warnings).toEqual([
      'Unknown severities were left empty: "4" (1), "Schwer" (2).',
      'Columns without a field of their own, kept as text of each finding: owner.',
    ])
  })

  test('of Qualys has numbers for severities', async () => {
    const { rows } = await importing([
      '"IP","DNS","QID","Title","Type","Severity","Port","Protocol","CVE ID","CVSS3.1 Base","Threat","Solution","Results"\n"192.0.2.110","web.example.com","38739","Old SSH","Vuln","4","22","tcp","CVE-2026-1, CVE-2026-2","7.5 (AV:N)","t","s","RESULT"',
    ])
    expect(rows).toMatchObject([
      { asset: '192.0.2.110:22/tcp', title: 'Old SSH', severity: 'high', data: { ruleId: '38739', cvssScore: 7.5 } },
    ])
    expect(await dataOf(rows[0]?.id)).toMatchObject({ evidence: ['RESULT'], cve: ['CVE-2026-1', 'CVE-2026-2'] })
  })

  test('of testssl makes no finding of a check that could not run, and one that passes is fixed', async () => {
    const row = (id: string, severity: string) => `"${id}","a.example/192.0.2.1","443","${severity}","finding","",""`
    const file = (...rows: string[]) => ['"id","fqdn/ip","port","severity","finding","cve","cwe"', ...rows].join('\n')
    const { rows, imports } = await importing([
      file(row('scanProblem', 'FATAL'), row('cert', 'WARN'), row('SSLv3', 'HIGH'), row('TLS1_2', 'OK')),
      file(row('SSLv3', 'OK')),
    ])
    expect(rows).toMatchObject([{ title: 'SSLv3', state: 'gone', status: 'fixed' }])
    expect(imports[0]?.warnings).toEqual([
      'Rows that are not findings, because a check could not be made: 2.',
      'Rows that are not findings, because a check passed: 1.',
    ])
  })
})
