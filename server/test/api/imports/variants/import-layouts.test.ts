import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { Sighting } from '../../../../src/features/inventory/sightings/sightings.ts'
import { readFile } from '../../../../src/features/scanner-formats/registry/read-file.ts'
import { FIXTURE_NAMES, fixture } from '../../../support/scans/imports.ts'

/** One file in other encodings, and lists with the columns of other tools and people. */

const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-layouts-'))
afterAll(() => rmSync(directory, { recursive: true }))

const read = async (bytes: string | Uint8Array) => {
  const file = path.join(directory, 'file')
  writeFileSync(file, bytes)
  const found = {
    format: '',
    sightings: [] as Sighting[],
    names: [] as string[],
    warnings: [] as string[],
    rejected: [] as string[],
  }
  for await (const item of readFile({
    path: file,
    format: 'auto',
    mapping: {},
    baseUrl: 'https://app.example/',
    limits: { maxRatio: 100, maxBytes: 10_000_000 },
  })) {
    if (item.type === 'format') found.format = item.format
    if (item.type === 'sighting') found.sightings.push(item.sighting)
    if (item.type === 'name') found.names.push(item.name)
    if (item.type === 'warning') found.warnings.push(item.text)
    if (item.type === 'rejection') found.rejected.push(item.reason)
  }
  return found
}

const WITH_TEXT = FIXTURE_NAMES.filter((name) => name !== 'mapped.csv' && !name.startsWith('masscan-bytes'))
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
/** Texts of several lines have the line ends of the file. */
const plain = ({ sightings, names }: Awaited<ReturnType<typeof read>>): string =>
  JSON.stringify([sightings, names]).replaceAll('\\r\\n', '\\n')
/** The encoding that the XML declares would be wrong. */
const undeclared = (text: string): string => text.replace(/ encoding=["'][^"']{1,40}["']/, '')

test.each(WITH_TEXT)('%s is read alike in every encoding, packed, and twice in one file', async (name) => {
  const bytes = fixture(name)
  const text = bytes.toString('utf8')
  const first = await read(bytes)
  expect(first.sightings.length + first.names.length).toBeGreaterThan(0)
  const lines = text.replaceAll('\r\n', '\n')
  const expected = plain(first)
  for (const [what, variant] of [
    ['a byte order mark', `\ufeff${text}`],
    ['lines of Windows', lines.replaceAll('\n', '\r\n')],
    ['UTF-16', utf16(undeclared(text))],
    ['UTF-16 with the bytes swapped', Buffer.from(utf16(undeclared(text))).swap16()],
    ['gzip', gzipSync(bytes)],
    ['blank lines around', `\n\n${lines}\n\n`],
  ] as const) {
    const found = await read(variant)
    expect(found.format, what).toBe(first.format)
    expect(found.rejected, what).toEqual(first.rejected)
    expect(plain(found), what).toBe(expected)
  }
  const twice = await read(Buffer.concat([bytes, Buffer.from(text.endsWith('\n') ? '' : '\n'), bytes]))
  const identities = ({ sightings }: typeof twice) => new Set(sightings.map(({ identity }) => identity))
  expect(identities(twice)).toEqual(identities(first))
})

describe('lists', () => {
  const findings = async (text: string): Promise<Record<string, unknown>[]> =>
    (await read(text)).sightings.map(({ title, severity, disposition, data }) => ({
      title,
      severity,
      disposition,
      ...data,
    }))

  test('what a second column says of one field is kept as text, and impact in a field of its own', async () => {
    const [found] = await findings(
      'Title,Issue,Severity,Host,Description,Details,Impact\nOne,Two,High,192.0.2.5,How,How exactly,Everything\n',
    )
    expect(found).toMatchObject({ title: 'One', description: 'How', impact: 'Everything' })
    expect(found?.['columns']).toBe('issue: Two\ndetails: How exactly')
  })

  test('a list of Qualys has its impact, one of Prowler its account and description', async () => {
    const [qualys] = await findings(
      'IP,QID,Title,Type,Severity,Port,Protocol,Threat,Impact\n192.0.2.5,38739,Old,Vuln,4,22,tcp,Why,What follows\n',
    )
    expect(qualys).toMatchObject({ severity: 'high', description: 'Why', impact: 'What follows' })
    const [prowler] = await findings(
      'ACCOUNT_UID;CHECK_ID;CHECK_TITLE;STATUS;STATUS_EXTENDED;SEVERITY;RESOURCE_UID;DESCRIPTION\n123;s3;S3 is public;FAIL;It is;high;arn:x;Long\n',
    )
    expect(prowler).toMatchObject({ account: '123', description: 'It is', columns: 'description: Long' })
  })

  test('a flag for false positives and accepted risks counts', async () => {
    const rows = await findings(
      'Title,Severity,Url,FalsePositive,risk_accepted\nA,Low,https://a.example,TRUE,FALSE\nB,Low,https://a.example,FALSE,true\nC,Low,https://a.example,False,\n',
    )
    expect(rows.map(({ disposition }) => disposition)).toEqual(['false_positive', 'accepted', null])
  })

  test('lines of an old Mac, and a title with other line ends than the table', async () => {
    const rows = ['"Title","Severity","Host"', '"A","High","192.0.2.5"', '"B","Low","192.0.2.6"']
    for (const text of [rows.join('\r'), `Findings of June\n\n${rows.join('\r\n')}\r\n`])
      expect((await findings(text)).map(({ title, severity }) => [title, severity])).toEqual([
        ['A', 'high'],
        ['B', 'low'],
      ])
  })
})

test('checks of testssl, one object in each line, are those of its list', async () => {
  const rows = JSON.parse(fixture('testssl.json').toString('utf8')) as object[]
  const [list, lines] = [
    await read(JSON.stringify(rows)),
    await read(rows.map((row) => JSON.stringify(row)).join('\n')),
  ]
  expect(lines.format).toBe('testssl')
  expect(lines.sightings).toEqual(list.sightings)
})

test('a scan of web applications by Nessus has its scores, and every reference', async () => {
  const { sightings, warnings } = await read(
    `<NessusClientData_v2><Report name="r"><ReportHost name="https://app.example"><HostProperties/>
    <ReportItem port="443" protocol="TCP" svc_name="http" severity="3" pluginID="98104" pluginName="XSS" pluginFamily="Web"><risk_factor>high</risk_factor>
      <cvss>7.5</cvss><cvssv3>7.1</cvssv3><see_also>https://r.example/1</see_also><see_also>https://r.example/2</see_also><xref>CWE:79</xref>
      <xref>WASC:Cross-Site Scripting</xref><cpe>cpe:/a:x:y</cpe></ReportItem></ReportHost></Report></NessusClientData_v2>`,
  )
  expect(sightings.find(({ kind }) => kind === 'vulnerability')?.data).toMatchObject({
    cvssScore: 7.1,
    cvss2Score: 7.5,
    references: ['https://r.example/1', 'https://r.example/2'],
    cwe: ['CWE-79'],
    crossReferences: ['CWE:79', 'WASC:Cross-Site Scripting'],
    cpe: ['cpe:/a:x:y'],
  })
  expect(warnings).toEqual([])
})
