import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLetter } from '../../src/features/scope/letter/letter.ts'
import { runs } from '../support/app/nightly.ts'

/** Each rule as `allow pattern`; `?` for one that a person must decide, `-` for a line without a pattern. */
const read = async (text: string) =>
  (await readLetter(text)).map(({ effect, pattern }) => `${effect ?? '?'} ${pattern ?? '-'}`)

describe('a letter', () => {
  test('D1: gives each line the effect of its heading; headings are not rules, explanations and comments become notes', async () => {
    const rules = await readLetter(
      [
        'In scope:',
        '- www.corp.example',
        '2. *.corp.example and 203.0.113.0/28 (office)',
        '# DMZ Frankfurt',
        '198.51.100.0/24 # firewall',
        'Out of scope:',
        '• 203.0.113.5',
        '• https://www.corp.example/admin/billing',
        'vpn.corp.example – remote access',
        'payroll.corp.example (hosted by third party)',
        '- the payroll system',
        'Handle with care:',
        'db.corp.example, 10.0.0.1 to 10.0.0.9',
      ].join('\n'),
    )
    expect(rules.map(({ line, effect, pattern, note }) => [line, effect, pattern, note])).toEqual([
      [2, 'allow', 'www.corp.example', ''],
      [3, 'allow', '*.corp.example', 'office'],
      [3, 'allow', '203.0.113.0/28', 'office'],
      [5, 'allow', '198.51.100.0/24', 'DMZ Frankfurt · firewall'],
      [7, 'deny', '203.0.113.5', ''],
      [8, 'deny', 'https://www.corp.example/admin/billing', ''],
      [9, 'deny', 'vpn.corp.example', 'remote access'],
      [10, 'deny', 'payroll.corp.example', 'hosted by third party'],
      [11, 'deny', null, 'the payroll system'],
      [13, 'caution', 'db.corp.example', ''],
      [13, 'caution', '10.0.0.1-10.0.0.9', ''],
    ])
    expect(rules[4]).toMatchObject({ source: '• 203.0.113.5', reason: 'below “Out of scope:” (line 6)' })
  })

  test.each([
    ['a.example\nb.example', ['? a.example', '? b.example']],
    [
      'In scope: a.example\nOut of scope: b.example\nc.example',
      ['allow a.example', 'deny b.example', 'deny c.example'],
    ],
    ['In scope:\na.example\nDo not test b.example\nc.example', ['allow a.example', 'deny b.example', '? c.example']],
    ['In scope:\n*.a.example except b.a.example', ['? *.a.example', 'deny b.a.example']],
    ['Everything is in scope except:\na.example', ['deny a.example']],
    ['Out of scope, except:\na.example', ['? a.example']],
    ['Not out of scope:\na.example', ['? a.example']],
    ['## In scope\na.example\n## Payment partners\nb.example', ['allow a.example', '? b.example']],
    ['# Out of scope\na.example\n# DMZ\nb.example', ['deny a.example', 'deny b.example']],
    [
      'In scope:\na.example\nThese belong to our partner, ask first\nb.example',
      ['allow a.example', 'allow -', '? b.example'],
    ],
    ['In scope:\n!a.example\n-10.0.0.1', ['? a.example', '? 10.0.0.1']],
    ['In scope:\na.example\nb.example\nThe last two are out of scope.', ['? a.example', '? b.example', '? -']],
    ['In scope:\na.example*\nb.example¹\n**c.example**', ['? a.example', '? b.example', 'allow c.example']],
    ['| a.example | in scope |\n| b.example | out of scope |', ['allow a.example', 'deny b.example']],
    ['In scope:\na.example (only at night)\nb.example (fragile)', ['? a.example', 'caution b.example']],
    ['In scope:\na.example\nOut of scope:\na.example', ['? a.example', 'deny a.example']],
    [
      'Nicht im Umfang:\na.example\nIm Umfang:\nb.example\nAußerhalb:\nc.example',
      ['deny a.example', 'allow b.example', 'deny c.example'],
    ],
    [
      'Dans le périmètre :\na.example\nHors périmètre :\nb.example\nÀ exclure :\nc.example',
      ['allow a.example', 'deny b.example', 'deny c.example'],
    ],
    ['Out of ѕcope:\na.example', ['? a.example']],
    ['In scope:\na.example\nOut\u00a0of\u00adscope:\nb.example', ['allow a.example', 'deny b.example']],
    ['Excluded:vpn.a.example', ['deny vpn.a.example']],
    ['Out of scope:\na.example and all subdomains', ['deny a.example', 'deny *.a.example']],
    [
      'Out of scope:\n10.0.0.0 / 24\n10.0.0.1, 2, 3\n10.1.0.0 255.255.0.0',
      ['deny 10.0.0.0/24', 'deny 10.0.0.1', 'deny -', 'deny -'],
    ],
    [
      'In scope:\na.example:8443\nOut of scope:\n*.a.example:443/tcp (console)\n[2001:db8::1]:22, 10.0.0.5:53/udp',
      ['allow a.example:8443', 'deny *.a.example:443/tcp', 'deny [2001:db8::1]:22', 'deny 10.0.0.5:53/udp'],
    ],
    ['Excluded:a.example:8443', ['deny a.example:8443']],
    ['Out of scope:\na.example:443, 8443', ['deny a.example:443', 'deny -']],
    ['Out of scope:\na.example:443 and 8443/tcp', ['deny a.example:443', 'deny -']],
    ['Out of scope:\na.example:8000-8100\n10.0.0.0/24:443', ['deny -', 'deny -']],
    [
      'In scope:\na.example:8443\nb.example\nexcept a.example:8443',
      ['? a.example:8443', 'allow b.example', 'deny a.example:8443'],
    ],
    ['In scope:\na.example, port 8443', ['? a.example']],
    ['Out of scope:\na.example, port 8443', ['deny a.example']],
    ['In scope:\nStage:2\nat 10:30', ['? stage:2', '? -']],
    ['In scope:\na.example:8443*', ['? a.example:8443']],
  ])('%j is read strictly', async (text, expected) => expect(await read(text)).toEqual(expected))
})

const EXCLUSIONS = [
  'Out of scope',
  'OUT-OF-SCOPE',
  'Excluded',
  'Exclusions',
  'Not in scope',
  'Do not test',
  "Don't touch",
  'These must not be tested',
  'Off limits',
  'Nicht im Scope',
  'Nicht testen',
  'Ausgeschlossen',
  'Außerhalb des Prüfumfangs',
  'Hors périmètre',
  'À exclure',
  'Ne pas tester',
  'Interdits',
]
const EXCLUDING_WORDS = [
  'out of scope',
  'excluded',
  'except this one',
  'do not test',
  'not in scope',
  'nicht testen',
  'ausgenommen',
  'hors périmètre',
  'sauf',
  'exclu',
]
const HEADS = [
  (words: string) => `${words}:`,
  (words: string) => `## ${words}`,
  (words: string) => `**${words}**`,
  (words: string) => `3. ${words} :`,
  (words: string) => `> ${words}`,
]
const BULLETS = ['', '- ', '* ', '• ', '1. ', '2) ', '[ ] ', '> - ', '   ']
const PATTERNS = [
  'a.example',
  '*.b.example',
  '10.0.0.1',
  '10.0.0.0/24',
  '10.0.0.1-50',
  'https://c.example/admin',
  'a.example:8443',
  '*.b.example:443/tcp',
  '10.0.0.1:22',
  '[2001:db8::1]:53/udp',
  '2001:db8::1',
  'in-scope.example',
  '"d.example",',
]

const oneOf = (values: readonly string[]) => fc.constantFrom(...values)
const entry = fc
  .tuple(oneOf(BULLETS), oneOf(PATTERNS), oneOf(['', ' (hosted elsewhere)', ' # annex', ' – shop', ', e.example']))
  .map((parts) => parts.join(''))
const between = oneOf(['', '# DMZ Frankfurt', 'Web servers:', '## Network', 'Some of our partners run these.'])
const excludedSection = fc
  .tuple(oneOf(EXCLUSIONS), fc.constantFrom(...HEADS), fc.array(fc.oneof(entry, between), { maxLength: 5 }))
  .map(([words, head, lines]) => ({
    lines: [head(words), ...lines],
    isExcluded: () => true,
  }))
const allowedSection = fc
  .tuple(
    oneOf(['In scope:', '# In scope', 'Im Umfang:', 'Allowed:', 'Dans le périmètre :']),
    fc.array(entry, { maxLength: 4 }),
  )
  .map(([head, lines]) => ({
    lines: [head, ...lines],
    isExcluded: () => false,
  }))
const excludedLine = fc.tuple(entry, oneOf(EXCLUDING_WORDS), fc.boolean()).map(([pattern, words, isBefore]) => ({
  lines: [isBefore ? `${words}: ${pattern}` : `${pattern} (${words})`],
  isExcluded: () => true,
}))

test('D1: no line below a heading of exclusion or with words of exclusion ends as allow, in any letter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(excludedSection, allowedSection, excludedLine), { minLength: 1, maxLength: 6 }),
      async (parts) => {
        const lines = parts.flatMap((part) => part.lines.map((text) => ({ text, isExcluded: part.isExcluded() })))
        const rules = await readLetter(lines.map(({ text }) => text).join('\n'))
        const wrong = rules.filter(
          ({ line, effect, pattern }) => pattern !== null && effect === 'allow' && lines[line - 1]?.isExcluded,
        )
        expect(wrong).toEqual([])
      },
    ),
    { numRuns: runs(2_000) },
  )
})
