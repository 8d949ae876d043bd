import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { fixture, imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

describe('coverage of OpenVAS', () => {
  const finding = (host: string, oid: string, port = '443/tcp') =>
    `<result id="${host} ${oid}"><name>N</name><host>${host}</host><port>${port}</port><nvt oid="${oid}"><name>N ${oid}</name></nvt><severity>5.0</severity></result>`
  const report = (hosts: readonly string[], ...findings: string[]) =>
    `<report id="1"><report id="2"><task id="3"/>${hosts.map((host) => `<host><ip>${host}</ip></host>`).join('')}<results>${findings.join('')}</results></report></report>`
  const [ONE, TWO] = ['192.0.2.10', '192.0.2.11']
  const BOTH = report([ONE, TWO], finding(ONE, '1'), finding(ONE, '2', 'general/tcp'), finding(TWO, '1'))

  /** Results that are gone after both hosts and after sightings of other tools. */
  const goneAfter = async (file: string, others: readonly Buffer[] = []) => {
    const engagement = await newEngagement(key)
    for (const bytes of [BOTH, ...others]) await imported(key, engagement, bytes)
    await imported(key, engagement, file)
    return (await resultsOf(key, engagement, { state: 'gone' })).map(({ asset, data }) => `${asset} ${data.ruleId}`)
  }

  test('a finding that it no longer reports at a host of the report is gone; other hosts, tools and ports are unchanged', async () => {
    const others = [fixture('nessus.nessus'), fixture('nmap.xml')]
    expect(await goneAfter(report([ONE], finding(ONE, '1')), others)).toEqual(['192.0.2.10 2'])
    expect(await goneAfter(report([ONE, TWO], finding(ONE, '1'), finding(ONE, '2', 'general/tcp')))).toEqual([
      '192.0.2.11:443/tcp 1',
    ])
    expect(await goneAfter(report([TWO]))).toEqual(['192.0.2.11:443/tcp 1'])
  })

  test('a preview counts what would be gone', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, BOTH)
    const wouldBe = await imported(key, engagement, report([ONE], finding(ONE, '1')), { mode: 'preview' })
    expect(wouldBe.counts.results['gone']).toBe(1)
  })

  test('a host that only a finding names, a report without hosts, and a damaged or truncated one prove nothing', async () => {
    expect(await goneAfter(report([], finding(ONE, '1')))).toEqual([])
    expect(await goneAfter(report([]))).toEqual([])
    expect(await goneAfter(report([ONE], finding('no host at all!', '1')))).toEqual([])
    expect(await goneAfter(report([ONE], finding(ONE, '1')).slice(0, -'</results></report></report>'.length))).toEqual(
      [],
    )
  })

  test('a rule that failed at a host did not examine it; one without a rule proves nothing of the host, and one without a host nothing of any', async () => {
    const failed = (host: string, oid: string, severity: string, element = 'result') =>
      `<${element}><host>${host}<asset asset_id="1"/></host><port>general/tcp</port><nvt oid="${oid}"><name>N</name></nvt><description>NVT timed out after 320 seconds.</description>${severity}</${element}>`
    const among = (...errors: string[]) => report([ONE, TWO], finding(ONE, '1'), ...errors)
    const listed = (...errors: string[]) =>
      among().replace('<results', `<errors><count>${errors.length}</count>${errors.join('')}</errors><results`)
    const minusThree = '<severity>-3.0</severity>'
    const gone = { two: '192.0.2.10 2', other: '192.0.2.11:443/tcp 1' }
    expect(await goneAfter(among())).toEqual([gone.two, gone.other])
    expect(await goneAfter(among(failed(ONE, '2', minusThree)))).toEqual([gone.other])
    expect(await goneAfter(among(failed(ONE, '2', '<threat>Error</threat>')))).toEqual([gone.other])
    expect(await goneAfter(among(failed(ONE, '2', '<severity>-2.0</severity>')))).toEqual([gone.two, gone.other])
    expect(await goneAfter(listed(failed(ONE, '2', minusThree, 'error')))).toEqual([gone.other])
    expect(await goneAfter(listed(failed(TWO, '2', minusThree, 'error')))).toEqual([gone.two, gone.other])
    expect(await goneAfter(listed(failed(TWO, '0', minusThree, 'error')))).toEqual([gone.two])
    expect(await goneAfter(listed(failed('', '2', minusThree, 'error')))).toEqual([])
  })

  test('a report whose filter leaves out severities proves nothing of those, and one whose filter may leave out any finding proves nothing', async () => {
    const MEDIUM = [`${ONE} 2`, `${TWO}:443/tcp 1`]
    const filtered = (...filters: string[]) =>
      filters
        .map((filter) => `<filters id="0"><term>${filter}</term></filters>`)
        .join('')
        .replace(/^/, report([ONE, TWO], finding(ONE, '1')).replace(/<results.*/s, ''))
        .concat(`<results>${finding(ONE, '1')}</results></report></report>`)
    expect(
      await goneAfter(
        filtered('apply_overrides=0 levels=hml rows=-1 min_qod=70 first=1 sort-reverse=severity notes=1 overrides=1'),
      ),
    ).toEqual(MEDIUM)
    expect(await goneAfter(filtered('levels=hm', 'levels=ml'))).toEqual(MEDIUM)
    for (const filter of [
      'levels=hl',
      'levels=',
      'severity&gt;3',
      'min_qod=95 levels=hml',
      'ssl levels=hml',
      'host=192.0.2.10',
    ]) {
      expect([filter, await goneAfter(filtered(filter))]).toEqual([filter, []])
    }
    const engagement = await newEngagement(key)
    expect((await imported(key, engagement, filtered('levels=hl'))).warnings).toEqual([
      'The report was filtered: findings of severity medium are not marked as gone.',
    ])
    expect((await imported(key, engagement, filtered('levels=hml rows=-1 min_qod=70'))).warnings).toEqual([])
    expect((await imported(key, engagement, filtered('ssl'))).warnings).toEqual([
      'The report was filtered, so results that it does not contain are not marked as gone.',
    ])
  })

  test('a severity that a person has set does not count for the filter', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, BOTH)
    const [first] = await resultsOf(key, engagement, { kind: 'vulnerability' })
    await key.patch(`/api/v1/results/${first?.id}`, { severity: 'high' })
    const filtered = report([ONE, TWO]).replace('<results', '<filters id="0"><term>levels=hm</term></filters><results')
    expect((await imported(key, engagement, filtered)).counts.results['gone']).toBe(2)
    expect(await resultsOf(key, engagement, { state: 'present', kind: 'vulnerability' })).toMatchObject([
      { id: first?.id },
    ])
  })

  test('a page of a report proves nothing; one that shows everything its filter leaves does', async () => {
    const counted = (filtered: number) =>
      report([ONE], finding(ONE, '1')).replace(
        '<results',
        `<result_count>9<full>9</full><filtered>${filtered}</filtered><high><filtered>7</filtered></high></result_count><results`,
      )
    expect(await goneAfter(counted(2))).toEqual([])
    expect(await goneAfter(counted(1))).toEqual(['192.0.2.10 2'])
    const answer = (...reports: string[]) =>
      `<get_reports_response status="200">${reports.join('')}</get_reports_response>`
    expect(await goneAfter(answer(counted(2), counted(1)))).toEqual([])
    expect(await goneAfter(answer(counted(1), counted(1)))).toEqual(['192.0.2.10 2'])
  })
})
