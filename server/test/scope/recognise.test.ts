import { asMeant } from '@sortie/contract/core/pasted-lines.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRefusal } from '../../src/features/scope/rules/host.ts'
import { recognisePattern } from '../../src/features/scope/rules/pattern.ts'
import { recognise, recogniseEntered } from '../../src/features/scope/rules/recognise.ts'
import { readLines } from '../../src/platform/lists/lines.ts'
import { RECOGNITION_CASES } from '../../src/published/recognition-cases.ts'
import { hereMs } from '../support/app/machine.ts'
import { runs } from '../support/app/nightly.ts'
import { threadMs } from '../support/inputs/processor-time.ts'

const seen = (text: string) => {
  const value = recogniseEntered(text)
  return isRefusal(value) ? value : { kind: value.kind, canonical: value.canonical }
}

const pattern = (text: string) => {
  const value = recognisePattern(text)
  return isRefusal(value) ? value : { kind: value.kind, canonical: value.canonical }
}

describe('a value', () => {
  test.each(RECOGNITION_CASES)('$value is recognised as in the table', ({ value, ...expected }) => {
    const found = seen(value)
    if ('refused' in expected) expect(found).toEqual({ refused: expect.stringContaining(expected.refused) })
    else expect(found).toEqual(expected)
  })

  test.each([
    ['a name of 254 characters', `${'a.'.repeat(126)}aa`, 'at most 253'],
    ['a label of 64', `${'a'.repeat(64)}.com`, 'at most 63'],
    ['direction characters', 'exa\u202emoc.com', 'direction'],
    ['an invisible character', 'exa\u200bmple.com', 'are invisible'],
    ['a NUL', 'example\u0000.com', 'are invisible'],
    ['4,097 characters', `https://example.com/${'a'.repeat(4_077)}`, 'at most 4096'],
    ['a URL that is longer once it is encoded', `https://example.com/${'ü'.repeat(1_000)}`, 'at most 4096'],
    ['nothing', '', 'no value'],
  ])('%s is rejected as a value', (_what, value, reason) => {
    expect(seen(value)).toEqual({ refused: expect.stringContaining(reason) })
  })

  test('253 characters with labels of 63 are a name', () => {
    const name = [63, 63, 63, 61].map((length) => 'a'.repeat(length)).join('.')
    expect(name.length).toBe(253)
    expect(seen(name)).toEqual({ kind: 'domain', canonical: name })
  })

  test('has a stable canonical form', () => {
    const values = RECOGNITION_CASES.flatMap((each) => ('refused' in each ? [] : [each]))
    for (const { kind, canonical } of values) expect(seen(canonical)).toEqual({ kind, canonical })
    const texts = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.domain(),
      fc.ipV6(),
      fc.ipV4(),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const found = recognise(text.trim())
        if (!isRefusal(found)) expect(recognise(found.canonical)).toEqual(found)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('I2: 4,096 characters of the worst are read within milliseconds', () => {
    const units = ['\u0301', '\uac00', '.', '-', '[', ':', '/', '%41', 'a.', '1.', '\u200d', 'ﷺ', '0x', '((', ' ', '-1']
    for (const unit of units) {
      const many = unit.repeat(4_000 / unit.length)
      for (const text of [many, `https://${many}`, `https://a/${many}`, `10.0.0.1-${many}`]) {
        const ms = threadMs(() => [recognise(text), recognisePattern(text)])
        // With its square it would be minutes.
        expect(ms, JSON.stringify(unit)).toBeLessThan(hereMs(500))
      }
    }
  })
})

describe('a pattern', () => {
  test.each([
    ['*.Example.COM.', 'wildcard', '*.example.com'],
    ['*.bücher.example', 'wildcard', '*.xn--bcher-kva.example'],
    ['Example.com', 'domain', 'example.com'],
    ['10.0.0.5', 'ip', '10.0.0.5'],
    ['10.0.0.5/8', 'cidr', '10.0.0.0/8'],
    ['10.0.0.1-50', 'range', '10.0.0.1-10.0.0.50'],
    ['10.0.0.1 - 10.0.1.50', 'range', '10.0.0.1-10.0.1.50'],
    ['10.0.0.0-10.0.0.255', 'range', '10.0.0.0-10.0.0.255'],
    ['10.0.0.5-10.0.0.5', 'ip', '10.0.0.5'],
    ['https://example.com/admin/*', 'url', 'https://example.com/admin'],
    ['https://example.com/admin/**', 'url', 'https://example.com/admin'],
    ['https://example.com/admin/...', 'url', 'https://example.com/admin'],
    ['https://example.com/*', 'url', 'https://example.com'],
    ['https://example.com/items(1)/', 'url', 'https://example.com/items(1)'],
    ['2001:db8::1-2001:db8::ff', 'range', '2001:db8::1-2001:db8::ff'],
    ['https://Example.com:443/admin/', 'url', 'https://example.com/admin'],
    ['http://example.com/', 'url', 'http://example.com'],
  ])('%s is a %s', (text, kind, canonical) => {
    expect(pattern(text)).toEqual({ kind, canonical })
    expect(pattern(canonical)).toEqual({ kind, canonical })
  })

  test.each([
    ['10.0.0.50-10', 'ends before it begins'],
    ['10.0.0.1-300', 'from one address to another'],
    ['10.0.0.1-2001:db8::1', 'from one address to another'],
    ['*', 'a wildcard is written *.example.com'],
    ['foo*.example.com', 'a wildcard is written *.example.com'],
    ['*.*.example.com', 'a wildcard is written *.example.com'],
    ['*.10.0.0.1', 'a wildcard comes before a name'],
    ['10.0.0.0/24:443', 'such as 10.0.0.0:443, or 10.0.0.0/24 for all ports'],
    ['[2001:db8::/32]:443', 'such as [2001:db8::]:443, or 2001:db8::/32 for all ports'],
    ['10.0.0.5/32:443', 'write 10.0.0.5:443'],
    ['10.0.0.1-10.0.0.50:443', 'such as 10.0.0.1:443, or 10.0.0.1-10.0.0.50 for all ports'],
    ['10.0.0.1-50:443', 'such as 10.0.0.1:443'],
    ['192.0.2.*:443', 'such as 192.0.2.0:443, or 192.0.2.0/24 for all ports'],
    ['10.0.0.50-10:443', 'names one host'],
    ['example.com:0', 'a port is a number from 1 to 65535'],
    ['example.com:65536', 'a port is a number from 1 to 65535'],
    ['*.example.com:065536', 'a port is a number from 1 to 65535'],
    ['example.com:80-90', 'write example.com:80, and a rule for each other port'],
    ['example.com:80,443', 'write example.com:80, and a rule for each other port'],
    ['example.com:*', 'a rule without a port covers every port: write example.com'],
    ['example.com:443/sctp', 'after the port comes nothing, /tcp or /udp'],
    ['example.com:8443/admin', 'a path needs a scheme, as in https://example.com:8443/'],
    ['foo*.example.com:443', 'a wildcard is written *.example.com'],
    ['*.*.example.com:443', 'a wildcard is written *.example.com'],
    ['*.10.0.0.1:443', 'a wildcard comes before a name'],
    ['127.1:443', 'four decimal numbers'],
    [':443', 'neither a name nor an address'],
    ['com.example.app:443', 'enter it with the kind service'],
    ['AS64500:443', 'an autonomous system number'],
    ['https://example.com/?q=1', 'has no query; write https://example.com/'],
    [`https://example.com/${'a'.repeat(1_000)}`, 'at most 1000'],
    ['com.example.app', 'an app ID'],
    ['AS64500', 'an autonomous system number'],
  ])('%s is rejected as a pattern', (text, reason) =>
    expect(pattern(text)).toEqual({ refused: expect.stringContaining(reason) }),
  )

  test.each([
    ['Example.COM.:0443', 'example.com:443', { number: 443, protocol: null }],
    ['example.com:443/TCP', 'example.com:443/tcp', { number: 443, protocol: 'tcp' }],
    ['10.0.0.1:53/udp', '10.0.0.1:53/udp', { number: 53, protocol: 'udp' }],
    ['[2001:DB8:0::1]:22', '[2001:db8::1]:22', { number: 22, protocol: null }],
    ['[::ffff:10.0.0.1]:22', '10.0.0.1:22', { number: 22, protocol: null }],
    ['*.Example.com:8443', '*.example.com:8443', { number: 8_443, protocol: null }],
    ['*.bücher.example:8443/udp', '*.xn--bcher-kva.example:8443/udp', { number: 8_443, protocol: 'udp' }],
    ['localhost:1', 'localhost:1', { number: 1, protocol: null }],
    ['example.com:65535', 'example.com:65535', { number: 65_535, protocol: null }],
  ])('%s is a rule for a port: %s', (text, canonical, port) => {
    expect(recognisePattern(text)).toMatchObject({ kind: 'service', canonical, subject: { port } })
    expect(recognisePattern(canonical)).toMatchObject({ kind: 'service', canonical })
  })

  test('an IPv6 address without brackets has no port', () =>
    expect(recognisePattern('2001:db8::1:443')).toMatchObject({ kind: 'ip', canonical: '2001:db8::1:443' }))

  test('the id of an app with a port is a name if the request says so', () =>
    expect(recognisePattern('com.example.app:443', 'service')).toMatchObject({ canonical: 'com.example.app:443' }))

  test('the id of an app is a name if the request says so', () => {
    expect(recognisePattern('com.example.app', 'domain')).toMatchObject({
      kind: 'domain',
      canonical: 'com.example.app',
    })
  })

  test.each([
    ...['*', '**', '?', '{a,b}', '(a|b)', '[0-9]', '...', '…', '^', '<id>', '.+', '%7Bid%7D', '%2a'].flatMap((sign) => [
      `https://example.com/x${sign}`,
      `https://example.com/x/${sign}/y`,
      `https://example.com/${sign}y`,
      `https://${sign}.example.com/`,
      `https://example.com:${sign}/`,
      `www${sign}.example.com`,
      `${sign}.com/x`,
      `*.${sign}example.com`,
      `*.example.com/${sign}`,
      `*.example.com:${sign}`,
      `10.0.0.${sign}`,
      `10.0.${sign}.1-10.0.0.5`,
      `10.0.0.0/${sign}`,
    ]),
    'https://example.com/users/:id',
    'https://example.com/a$',
    '10.0.0.x',
    '10.x.x.x',
    'https://example.com/a?',
    'https://example.com/#/admin',
  ])('%s has a wildcard that could never match, and is rejected', (text) => {
    expect(pattern(text)).toEqual({ refused: expect.any(String) })
  })
})

const meant = (text: string) => readLines(text).map(({ input }) => asMeant(input))

describe('a pasted line', () => {
  test.each([
    ['hxxps://evil[.]example/x', 'https://evil.example/x'],
    ['hxxp[://]evil[.]example[.]org', 'http://evil.example.org'],
    ['evil(.)example[dot]org,', 'evil.example.org'],
    ['  10.0.0.5 ;', '10.0.0.5'],
    ['- 10.0.0.5', '10.0.0.5'],
    ['* 10.0.0.5', '10.0.0.5'],
    ['*.example.com', '*.example.com'],
    ['"https://example.com/",', 'https://example.com/'],
    ['<https://example.com/>', 'https://example.com/'],
    ['example.com # the shop', 'example.com'],
    ['https://example.com/#top', 'https://example.com/#top'],
    ['\ufeff10.0.0.5', '10.0.0.5'],
  ])('%s is read as %s', (input, text) => expect(meant(input)).toEqual([text]))

  test('blank lines and comments are skipped, with any line ending', () => {
    expect(meant('# scope\r\n\r\n10.0.0.5\r  \n\t# more\nexample.com\n')).toEqual(['10.0.0.5', 'example.com'])
  })

  test('I10: the time for a line of a megabyte grows with its length, not with its square', () => {
    for (const unit of [' ', '#', ' #', '[', '[.', '-', '- ', ',', '"', '\t', 'hxxp', ' ,', '[:']) {
      const ms = threadMs(() => meant(`${unit.repeat(1_000_000 / unit.length)}\n${unit.repeat(8_000 / unit.length)}`))
      // With its square it would be minutes.
      expect(ms, JSON.stringify(unit)).toBeLessThan(hereMs(500))
    }
  })
})
