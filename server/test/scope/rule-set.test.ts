import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AddressRange, parseNetwork, parseSingle } from '../../src/features/scope/rules/address-range.ts'
import { isRefusal } from '../../src/features/scope/rules/host.ts'
import { recognisePattern } from '../../src/features/scope/rules/pattern.ts'
import { recognise, type Subject } from '../../src/features/scope/rules/recognise.ts'
import {
  compileRules,
  type Effect,
  evaluate,
  evaluateConnection,
  reasonOf,
  type ScopeRule,
} from '../../src/features/scope/rules/rule-set.ts'
import { hereMs } from '../support/app/machine.ts'
import { runs } from '../support/app/nightly.ts'

const subject = (value: string): Subject => {
  const found = recognise(value)
  if (isRefusal(found)) throw new Error(`${value}: ${found.refused}`)
  return found.subject
}

const rule = (effect: Effect, text: string): ScopeRule => {
  const found = recognisePattern(text)
  if (isRefusal(found)) throw new Error(`${text}: ${found.refused}`)
  return { id: `${effect} ${found.canonical}`, effect, kind: found.kind, pattern: found.canonical }
}

/** Each as `allow 10.0.0.0/8`. */
const rules = (...lines: string[]) =>
  compileRules(lines.map((line) => rule(line.split(' ')[0] as Effect, line.split(' ')[1] as string)))

describe('a value', () => {
  test.each([
    [[], 'example.com', 'unknown'],
    [['deny 10.0.0.1'], 'example.com', 'unknown'],
    [['allow 10.0.0.1'], 'example.com', 'out'],
    [['allow *.example.com'], 'a.b.example.com', 'in'],
    [['allow *.example.com'], 'example.com', 'out'],
    [['allow *.example.com'], 'badexample.com', 'out'],
    [['allow example.com'], 'www.example.com', 'out'],
    [['allow *.example.com', 'deny *.b.example.com'], 'a.b.example.com', 'out'],
    [['deny *.example.com', 'allow a.example.com'], 'a.example.com', 'in'],
    [['allow *.example.com', 'caution a.example.com'], 'a.example.com:8443', 'caution'],
    [['allow example.com', 'deny https://example.com/admin'], 'https://example.com/admin/users?x=1', 'out'],
    [['allow example.com', 'deny https://example.com/admin'], 'https://example.com/administrator', 'in'],
    [['allow example.com', 'deny https://example.com/admin'], 'http://example.com/admin', 'in'],
    [['allow example.com', 'deny https://example.com/admin'], 'https://example.com:8443/admin', 'in'],
    [['allow example.com', 'deny https://example.com/admin'], 'https://example.com/%61dmin/', 'out'],
    [
      ['deny https://example.com/', 'allow https://example.com/a', 'caution https://example.com/a/b'],
      'https://example.com/a/b',
      'caution',
    ],
    [
      ['deny https://example.com/', 'allow https://example.com/a', 'caution https://example.com/a/b'],
      'https://example.com/a/c',
      'in',
    ],
    [
      ['deny https://example.com/', 'allow https://example.com/a', 'caution https://example.com/a/b'],
      'https://example.com/',
      'out',
    ],
    [['deny https://example.com/'], 'example.com', 'unknown'],
    [['allow 10.0.0.0/8', 'deny 10.0.0.0/24', 'caution 10.0.0.5'], '10.0.0.5', 'caution'],
    [['allow 10.0.0.0/8', 'deny 10.0.0.0/24', 'caution 10.0.0.5'], 'https://10.0.0.6/', 'out'],
    [['allow 10.0.0.0/8', 'deny 10.0.0.0/24'], '10.0.1.0:22', 'in'],
    [['allow 10.0.0.0/24', 'deny 10.0.0.0-10.0.0.255'], '10.0.0.1', 'out'],
    [['allow 10.0.0.0-10.0.0.9', 'caution 10.0.0.5-10.0.0.14'], '10.0.0.7', 'caution'],
    [['allow ::ffff:10.0.0.0/104'], '10.2.3.4', 'in'],
    [['allow 0.0.0.0/0'], '2001:db8::1', 'out'],
    [['deny 93.184.216.34'], '2001:db8::1', 'unknown'],
    [['allow 2002:c000:201::1'], '2002:c000:201::1', 'in'],
    [['allow 192.0.2.1'], '2002:c000:201::1', 'out'],
    [['allow 64:ff9b::/96', 'deny 10.0.0.0/8'], '64:ff9b::5db8:d822', 'in'],
    [['allow 64:ff9b::/96', 'caution 93.184.216.0/24'], 'http://[64:ff9b::5db8:d822]/', 'caution'],
    [['deny 93.184.216.0/24'], '64:ff9b::5db8:d800/120', 'out'],
    [['deny 93.184.216.34'], '64:ff9b::/96', 'caution'],
    [['deny 93.184.216.34'], '2002:5db8:d822::/48', 'out'],
  ])('by %j: %s is %s', (lines, value, expected) =>
    expect(evaluate(rules(...lines), subject(value)).verdict).toBe(expected),
  )

  test.each([
    [['allow 10.0.0.0/8'], '10.1.0.0/16', 'in', 'allowed by 10.0.0.0/8'],
    [['allow 10.0.0.0/9', 'allow 10.128.0.0/9'], '10.0.0.0/8', 'in', 'allowed by 10.0.0.0/9'],
    [['allow 10.0.0.0/9'], '10.0.0.0/8', 'caution', 'only in part: 10.128.0.0/9 is covered by no rule'],
    [
      ['allow 10.0.0.0/8', 'deny 10.1.0.1-10.1.0.50'],
      '10.0.0.0/8',
      'caution',
      'only in part: 10.1.0.1-10.1.0.50 is denied by 10.1.0.1-10.1.0.50',
    ],
    [
      ['allow 10.0.0.0/8', 'caution 10.1.0.0/16'],
      '10.0.0.0/8',
      'caution',
      'only in part: 10.1.0.0/16 is marked for caution by 10.1.0.0/16',
    ],
    [['deny 10.0.0.0/8'], '10.1.0.0/16', 'out', 'denied by 10.0.0.0/8'],
    [['deny 10.0.0.0/24', 'allow 192.0.2.0/24'], '10.0.0.0/16', 'out', 'denied by 10.0.0.0/24'],
    [['deny 10.0.0.0/24'], '10.0.0.0/16', 'caution', 'only in part: 10.0.0.0/24 is denied by 10.0.0.0/24'],
    [['allow 10.0.0.0/24'], '10.1.0.0/16', 'out', 'covered by no rule'],
    [[], '10.1.0.0/16', 'unknown', 'covered by no rule, and nothing is allowed yet'],
  ])('a network by %j: %s is %s, and the reason names the part that differs', (lines, value, expected, reason) => {
    const decision = evaluate(rules(...lines), subject(value))
    expect([decision.verdict, reasonOf(decision)]).toEqual([expected, reason])
  })

  test.each([
    [['allow example.com', 'deny 10.0.0.0/8'], 'out'],
    [['allow example.com', 'caution 10.0.0.0/8'], 'caution'],
    [['allow example.com'], 'in'],
    [['deny example.com', 'allow 10.0.0.0/8'], 'out'],
    [['allow 10.0.0.0/8'], 'out'],
  ])('a connection to example.com at 10.0.0.5 by %j is %s', (lines, expected) => {
    expect(
      evaluateConnection(rules(...lines), subject('example.com'), parseSingle('10.0.0.5') as AddressRange).verdict,
    ).toBe(expected)
  })
})

describe('T19: a rule for an IPv4 address', () => {
  test.each([
    ['mapped', '::ffff:93.184.216.34'],
    ['compatible', '::5db8:d822'],
    ['translated', '::ffff:0:5db8:d822'],
    ['NAT64', '64:ff9b::5db8:d822'],
    ['NAT64 with a prefix of its own', '64:ff9b:1::5db8:d822'],
    ['NAT64 with a prefix of 48 bits', '64:ff9b:1:5db8:d8:2200::'],
    ['6to4', '2002:5db8:d822::1'],
    ['Teredo, as its server', '2001:0:5db8:d822::1'],
    ['Teredo, as its client', '2001:0:1234:5678:0:0:a247:27dd'],
  ])('denies the IPv6 address that embeds it: %s', (_name, carrier) => {
    const set = rules('deny 93.184.216.34')
    expect(evaluate(set, subject(carrier)).verdict).toBe('out')
    expect(evaluate(set, subject(`http://[${carrier}]/`)).verdict).toBe('out')
    expect(
      evaluateConnection(
        rules('allow example.com', 'deny 93.184.216.34'),
        subject('example.com'),
        parseSingle(carrier) as AddressRange,
      ).verdict,
    ).toBe('out')
    expect(
      evaluateConnection(
        rules('allow example.com', 'caution 93.184.216.34'),
        subject('example.com'),
        parseSingle(carrier) as AddressRange,
      ).verdict,
    ).toBe('caution')
  })
})

describe('T18: a rule that denies a path', () => {
  const set = rules(
    'allow example.com',
    'deny https://example.com/admin',
    'allow https://example.com/admin/help',
    'caution https://example.com/care',
  )
  const verdictAt = (path: string) => evaluate(set, subject(`https://example.com${path}`)).verdict

  test.each([
    '/admin',
    '//admin',
    '///admin//x',
    '/%5cadmin',
    '/x/..//admin',
    '/x%2f..%2fadmin',
    '/x/%2e%2e%2fadmin',
    '/x%252f..%252fadmin',
    '/%2561dmin',
    '/.;/admin',
    '/..;/admin',
    '/x/..;v=1/admin/users',
    '/admin;x',
    '/admin;jsessionid=1/users',
    '/;a/admin',
    '/admin%3bx',
    '/admin%3fx',
    '/admin%23x',
    '/admin%2fusers',
    '/admin%2f..%2fpublic',
    '/ADMIN/users',
    '/%41dmin',
    '/admin/help/..%2fusers',
  ])('denies every spelling that a server may read as it: %s', (path) => expect(verdictAt(path)).toBe('out'))

  test.each(['/administrator', '/x/admin', '/', '/ad/min', '/x%2fadmin', '/admin/help', '/admin/help/a;b'])(
    'denies no other path: %s',
    (path) => expect(verdictAt(path)).toBe('in'),
  )

  test('marks other spellings for caution as well, and a plain allow never overrides a deny of another reading', () => {
    expect(verdictAt('//care')).toBe('caution')
    expect(
      evaluate(
        rules('deny https://example.com/a', 'allow https://example.com/x'),
        subject('https://example.com/x/..%2fa'),
      ).verdict,
    ).toBe('out')
  })

  test('can itself be written in any spelling', () => {
    for (const pattern of [
      'https://example.com/x%2F..%2Fadmin',
      'https://example.com//admin',
      'https://example.com/admin;v=1',
    ]) {
      expect(
        evaluate(rules('allow example.com', `deny ${pattern}`), subject('https://example.com/admin/users')).verdict,
        pattern,
      ).toBe('out')
    }
  })

  test.each(['//admin', '/x%2f..%2fadmin', '/.;/admin', '/admin;x', '/ADMIN', '/x%252f..%252fadmin'])(
    'an allow is never widened by a spelling: %s',
    (path) => {
      expect(evaluate(rules('allow https://example.com/admin'), subject(`https://example.com${path}`)).verdict).toBe(
        'out',
      )
    },
  )
})

/** Values and rules that match often: few names, few networks. */
const label = fc.constantFrom('a', 'b', 'c')
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => [...labels, 'test'].join('.'))
const address = fc.integer({ min: 0, max: 63 }).map((last) => `10.0.0.${last}`)
const network = fc.tuple(address, fc.integer({ min: 24, max: 31 })).map(([base, bits]) => `${base}/${bits}`)
const range = fc.tuple(address, address).map((ends) => {
  const [first, last] = ends.map((each) => Number(each.split('.')[3])).toSorted((a, b) => a - b)
  return `10.0.0.${first}-10.0.0.${last}`
})
const url = fc
  .tuple(fc.oneof(name, address), fc.array(label, { maxLength: 3 }))
  .map(([host, path]) => `https://${host}/${path.join('/')}`)
const wildcard = name.map((below) => `*.${below}`)
const effect = fc.constantFrom<Effect>('allow', 'deny', 'caution')
const patternText = fc.oneof(name, wildcard, address, network, range, url)
const anyRule = fc.tuple(effect, patternText).map(([how, text]) => rule(how, text))
const ruleList = fc.uniqueArray(anyRule, { maxLength: 12, selector: ({ pattern }) => pattern })
const single = fc.oneof(name, address, url).map(subject)
const anyNetwork = network.map(
  (text) => parseNetwork(text.split('/')[0] as string, Number(text.split('/')[1])) as AddressRange,
)

/** A smaller weight is more specific: kinds first, then the order of docs/features/targets.md within a kind. */
const weight = ({ kind, pattern }: ScopeRule): number => {
  const { host, url: place } = (recognisePattern(pattern) as { subject: Subject }).subject
  if (place) return -place.path.length
  if (kind === 'domain' || kind === 'ip') return 1e3
  return typeof host === 'string' ? 1e12 - host.split('.').length : 1e4 + Number(host.last - host.first)
}

describe('for any rules and values', () => {
  test('the order of rules never matters', () => {
    const lists = ruleList.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    const values = fc.oneof(
      single,
      anyNetwork.map((host) => ({ host })),
    )
    fc.assert(
      fc.property(lists, values, ([list, shuffled], value) => {
        expect(evaluate(compileRules(shuffled), value)).toEqual(evaluate(compileRules(list), value))
      }),
      { numRuns: runs(500) },
    )
  })

  test('a less specific rule never changes the verdict of another rule', () => {
    fc.assert(
      fc.property(ruleList, anyRule, single, (list, added, value) => {
        const before = evaluate(compileRules(list), value)
        fc.pre(
          before.rule !== undefined &&
            list.every(({ pattern }) => pattern !== added.pattern) &&
            weight(added) > weight(before.rule),
        )
        expect(evaluate(compileRules([...list, added]), value)).toEqual(before)
      }),
      { numRuns: runs(500) },
    )
  })

  test('the deciding rule is the one that a linear search through all rules finds', () => {
    fc.assert(
      fc.property(ruleList, single, (list, value) => {
        const covering = list.filter((each) => evaluate(compileRules([each]), value).rule)
        const order = { deny: 0, caution: 1, allow: 2 }
        const [best] = covering.toSorted(
          (a, b) => weight(a) - weight(b) || order[a.effect] - order[b.effect] || (a.pattern < b.pattern ? -1 : 1),
        )
        expect(evaluate(compileRules(list), value).rule).toEqual(best)
      }),
      { numRuns: runs(1_000) },
    )
  })

  test('a network has the verdict of its addresses if they agree, and caution if they do not', () => {
    fc.assert(
      fc.property(ruleList, anyNetwork, (list, host) => {
        const set = compileRules(list)
        const each = Array.from({ length: Number(host.last - host.first) + 1 }, (_, index) => {
          const at = host.first + BigInt(index)
          return evaluate(set, { host: { family: 4, first: at, last: at } }).verdict
        })
        expect(evaluate(set, { host }).verdict).toBe(new Set(each).size === 1 ? each[0] : 'caution')
      }),
      { numRuns: runs(1_000) },
    )
  })
})

test('P11: 500 rules are compiled, and 100,000 values are evaluated, within a second of processor time', () => {
  const list = Array.from({ length: 500 }, (_, index) => {
    const patterns = [
      `10.${index % 256}.0.0/16`,
      `*.z${index}.test`,
      `h${index}.test`,
      `10.${index % 200}.2.1-10.${index % 200}.2.90`,
      `https://h.test/p${index}`,
    ]
    return rule((['allow', 'deny', 'caution'] as const)[index % 3] as Effect, patterns[index % 5] as string)
  })
  const texts = ['10.I.3.7', 'a.b.zI.test', '10.I.0.0/12', 'https://h.test/pI/x']
  const values = Array.from({ length: 1_000 }, (_, index) =>
    subject((texts[index % 4] as string).replace('I', String(index % 250))),
  )
  const started = process.cpuUsage()
  const set = compileRules(list)
  for (let round = 0; round < 100; round++) for (const value of values) evaluate(set, value)
  const { user, system } = process.cpuUsage(started)
  expect((user + system) / 1_000).toBeLessThan(hereMs(1_000))
})

describe('a rule that was stored before wildcards were rejected', () => {
  const stored = (effect: Effect, pattern: string): ScopeRule => ({
    id: `${effect} ${pattern}`,
    effect,
    kind: 'url',
    pattern,
  })
  const verdictOf = (stores: readonly ScopeRule[], value: string) =>
    evaluate(compileRules([...stores, rule('allow', 'example.com')]), subject(value)).verdict

  test.each([
    ['https://example.com/admin/*', 'https://example.com/admin/users', 'out'],
    ['https://example.com/admin/*', 'https://example.com/admin', 'out'],
    ['https://example.com/admin/*', 'https://example.com/administrator', 'in'],
    ['https://example.com/admin/**', 'https://example.com/admin/users', 'out'],
    ['https://example.com/users/%7Bid%7D/keys', 'https://example.com/users/7/keys', 'out'],
    ['https://example.com/a/*/b', 'https://example.com/a/x/b', 'out'],
    ['https://example.com/adm*', 'https://example.com/admin', 'out'],
  ])('%s denies %s: %s', (pattern, value, verdict) => expect(verdictOf([stored('deny', pattern)], value)).toBe(verdict))

  test('that allows or marks covers nothing if it is not understood', () => {
    expect(verdictOf([stored('caution', 'https://example.com/a/*/b')], 'https://example.com/a/x/b')).toBe('in')
    const allowing = compileRules([stored('allow', 'https://example.com/a/*/b')])
    expect(evaluate(allowing, subject('https://example.com/a/x/b')).verdict).toBe('out')
  })

  test('that denies a network by an x covers it', () => {
    const denying = compileRules([
      rule('allow', '10.0.0.0/8'),
      { id: 'x', effect: 'deny', kind: 'domain', pattern: '10.0.0.x' },
    ])
    expect(evaluate(denying, subject('10.0.0.7')).verdict).toBe('out')
    expect(evaluate(denying, subject('10.0.1.7')).verdict).toBe('in')
  })
})
