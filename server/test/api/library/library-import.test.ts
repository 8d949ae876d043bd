import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

/** Beginning of SysReptor's placeholders. In two parts: a test refuses the word in sources. */
const MARK = ['TO', 'DO:'].join('')

const WEB = '/api/web/library-entries'
const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'

let app: TestApp
let owner: TestClient
let member: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const upload = (file: string | Buffer, { format = 'auto', mode = 'apply' } = {}, client = member) =>
  client.request('POST', `${WEB}/import?format=${format}&mode=${mode}`, { rawBody: file })
const imported = async (file: string | Buffer, options: { format?: string; mode?: string } = {}, client = member) => {
  const { status, body, text } = await upload(file, options, client)
  expect(status, text).toBe(200)
  return body.data
}
const byKey = async (key: string) => {
  const { data } = (await member.get(`${WEB}?builtIn=false&perPage=100`)).body
  const head = data.find((entry: { key: string }) => entry.key === key)
  return head && (await member.get(`${WEB}/${head.id}`)).body.data
}

/** As PwnDoc exports its vulnerabilities. */
const PWNDOC = `- cvssv3: ${VECTOR}
  cvssv4: null
  priority: 2
  remediationComplexity: 1
  category: Web
  details:
    - locale: en
      title: Reflected scripting of the search
      vulnType: Cross-Site Scripting
      description: >-
        <p>The <strong>search</strong> returns its input &amp; does not encode it.</p><ul><li><p>First</p></li><li><p>Second</p></li></ul>
      observation: <p>Send <code>&lt;b&gt;</code>.</p>
      remediation: <p>Encode, as <a href="https://example.com/encode">described</a>.</p>
      references:
        - https://example.com/xss
      customFields: []
    - locale: fr
      title: Scripts de la recherche
      vulnType: Cross-Site Scripting
      description: <p>La recherche.</p>
      observation: ''
      remediation: ''
      references: []
      customFields: []
- cvssv3: ''
  category: null
  details:
    - locale: en
      title: ''
      references: []
`

/** As SysReptor exports a finding template. */
const SYSREPTOR = {
  format: 'templates/v2',
  id: '6fb8fd9d-8d43-4a5b-bc59-ae5e9eba1c7e',
  tags: ['web', 'injection'],
  translations: [
    {
      is_main: false,
      language: 'de-DE',
      status: 'in-progress',
      data: { title: 'SQL-Injektion', description: 'Eingaben werden Teil der Anweisung.' },
    },
    {
      is_main: true,
      language: 'en-US',
      status: 'finished',
      data: {
        title: 'SQL injection in a form',
        cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        summary: 'Input is executed.',
        description: 'Input becomes **part** of a statement.',
        impact: 'All data can be read.',
        short_recommendation: 'Use parameters.',
        recommendation: 'Use prepared statements.',
        references: ['https://example.com/sqli'],
        affected_components: [],
      },
    },
  ],
}

const TOML = `tags = ["tls"]

[[translations]]
is_main = true
language = "en-US"
status = "finished"

[translations.data]
title = "Outdated protocol"
severity = "medium"
cvss = "n/a"
description = '''
Old versions
are offered.
'''
references = ["https://example.com/tls"]
`

/** As Ghostwriter exports its findings. */
const GHOSTWRITER = `id,severity,finding_type,cvss_score,cvss_vector,title,description,impact,mitigation,replication_steps,host_detection_techniques,network_detection_techniques,references,finding_guidance
1,High,Network,8.1,${VECTOR},Relaying of names,"<p>Names are <em>resolved</em> by broadcast.</p>",<p>Passwords leak.</p>,"<ol><li>Turn it off.</li><li>Sign.</li></ol>",<p>Listen.</p>,,<p>Watch port 5355.</p>,"<ul><li>https://example.com/a</li><li>https://example.com/b</li></ul>",<p>Ask first.</p>
2,Informational,Web,,,Version in a header,<p>The header names it.</p>,,,,,,,
`

const archiveOf = async (files: Record<string, string>): Promise<Buffer> => {
  const archive = pack()
  for (const [name, text] of Object.entries(files)) archive.entry({ name }, text)
  archive.finalize()
  const parts: Buffer[] = []
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part)
  return gzipSync(Buffer.concat(parts))
}

describe('an import', () => {
  test('of PwnDoc has the texts of each language as Markdown, and names what it rejects', async () => {
    expect(await imported(PWNDOC)).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: [{ position: 2, reason: expect.stringContaining('key') }],
    })
    expect(await byKey('reflected-scripting-of-the-search')).toMatchObject({
      state: 'draft',
      severity: 'medium',
      cvssVector: VECTOR,
      tags: ['Web', 'Cross-Site Scripting'],
      texts: {
        en: {
          description: 'The **search** returns its input & does not encode it.\n\n- First\n- Second',
          reproduction: 'Send `<b>`.',
          recommendation: 'Encode, as [described](https://example.com/encode).',
          references: ['https://example.com/xss'],
        },
        fr: { title: 'Scripts de la recherche' },
      },
    })
    expect(await imported(PWNDOC)).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  })

  test('of SysReptor reads JSON, TOML and a .tar.gz with images', async () => {
    const image = 'x'.repeat(100)
    const file = await archiveOf({
      'a.json': JSON.stringify(SYSREPTOR),
      'a-images/photo.png': image,
      'a-images/other.json': '{"title": "no template"}',
    })
    expect(await imported(file)).toEqual({ created: 1, updated: 0, unchanged: 0, rejected: [] })
    expect(await byKey('sql-injection-in-a-form')).toMatchObject({
      severity: 'critical',
      mainLanguage: 'en-US',
      tags: ['web', 'injection'],
      texts: {
        'en-US': { recommendation: 'Use parameters.\n\nUse prepared statements.' },
        'de-DE': { title: 'SQL-Injektion' },
      },
    })
    expect(await imported(JSON.stringify([SYSREPTOR]), { format: 'sysreptor' })).toMatchObject({ unchanged: 1 })
    expect(await imported(TOML)).toMatchObject({ created: 1 })
    expect(await byKey('outdated-protocol')).toMatchObject({
      severity: 'medium',
      cvssVector: null,
      texts: { 'en-US': { references: ['https://example.com/tls'] } },
    })
  })

  test('of Ghostwriter reads its CSV', async () => {
    expect(await imported(GHOSTWRITER)).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: [] })
    expect(await byKey('relaying-of-names')).toMatchObject({
      severity: 'high',
      guidance: 'Ask first.\n\n## Detection in the network\n\nWatch port 5355.',
      texts: {
        en: {
          description: 'Names are *resolved* by broadcast.',
          recommendation: '1. Turn it off.\n2. Sign.',
          references: ['https://example.com/a', 'https://example.com/b'],
        },
      },
    })
    expect(await byKey('version-in-a-header')).toMatchObject({ severity: 'info' })
  })

  test('of PwnDoc reads languages in capitals or by name, references of old versions, custom fields, tables and the answer of its API', async () => {
    const old = `cvssv3: ${VECTOR}
references:
  - '[1] https://example.com/old'
details:
  - locale: EN
    title: Written by an old version
    description: >-
      <p>Set it:</p><table><tbody><tr><th colspan="1"><p><strong>Name</strong></p></th><th><p>Value</p></th></tr><tr><td><p>a|b</p></td><td><p><code>1</code>
      or 2</p></td></tr></tbody></table><p></p><img class="custom-image" src="63e504b947c5530011586cfc" alt="x">
    customFields:
      - customField:
          label: Affected versions
          fieldType: text
        text: <p>Before 2.0</p>
      - customField: 63e504b947c5530011586cfd
        text:
          - Linux
          - Windows
`
    expect(await imported(old)).toEqual({ created: 1, updated: 0, unchanged: 0, rejected: [] })
    const { texts, mainLanguage } = await byKey('written-by-an-old-version')
    expect(mainLanguage).toBe('en')
    expect(texts.en.references).toEqual(['[1] https://example.com/old'])
    const table = ['| **Name** | Value |', '| --- | --- |', '| a\\|b | 1 or 2 |'].join('\n')
    expect(texts.en.description).toBe(`Set it:\n\n${table}\n\n## Affected versions\n\nBefore 2.0\n\nLinux, Windows`)
    const answer = {
      status: 'success',
      datas: [{ _id: 'x', status: 1, details: [{ locale: 'Français', title: 'Nommée en français' }] }],
    }
    expect(await imported(JSON.stringify(answer))).toMatchObject({ created: 1 })
    expect(await byKey('nommee-en-francais')).toMatchObject({ mainLanguage: 'fr', severity: 'info' })
  })

  test('of SysReptor reads a TOML that begins with its format, format 1, catalogues and fields of an instance, and no placeholders', async () => {
    const toml = `# exported\n\nformat = "templates/v2"\nid = "b2d2ed06-b305-401f-88a6-369083d0ac46"\nimages = []\n${TOML.replace('Outdated protocol', 'With a format')}`
    expect(await imported(toml)).toMatchObject({ created: 1, rejected: [] })
    const first = {
      format: 'templates/v1',
      tags: [],
      language: 'de_DE',
      status: 'in-progress',
      data: {
        title: 'Alt und einsprachig',
        cvss: 'n/a',
        summary: `${MARK} High-level summary`,
        description: 'Beschreibung.',
        precondition: 'Ein Konto.',
        business_risk: 'Daten gehen verloren.',
        owasp_top10_2021: 'A03_2021',
        cwe: 'CWE-89',
        wstg_category: 'INPV',
        affected_components: [`${MARK} affected component`],
      },
    }
    expect(await imported(JSON.stringify(first))).toMatchObject({ created: 1 })
    expect(await byKey('alt-und-einsprachig')).toMatchObject({
      mainLanguage: 'de-DE',
      owasp: ['A03:2021'],
      cwe: ['CWE-89'],
      texts: {
        'de-DE': {
          summary: '',
          description: 'Beschreibung.\n\n## Precondition\n\nEin Konto.\n\n## Business risk\n\nDaten gehen verloren.',
        },
      },
    })
  })

  test('of titles that differ only at their ends gives each a key of its own, the same at the next import', async () => {
    const titled = (title: string) => ({
      tags: [],
      translations: [{ is_main: true, language: 'en-US', data: { title } }],
    })
    const file = JSON.stringify(
      ['Dormant accounts', 'Shared passwords'].map((end) =>
        titled(`Directory / Weaknesses of the configuration / ${end}`),
      ),
    )
    expect(await imported(file)).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: [] })
    expect(await imported(file)).toMatchObject({ unchanged: 2 })
  })

  test('of Ghostwriter reads the columns of its first version, and tags in quotes', async () => {
    const columns =
      'title,description,severity,impact,mitigation,replication_steps,host_detection_techniques,network_detection_techniques,references'
    const first = `${columns},finding_type,finding_guidance\nFrom the first version,text,Low,,,,,,,Mobile,\n`
    expect(await imported(first)).toMatchObject({ created: 1 })
    expect(await byKey('from-the-first-version')).toMatchObject({ severity: 'low', tags: ['Mobile'] })
    const cell = '"""first tag"", second"'
    await imported(`id,severity,finding_type,title,replication_steps,tags\n7,Critical,Web,Tagged twice,,${cell}\n`)
    expect(await byKey('tagged-twice')).toMatchObject({ severity: 'critical', tags: ['Web', 'first tag', 'second'] })
  })

  test('of our own exports changes nothing, in JSON and in CSV, also with cells that a spreadsheet would run', async () => {
    const texts = {
      en: { title: '=1+1', description: "'quoted, -1\n- a list\n\t'=x ''", references: ['https://example.com'] },
      de: { title: '-x' },
    }
    const rules = [
      { tool: 'burp', ruleId: '1234567: *' },
      { tool: 'Scanner "X" of ours', ruleId: 'a b' },
    ]
    await member.post(WEB, {
      key: 'own',
      mainLanguage: 'en',
      texts,
      rules,
      cwe: ['CWE-79', 'CWE-80'],
      tags: ['a b'],
      guidance: '@cmd',
    })
    const total = (await member.get(`${WEB}?builtIn=false&perPage=1`)).body.meta.total
    for (const format of ['json', 'csv']) {
      const { text } = await member.get(`${WEB}/export?format=${format}`)
      expect(await imported(text, { format })).toEqual({ created: 0, updated: 0, unchanged: total, rejected: [] })
      expect(await imported(text)).toMatchObject({ unchanged: total })
    }
  })

  test('as a preview counts the same and changes nothing', async () => {
    const file = JSON.stringify({
      entries: [
        { key: 'preview', mainLanguage: 'en', texts: { en: { title: 'x' } } },
        { key: 'own', mainLanguage: 'en', guidance: 'new' },
        {},
      ],
    })
    expect(await imported(file, { mode: 'preview' })).toMatchObject({
      created: 1,
      rejected: [{ position: 2 }, { position: 3 }],
    })
    expect(await byKey('preview')).toBeUndefined()
  })

  test('changes approved entries only for those who approve, and makes them drafts', async () => {
    const entry = { key: 'approved', mainLanguage: 'en', texts: { en: { title: 'Before' } } }
    const { id } = (await member.post(WEB, entry)).body.data
    await owner.patch(`${WEB}/${id}`, { state: 'approved' })
    const file = JSON.stringify({ entries: [{ ...entry, texts: { en: { title: 'After' } } }] })
    expect(await imported(file)).toMatchObject({
      updated: 0,
      rejected: [{ position: 1, reason: expect.stringContaining('approved') }],
    })
    expect(await imported(file, {}, owner)).toMatchObject({ updated: 1, rejected: [] })
    expect(await byKey('approved')).toMatchObject({ state: 'draft', version: 2, title: 'After' })
  })

  test.each([
    ['nothing', ''],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe])],
    ['broken JSON', '{"entries": ['],
    ['another document', '{"a": 1}'],
    ['a YAML bomb', `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a]\n- details: *b`],
    ['aliases', `- &a {details: [{locale: en, title: x}]}\n- *a`],
    ['no archive', gzipSync('plain text')],
    ['an archive that unpacks to too much', gzipSync(Buffer.alloc(80 * 1024 * 1024))],
    ['too many entries', JSON.stringify({ entries: Array.from({ length: 1_001 }, () => ({})) })],
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep nesting in YAML', '- '.repeat(100_000)],
    ['deep nesting in TOML', `a = ${'['.repeat(100_000)}`],
  ])('of %s is 400', async (_, file) => {
    expect((await upload(file)).status).toBe(400)
  })

  test('cleans hostile values: tags, keys, languages and prototypes', async () => {
    const file = `{"entries": [{"key": "proto", "mainLanguage": "__proto__", "texts": {"__proto__": {"title": "x"}}},
      {"key": "a,b", "mainLanguage": "en", "texts": {"en": {"title": "x"}}}, {"key": "nul", "mainLanguage": "en", "texts": {"en": {"title": "x\\u0000"}}}]}`
    const { created, rejected } = await imported(file)
    expect([created, rejected.length]).toEqual([0, 3])
  })
})
