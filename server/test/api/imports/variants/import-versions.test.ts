import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { imported, resultsOf } from '../../../support/scans/imports.ts'

/** Older versions and other wrappings of formats: they are read, or refused with what to do instead. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const vulnerabilitiesIn = async (engagementId: string) =>
  (await resultsOf(key, engagementId)).filter(({ kind }) => kind === 'vulnerability')
const refusalOf = async (file: string) => (await imported(key, await newEngagement(key), file)).stateReason

describe('XML of OpenVAS', () => {
  const result = (oid: string) =>
    `<result id="${oid}"><name>TLS</name><host>192.0.2.1<asset asset_id="a"/></host><port>443/tcp</port><nvt oid="${oid}"><name>Rule ${oid}</name></nvt><threat>Medium</threat><severity>5.0</severity></result>`
  const report = (count: string, ...oids: string[]) =>
    `<report id="r"><scan_start>2026-01-01T00:00:00Z</scan_start>${count}<results max="100" start="1">${oids.map(result).join('')}</results><host><ip>192.0.2.1</ip></host></report>`
  const response = (inner: string) =>
    `<get_reports_response status="200" status_text="OK"><report id="a">${inner}</report></get_reports_response>`
  const filtered = '<result_count>2<full>2</full><filtered>2</filtered></result_count>'

  test.each([
    ['in a response', (inner: string) => response(inner)],
    [
      'in a report',
      (inner: string) => `<report id="a"><owner><name>admin</name></owner><task id="t"/>${inner}</report>`,
    ],
    ['as it is', (inner: string) => inner],
    [
      'in a response of several commands',
      (inner: string) => `<commands_response>${response(inner)}</commands_response>`,
    ],
  ])('a report %s is read, with and without the number of its results', async (_, wrapped) => {
    for (const count of [filtered, '<result_count>2</result_count>', '']) {
      const engagementId = await newEngagement(key)
      await imported(key, engagementId, wrapped(report(count, '1.1', '1.2')))
      expect((await vulnerabilitiesIn(engagementId)).map(({ title }) => title).toSorted()).toEqual([
        'Rule 1.1',
        'Rule 1.2',
      ])
      // The second file has everything: what it lacks is gone.
      const { counts } = await imported(key, engagementId, wrapped(report('', '1.1')))
      expect(counts.results).toMatchObject({ gone: 1 })
    }
  })

  test('a page of a report marks nothing as gone, also if only the number of all results is stated', async () => {
    const engagementId = await newEngagement(key)
    await imported(key, engagementId, report('', '1.1', '1.2'))
    for (const count of ['<result_count>2</result_count>', filtered]) {
      const { counts } = await imported(key, engagementId, report(count, '1.1'))
      expect(counts.results).toMatchObject({ gone: 0 })
    }
  })

  test('results without a report are read; an error and a report in another format are refused', async () => {
    const engagementId = await newEngagement(key)
    await imported(key, engagementId, `<get_results_response status="200">${result('1.1')}</get_results_response>`)
    expect((await vulnerabilitiesIn(engagementId)).map(({ title }) => title).toSorted()).toEqual(['Rule 1.1'])
    expect(await refusalOf('<get_reports_response status="404" status_text="Failed to find report"/>')).toContain(
      'this is an error of Greenbone',
    )
    const other = '<report id="a" format_id="f" content_type="text/csv">SVAK</report>'
    expect(await refusalOf(`<get_reports_response status="200">${other}</get_reports_response>`)).toContain(
      'a report in another format, in base64',
    )
  })
})

test('SARIF before version 2.1 is refused with what it is and what to do', async () => {
  const first = {
    version: '1.0.0',
    runs: [
      {
        tool: { name: 'Scanner', version: '2.1.0' },
        results: [{ ruleId: 'R1', level: 'error', message: 'm', locations: [{ resultFile: { uri: 'file:///a.c' } }] }],
        rules: { R1: { id: 'R1' } },
      },
    ],
  }
  const second = { $schema: 'http://json.schemastore.org/sarif-2.0.0', ...first, version: '2.0.0' }
  for (const file of [first, second]) {
    const reason = await refusalOf(JSON.stringify(file))
    expect(reason).toContain('this is SARIF 1.0 or 2.0: set the tool to write SARIF 2.1.0')
    expect(reason?.length).toBeLessThan(300)
  }
})

test.each([
  [
    'with the prefix cm',
    (name: string, word: string) =>
      `<cm:compliance-check-name>${name}</cm:compliance-check-name><cm:compliance-result>${word}</cm:compliance-result><description>d</description>`,
  ],
  [
    'without the prefix',
    (name: string, word: string) =>
      `<compliance-check-name>${name}</compliance-check-name><compliance-result>${word}</compliance-result><description>d</description>`,
  ],
  ['in the description', (name: string, word: string) => `<description>"${name}" : [${word}]\n\nwhy [x]</description>`],
])('checks of compliance in a file of Nessus are one finding each: %s', async (_, check) => {
  const item = (name: string, word: string) =>
    `<ReportItem port="0" svc_name="general" protocol="tcp" severity="3" pluginID="21157" pluginName="Unix Compliance Checks" pluginFamily="Policy Compliance"><compliance>true</compliance>${check(name, word)}</ReportItem>`
  const engagementId = await newEngagement(key)
  const { warnings } = await imported(
    key,
    engagementId,
    `<NessusClientData_v2><Report name="r" xmlns:cm="http://www.nessus.org/cm"><ReportHost name="192.0.2.5"><HostProperties><tag name="host-ip">192.0.2.5</tag></HostProperties>${item('1.1 [a] one', 'FAILED')}${item('1.2 two', 'WARNING')}${item('1.3 three', 'PASSED')}</ReportHost></Report></NessusClientData_v2>`,
  )
  expect((await vulnerabilitiesIn(engagementId)).map(({ title }) => title).toSorted()).toEqual([
    '1.1 [a] one',
    '1.2 two',
  ])
  expect(warnings).toEqual(['Compliance checks that passed and are not findings: 1.'])
})
