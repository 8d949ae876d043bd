import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  NotPermittedError,
  permittedPorts,
  type PortNumbers,
  requirePermitted,
} from '../../src/features/connection-rules/permit.ts'
import { type AddressRange, parseSingle } from '../../src/features/scope/rules/address-range.ts'
import { isRefusal } from '../../src/features/scope/rules/host.ts'
import { recognisePattern } from '../../src/features/scope/rules/pattern.ts'
import { type Port, recognise, type Subject } from '../../src/features/scope/rules/recognise.ts'
import {
  compileRules,
  type Effect,
  evaluate,
  evaluateConnection,
  reasonOf,
} from '../../src/features/scope/rules/rule-set.ts'
import { orderKeyOf, subjectOf } from '../../src/features/targets/target-keys.ts'
import { runs } from '../support/app/nightly.ts'
import { rulesOf } from '../support/scans/scan-reach.ts'

const recognised = (value: string) => {
  const found = recognise(value)
  if (isRefusal(found)) throw new Error(`${value}: ${found.refused}`)
  return found
}
const subject = (value: string): Subject => recognised(value).subject

/** Each as `allow example.com:443`. */
const rules = (...lines: string[]) =>
  compileRules(
    lines.map((line) => {
      const [effect = '', text = ''] = line.split(' ')
      const found = recognisePattern(text)
      if (isRefusal(found)) throw new Error(`${text}: ${found.refused}`)
      return { id: line, effect: effect as Effect, kind: found.kind, pattern: found.canonical }
    }),
  )

const COVERED = ['allow example.com', 'deny example.com:22', 'caution example.com:53/udp']
const ONLY = ['allow vpn.example.com:8443']
const WILD = ['allow *.example.com', 'deny *.example.com:22']

describe('a rule for a port', () => {
  test.each([
    [COVERED, 'example.com:22', 'out'],
    [COVERED, 'example.com:22/udp', 'out'],
    [COVERED, 'example.com:23', 'in'],
    [COVERED, 'example.com', 'in'],
    [COVERED, 'example.com:53', 'in'],
    [COVERED, 'example.com:53/udp', 'caution'],
    [COVERED, 'http://example.com:22/', 'out'],
    [COVERED, 'www.example.com:22', 'out'],
    [ONLY, 'vpn.example.com:8443', 'in'],
    [ONLY, 'https://vpn.example.com:8443/login?x=1', 'in'],
    [ONLY, 'vpn.example.com', 'out'],
    [ONLY, 'vpn.example.com:443', 'out'],
    [ONLY, 'https://vpn.example.com/', 'out'],
    [ONLY, 'other.example.com:8443', 'out'],
    [['allow example.com:443'], 'https://example.com/', 'in'],
    [['allow example.com:443'], 'http://example.com/', 'out'],
    [['allow example.com:80'], 'http://example.com/a', 'in'],
    [['allow example.com:443/udp'], 'https://example.com/', 'out'],
    [['allow [2001:db8::1]:443'], 'https://[2001:db8::1]/', 'in'],
    [['allow [2001:db8::1]:8443'], 'https://[2001:db8::1]:8443/', 'in'],
    [['allow [2001:db8::1]:8443'], 'https://[2001:db8::1]/', 'out'],
    [['deny example.com:443'], 'example.com:80', 'unknown'],
    [['allow example.com:443/tcp', 'deny example.com:443'], 'example.com:443', 'in'],
    [['allow example.com:443/tcp', 'deny example.com:443'], 'example.com:443/udp', 'out'],
    // URL before port.
    [['allow example.com', 'deny example.com:443', 'allow https://example.com/a'], 'https://example.com/a/b', 'in'],
    [['allow example.com', 'deny example.com:443', 'allow https://example.com/a'], 'https://example.com/b', 'out'],
    [['allow example.com:443', 'deny https://example.com/a'], 'https://example.com/x%2f..%2fa', 'out'],
    // Addresses: a rule for a port of one address is always as specific as a rule for addresses.
    [['allow 192.0.2.0/24', 'deny 192.0.2.1:22'], '192.0.2.1:22', 'out'],
    [['allow 192.0.2.0/24', 'deny 192.0.2.1:22'], '192.0.2.2:22', 'in'],
    [['allow 192.0.2.0/24', 'deny 192.0.2.1:22'], '192.0.2.0/24', 'in'],
    [['deny 192.0.2.1', 'allow 192.0.2.1:22/tcp'], '192.0.2.1:22', 'in'],
    [['deny 192.0.2.1', 'allow 192.0.2.1:22/tcp'], '192.0.2.1:22/udp', 'out'],
    [['allow 64:ff9b::/96', 'deny 192.0.2.1:22'], '[64:ff9b::192.0.2.1]:22', 'out'],
    [['allow 64:ff9b::/96', 'deny 192.0.2.1:22'], '[64:ff9b::192.0.2.1]:23', 'in'],
    [['allow 64:ff9b::/96', 'deny 192.0.2.1:80'], 'http://[64:ff9b::192.0.2.1]/', 'out'],
    [['allow 192.0.2.1:22'], '[64:ff9b::192.0.2.1]:22', 'out'],
    // Wildcards.
    [WILD, 'a.example.com:22', 'out'],
    [WILD, 'a.b.example.com:22', 'out'],
    [WILD, 'example.com:22', 'out'],
    [WILD, 'a.example.com:23', 'in'],
    [['deny *.example.com', 'allow *.example.com:443'], 'a.example.com:443', 'in'],
    [['deny *.com', 'allow *.example.com:443'], 'a.example.com:443', 'in'],
    [['allow *.example.com:443', 'deny a.example.com'], 'a.example.com:443', 'out'],
    [['deny *.example.com:443', 'allow a.example.com'], 'a.example.com:443', 'out'],
    [['allow *.example.com:443', 'deny *.b.example.com'], 'a.b.example.com:443', 'out'],
    [['deny *.example.com:443', 'allow *.b.example.com'], 'a.b.example.com:443', 'out'],
    [['allow *.example.com:443', 'caution a.example.com'], 'a.example.com:443', 'caution'],
    [['caution *.example.com:443', 'allow a.example.com'], 'a.example.com:443', 'caution'],
    [['deny *.example.com:443', 'allow a.example.com:443'], 'a.example.com:443', 'in'],
    [['deny *.example.com:443/tcp', 'allow a.example.com:443'], 'a.example.com:443', 'in'],
    [['allow *.example.com:443', 'deny *.b.example.com:443'], 'a.b.example.com:443', 'out'],
    [['deny *.example.com:443', 'allow *.b.example.com:443/udp'], 'a.b.example.com:443', 'out'],
    [['deny *.example.com:443', 'allow *.b.example.com:443/udp'], 'a.b.example.com:443/udp', 'in'],
    [['deny *.example.com:443', 'allow *.example.com:443/tcp'], 'a.example.com:443', 'in'],
  ])('by %j: %s is %s', (lines, value, expected) => {
    expect(evaluate(rules(...lines), subject(value)).verdict).toBe(expected)
    const { kind, canonical, ...rest } = recognised(value)
    const stored = subjectOf(kind, canonical, orderKeyOf({ kind, canonical, ...rest }))
    expect(evaluate(rules(...lines), stored).verdict).toBe(expected)
  })

  test('without a protocol the stricter of both decides, and the reason names the rule', () => {
    const set = rules('allow example.com', 'deny example.com:53/udp', 'allow 192.0.2.1', 'caution 192.0.2.1:53/tcp')
    const port: Port = { number: 53, protocol: null }
    expect(reasonOf(evaluate(set, { host: 'example.com', port }))).toBe('denied by example.com:53/udp')
    const { host } = subject('192.0.2.1')
    expect(reasonOf(evaluate(set, { host, port }))).toBe('marked for caution by 192.0.2.1:53/tcp')
  })

  test.each([
    [['allow example.com', 'deny 192.0.2.1:443'], 'example.com:443', 'out'],
    [['allow example.com', 'deny 192.0.2.1:443'], 'https://example.com/', 'out'],
    [['allow example.com', 'deny 192.0.2.1:443'], 'example.com:80', 'in'],
    [['allow example.com', 'deny 192.0.2.1:443'], 'example.com', 'in'],
    [['allow example.com:443'], 'example.com:443', 'in'],
    [['allow example.com:443', 'deny 192.0.2.1'], 'example.com:443', 'out'],
    [['allow example.com:443', 'deny 192.0.2.1', 'allow 192.0.2.1:443'], 'example.com:443', 'in'],
    [['deny example.com:443', 'allow 192.0.2.1:443'], 'example.com:443', 'out'],
    [['allow 192.0.2.1:443'], 'example.com:443', 'out'],
  ])('a connection by %j to %s at 192.0.2.1 is %s', (lines, value, expected) => {
    const set = rules(...lines)
    expect(evaluateConnection(set, subject(value), parseSingle('192.0.2.1') as AddressRange).verdict).toBe(expected)
    const carrier = parseSingle('64:ff9b::192.0.2.1') as AddressRange
    const isAllowedByAddress = lines.includes('allow 192.0.2.1:443') && lines.includes('deny 192.0.2.1')
    if (!isAllowedByAddress) expect(evaluateConnection(set, subject(value), carrier).verdict).toBe(expected)
  })

  const NAMES = ['example.com', 'a.example.com', 'b.a.example.com', 'example.org']
  const HOSTS = [...NAMES, '*.com', '*.example.com', '*.a.example.com']
  const line = fc
    .tuple(
      fc.constantFrom('allow', 'deny', 'caution'),
      fc.constantFrom(...HOSTS),
      fc.constantFrom('', ':443', ':443/tcp', ':443/udp', ':80'),
    )
    .map(([effect, host, port]) => ({ pattern: `${host}${port}`, effect }))
  const lists = fc.uniqueArray(line, { maxLength: 8, selector: ({ pattern }) => pattern })
  const covers = (host: string, name: string) => (host.startsWith('*.') ? name.endsWith(host.slice(1)) : host === name)

  test('is never weaker than what the most specific rules of each kind say, in any set of rules', () => {
    fc.assert(
      fc.property(lists, fc.constantFrom(...NAMES), (list, name) => {
        const { verdict } = evaluate(
          rules(...list.map(({ effect, pattern }) => `${effect} ${pattern}`)),
          subject(`${name}:443`),
        )
        const specificity = (host: string) => (host.startsWith('*.') ? host.length : 1_000)
        const best = (ports: readonly string[]) =>
          list
            .map(({ effect, pattern }) => ({ effect, host: pattern.split(':')[0] as string, pattern }))
            .filter(({ host, pattern }) => ports.includes(pattern.slice(host.length)) && covers(host, name))
            .toSorted(
              (a, b) =>
                specificity(b.host) - specificity(a.host) ||
                ports.indexOf(a.pattern.slice(a.host.length)) - ports.indexOf(b.pattern.slice(b.host.length)),
            )[0]
        const [ofPort, ofHost] = [best([':443/tcp', ':443']), best([''])]
        const effects =
          ofPort && (!ofHost || specificity(ofPort.host) >= specificity(ofHost.host))
            ? [ofPort.effect]
            : [ofPort?.effect, ofHost?.effect]
        const expected = effects.includes('deny')
          ? 'out'
          : effects.includes('caution')
            ? 'caution'
            : effects.includes('allow')
              ? 'in'
              : list.some(({ effect }) => effect === 'allow')
                ? 'out'
                : 'unknown'
        expect(verdict).toBe(expected)
      }),
      { numRuns: runs(3_000) },
    )
  })
})

describe('what may be sent', () => {
  const reasonFor = (lines: readonly string[], destined: Parameters<typeof requirePermitted>[1]) => {
    try {
      requirePermitted(rulesOf(...lines), destined)
      return undefined
    } catch (error) {
      if (error instanceof NotPermittedError) return `${error.kind}: ${error.message}`
      throw error
    }
  }
  const tcp = (number: number): Port => ({ number, protocol: 'tcp' })

  test('is decided at the port of the connection, of the URL and of the proxy', () => {
    const lines = ['allow example.com', 'deny example.com:8443', 'deny 192.0.2.1:22', 'deny proxy.example:8080']
    expect(reasonFor(lines, { host: 'example.com', port: tcp(8_443) })).toBe('out: denied by example.com:8443')
    expect(reasonFor(lines, { host: 'example.com', url: new URL('https://example.com:8443/a') })).toContain('denied by')
    expect(reasonFor(lines, { host: 'example.com', port: tcp(443) })).toBe(undefined)
    expect(reasonFor(lines, { host: 'example.com', port: tcp(22), addresses: ['192.0.2.1'] })).toBe(
      'out: denied by 192.0.2.1:22',
    )
    expect(reasonFor(lines, { host: 'example.com', port: tcp(22), addresses: ['192.0.2.2'] })).toBe(undefined)
    expect(reasonFor(lines, { host: 'proxy.example', port: tcp(8_080), isProxy: true })).toContain('denied by')
    expect(reasonFor(lines, { host: 'proxy.example', port: tcp(3_128), isProxy: true })).toBe(undefined)
  })

  test('to a whole host needs the host, and to a port of which it is the only one, that port', () => {
    const lines = ['allow example.com:8443/tcp']
    expect(reasonFor(lines, { host: 'example.com' })).toBe('out: covered by no rule')
    expect(reasonFor(lines, { host: 'example.com', port: tcp(443) })).toBe('out: covered by no rule')
    expect(reasonFor(lines, { host: 'example.com', port: { number: 8_443, protocol: 'udp' } })).toBe(
      'out: covered by no rule',
    )
    expect(reasonFor(lines, { host: 'example.com', port: tcp(8_443) })).toBe(undefined)
  })

  test('by programs that send to many ports: which are denied and allowed, by protocol, and none with an override', () => {
    const current = rulesOf('allow example.com', 'deny example.com:22', 'deny 192.0.2.1:53/udp', 'allow b.example:443')
    const sorted = (ports: PortNumbers) => ({
      tcp: ports.tcp.toSorted((a, b) => a - b),
      udp: ports.udp.toSorted((a, b) => a - b),
    })
    const portsOf = (host: string) => {
      const { isHost, denied, allowed } = permittedPorts(current, { host, addresses: ['192.0.2.1'] })
      return { isHost, denied: sorted(denied), allowed: sorted(allowed) }
    }
    expect(portsOf('example.com')).toEqual({
      isHost: true,
      denied: { tcp: [22], udp: [22, 53] },
      allowed: { tcp: [53, 443], udp: [443] },
    })
    expect(portsOf('b.example')).toEqual({
      isHost: false,
      denied: { tcp: [22, 53], udp: [22, 53] },
      allowed: { tcp: [443], udp: [443] },
    })
    const none = { tcp: [], udp: [] }
    expect(permittedPorts(current, { host: 'b.example' }, true)).toEqual({ isHost: true, denied: none, allowed: none })
    expect(() => permittedPorts({ ...current, stop: 'over' }, { host: 'example.com' })).toThrow('over')
  })
})
