import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../../src/platform/config.ts'
import { ConfigurationError } from '../../../src/platform/errors.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { sortie } from '../../support/app/operator.ts'
import { SESSION_SECRET } from '../../support/app/server-process.ts'
import { DnsServer } from '../../support/network/dns-server.ts'

const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-egress-'))
let dns: DnsServer

beforeAll(async () => {
  dns = await DnsServer.start()
})
afterAll(async () => {
  await dns.stop()
  rmSync(directory, { recursive: true })
})

const egress = (target: string, env: Record<string, string> = {}) =>
  sortie(['egress', target], directory, { DNS_SERVERS: dns.address, ...env })

/** Each case starts a process: a commit runs one of every kind, because in-process tests cover the verdicts. */
const some = <T>(cases: readonly T[]): readonly T[] => (isNightly ? cases : cases.slice(0, 1))

const WITHOUT_PORT = '  without a port: entries with one, and ports of this server itself, are left out\n'

const ALLOWED: [string, Record<string, string>, string][] = [
  ['10.0.0.5:443', { EGRESS_ALLOW: '10.0.0.0/8, fd12::/16' }, 'allowed: EGRESS_ALLOW 10.0.0.0/8\n'],
  ['8.8.8.8:443', {}, 'allowed: public unicast\n'],
  ['[2606:4700::1111]:443', {}, 'allowed: public unicast\n'],
  ['2606:4700::1111', {}, `allowed: public unicast\n${WITHOUT_PORT}`],
]
test.each(some(ALLOWED))(
  'sortie egress %s with %o: allowed by its rule, with exit code 0',
  async (target, env, out) => {
    expect(await egress(target, env)).toEqual({ code: 0, out, err: '' })
  },
)

const METADATA = 'a metadata address of clouds; only this single address in EGRESS_ALLOW opens it'
const OWN = 'a port of this server itself; only its address:port in EGRESS_ALLOW opens it'

const REFUSED: [string, Record<string, string>, string][] = [
  ['10.0.0.5', {}, `refused: not public (private) and not in EGRESS_ALLOW\n${WITHOUT_PORT}`],
  ['10.0.0.5:443', { EGRESS_ALLOW: '10.0.0.0/8', EGRESS_DENY: '10.0.0.5:443' }, 'refused: EGRESS_DENY 10.0.0.5:443\n'],
  ['169.254.169.254:80', { EGRESS_ALLOW: '169.254.0.0/16' }, `refused: ${METADATA}\n`],
  ['0x7f.1:4000', { PORT: '4000', EGRESS_ALLOW: '127.0.0.0/8' }, `refused: ${OWN}\n  127.0.0.1: refused, ${OWN}\n`],
  ['nowhere.example.com:80', {}, 'refused: the name does not resolve to an address\n'],
  ['fe80::1%eth0', {}, `refused: neither an address nor a host name\n${WITHOUT_PORT}`],
]
test.each(some(REFUSED))(
  'sortie egress %s with %o: refused by its rule, with exit code 1',
  async (target, env, out) => {
    expect(await egress(target, env)).toEqual({ code: 1, out, err: '' })
  },
)

test('sortie egress of a name shows the verdict on each of its addresses', async () => {
  dns.addresses.set('intranet.example.com', (type) => (type === 'A' ? ['8.8.8.8', '10.1.2.3'] : []))
  expect((await egress('intranet.example.com:443')).out).toBe(
    [
      'refused: not public (private) and not in EGRESS_ALLOW',
      '  8.8.8.8: allowed, public unicast',
      '  10.1.2.3: refused, not public (private) and not in EGRESS_ALLOW',
      '',
    ].join('\n'),
  )
})

test.each(some(['8.8.8.8:0', '8.8.8.8:65536', 'example.com:http', '[::1]:']))(
  'sortie egress %s: a wrong port is a wrong command line',
  async (target) => {
    expect(await egress(target)).toMatchObject({
      code: 64,
      out: '',
      err: expect.stringContaining('sortie: a port is a number from 1 to 65535\n'),
    })
  },
)

const SHAPE =
  'must be a list of ranges, addresses, and addresses with a port, such as 10.20.0.0/16,192.0.2.10:8443,[2001:db8::1]:443, separated by commas; "%" is not one of them'

const WRONG: [string, string, string][] = [
  ['EGRESS_ALLOW', '10.0.0.0/8,intranet.example.com', SHAPE.replace('%', 'intranet.example.com')],
  ['EGRESS_ALLOW', '10.0.0.0/8,', SHAPE.replace('%', '')],
  ['EGRESS_ALLOW', '0177.0.0.1', SHAPE.replace('%', '0177.0.0.1')],
  ['EGRESS_ALLOW', 'fe80::1%eth0', SHAPE.replace('%', 'fe80::1%eth0')],
  ['EGRESS_DENY', '10.0.0.0/33', SHAPE.replace('%', '10.0.0.0/33')],
  ['EGRESS_DENY', '10.0.0.0/8:25', SHAPE.replace('%', '10.0.0.0/8:25')],
  ['EGRESS_DENY', '10.0.0.1:65536', SHAPE.replace('%', '10.0.0.1:65536')],
  [
    'EGRESS_DENY',
    '10.0.0.1/8',
    '10.0.0.1/8 names an address within a range; write the first address of the range, or only the address',
  ],
  [
    'EGRESS_ALLOW',
    '64:ff9b::/96',
    '64:ff9b::/96 is IPv4 within IPv6 (NAT64), which is judged as the IPv4 that it carries; write the IPv4 address or range',
  ],
  [
    'EGRESS_DENY',
    '::ffff:10.0.0.1',
    '::ffff:10.0.0.1 is IPv4 within IPv6 (IPv4-mapped), which is judged as the IPv4 that it carries; write the IPv4 address or range',
  ],
]
test.each(WRONG)('%s=%s: one line states what is wrong', (name, value, line) => {
  try {
    parseConfig({ SESSION_SECRET, [name]: value })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    expect((error as ConfigurationError).lines).toEqual([`${name}: ${line}`])
  }
})

test.each(some(WRONG))('%s=%s: that line is printed, and exit code 78', async (name, value, line) => {
  expect(await egress('8.8.8.8', { [name]: value })).toEqual({ code: 78, out: '', err: `sortie: ${name}: ${line}\n` })
})
