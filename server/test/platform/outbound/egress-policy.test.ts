import os from 'node:os'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createOutbound, type OutboundSettings } from '../../../src/platform/outbound/outbound.ts'
import { runs } from '../../support/app/nightly.ts'
import { ALWAYS_LIVE } from '../../support/clients/always-live.ts'
import {
  ALLOWED_IPV4,
  ALLOWED_IPV6,
  carriersOf,
  NO_HOSTS,
  REFUSED_IPV4,
  REFUSED_IPV6,
  spellingsOf,
} from '../../support/ways-out/egress-spellings.ts'

const SETTINGS: OutboundSettings = {
  PORT: 3001,
  METRICS_PORT: undefined,
  FRONTEND_URL: 'https://sortie.example.com',
  ALLOWED_HOSTS: undefined,
  DATABASE_URL: undefined,
  REDIS_URL: undefined,
  SMTP_URL: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  DNS_SERVERS: undefined,
  EGRESS_ALLOW: undefined,
  EGRESS_DENY: undefined,
}

const evaluateWith = (settings: Partial<OutboundSettings>) => {
  const outbound = createOutbound({ ...SETTINGS, ...settings }, ALWAYS_LIVE)
  return async (host: string, port?: number) => {
    const { allowed, rule } = await outbound.evaluate(host, port)
    return `${allowed ? 'allowed' : 'refused'}: ${rule}`
  }
}
const byDefault = evaluateWith({})
/** The hosts whose verdict does not start with `wanted`. */
const others = async (evaluate: ReturnType<typeof evaluateWith>, hosts: readonly string[], wanted: string) => {
  const verdicts = await Promise.all(hosts.map(async (host) => [host, await evaluate(host, 80)] as const))
  return verdicts.filter(([, verdict]) => !verdict.startsWith(wanted))
}

/** No address translator sends packets to 0.0.0.0/8: of several readings, another one counts. */
const CARRIED = REFUSED_IPV4.filter((ipv4) => !ipv4.startsWith('0.'))

describe('by default', () => {
  test('X1: private, special and metadata addresses are refused in every spelling, also as IPv4 within IPv6', async () => {
    const hosts = [...REFUSED_IPV4.flatMap(spellingsOf), ...CARRIED.flatMap(carriersOf), ...REFUSED_IPV6]
    expect(new Set(hosts).size).toBeGreaterThan(1_000)
    expect(await others(byDefault, hosts, 'refused: ')).toEqual([])
  })

  test('X1: public addresses are allowed in every spelling, also as IPv4 within IPv6', async () => {
    const hosts = [...ALLOWED_IPV4.flatMap(spellingsOf), ...carriersOf('8.8.8.8'), ...ALLOWED_IPV6]
    expect(await others(byDefault, hosts, 'allowed: public unicast')).toEqual([])
  })

  test('X1: a text that is neither an address nor a name is refused', async () => {
    expect(await others(byDefault, NO_HOSTS, 'refused: neither an address nor a host name')).toEqual([])
  })

  test('X1: a spelling of any IPv4 address has the verdict of that address, and a form of IPv6 never a milder one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.ipV4(), async (ipv4) => {
        const plain = await byDefault(ipv4, 80)
        expect(await others(byDefault, spellingsOf(ipv4), plain)).toEqual([])
        if (plain.startsWith('refused') && !ipv4.startsWith('0.'))
          expect(await others(byDefault, carriersOf(ipv4), 'refused: ')).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  test('X1: a spelling of any IPv6 address has the verdict of that address', async () => {
    await fc.assert(
      fc.asyncProperty(fc.ipV6(), async (ipv6) => {
        const plain = await byDefault(ipv6, 80)
        expect(
          await others(byDefault, [`[${ipv6}]`, ipv6.toUpperCase(), new URL(`http://[${ipv6}]`).hostname], plain),
        ).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  test.each([
    ['169.254.169.254', 'refused: a metadata address of clouds; only this single address in EGRESS_ALLOW opens it'],
    ['168.63.129.16', 'refused: a metadata address of clouds; only this single address in EGRESS_ALLOW opens it'],
    ['10.0.0.5', 'refused: not public (private) and not in EGRESS_ALLOW'],
    ['100.64.0.1', 'refused: not public (carrier-grade NAT) and not in EGRESS_ALLOW'],
    ['4000::1', 'refused: not public (unassigned) and not in EGRESS_ALLOW'],
    ['::ffff:10.0.0.5', 'refused: not public (private) and not in EGRESS_ALLOW'],
  ])('the verdict on %s names its rule', async (host, verdict) => {
    expect(await byDefault(host, 80)).toBe(verdict)
  })
})

describe('EGRESS_ALLOW and EGRESS_DENY', () => {
  test('X15: an entry opens only its range, address or port', async () => {
    const evaluate = evaluateWith({
      EGRESS_ALLOW: ['10.20.0.0/16', '192.168.1.5', '192.168.1.6:8443', 'fd12::/64', '[fd13::1]:443'],
    })
    const open = [
      '10.20.0.0',
      '10.20.255.255',
      '192.168.1.5',
      'fd12::ffff',
      '::ffff:10.20.1.1',
      '64:ff9b::10.20.1.1',
      '2002:a14:101::',
      '0x0a140101',
    ]
    const closed = [
      '10.19.255.255',
      '10.21.0.0',
      '192.168.1.4',
      '192.168.1.6',
      'fd12:0:0:1::',
      'fd13::1',
      '::ffff:10.21.0.0',
      '64:ff9b::10.21.0.0',
    ]
    expect(await others(evaluate, open, 'allowed: EGRESS_ALLOW ')).toEqual([])
    expect(await others(evaluate, closed, 'refused: ')).toEqual([])
    expect(await evaluate('192.168.1.6', 8443)).toBe('allowed: EGRESS_ALLOW 192.168.1.6:8443')
    expect(await evaluate('fd13::1', 443)).toBe('allowed: EGRESS_ALLOW [fd13::1]:443')
    expect(await evaluate('192.168.1.6')).toBe('refused: not public (private) and not in EGRESS_ALLOW')
  })

  test('an entry for all of IPv6 opens no IPv4 within it', async () => {
    const evaluate = evaluateWith({ EGRESS_ALLOW: ['::/0'] })
    expect(await others(evaluate, carriersOf('10.0.0.5'), 'refused: ')).toEqual([])
    expect(await evaluate('fd00::1', 80)).toBe('allowed: EGRESS_ALLOW ::/0')
  })

  test('EGRESS_DENY takes precedence over EGRESS_ALLOW, and covers IPv4 within IPv6 by either address', async () => {
    const evaluate = evaluateWith({
      EGRESS_ALLOW: ['10.0.0.0/8', '8.8.8.8:53'],
      EGRESS_DENY: ['10.1.0.0/16', '8.8.8.0/24', '1.1.1.1:25', '64:ff9b::/96'],
    })
    expect(await evaluate('10.1.2.3', 80)).toBe('refused: EGRESS_DENY 10.1.0.0/16')
    expect(
      await others(evaluate, [...spellingsOf('10.1.2.3'), ...carriersOf('10.1.2.3')], 'refused: EGRESS_DENY'),
    ).toEqual([])
    expect(await evaluate('8.8.8.8', 53)).toBe('refused: EGRESS_DENY 8.8.8.0/24')
    expect(await evaluate('1.1.1.1', 25)).toBe('refused: EGRESS_DENY 1.1.1.1:25')
    expect(await evaluate('1.1.1.1', 80)).toBe('allowed: public unicast')
    expect(await evaluate('64:ff9b::9.9.9.9', 80)).toBe('refused: EGRESS_DENY 64:ff9b::/96')
  })

  test('X15: metadata addresses are opened only by the entry of that single address', async () => {
    const everything = evaluateWith({ EGRESS_ALLOW: ['0.0.0.0/0', '::/0', '169.254.169.254/31'] })
    const metadata = [
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fe80::a9fe:a9fe',
    ]
    expect(await others(everything, [...metadata, ...carriersOf('169.254.169.254')], 'refused: ')).toEqual([])
    const single = evaluateWith({ EGRESS_ALLOW: ['169.254.169.254', 'fd00:ec2::254/128', '100.100.100.200:80'] })
    expect(
      await others(
        single,
        ['169.254.169.254', '::ffff:a9fe:a9fe', 'fd00:ec2::254', '100.100.100.200'],
        'allowed: EGRESS_ALLOW ',
      ),
    ).toEqual([])
    expect(await single('100.100.100.200', 443)).toMatch(/^refused: a metadata address/)
    expect(await single('168.63.129.16', 80)).toMatch(/^refused: a metadata address/)
  })
})

describe('T13: addresses of this machine', () => {
  /** Addresses on the interfaces of a rented machine. */
  const PUBLIC_ADDRESSES = ['185.199.108.153', '2606:50c0:8000::153']
  const PRIVATE_ADDRESS = '10.77.0.1'
  const real = os.networkInterfaces()
  const byDefault = evaluateWith({})

  beforeAll(() => {
    const eth7 = [...PUBLIC_ADDRESSES, PRIVATE_ADDRESS].map((address) => ({ address }) as os.NetworkInterfaceInfo)
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ ...real, eth7 })
  })
  afterAll(() => {
    vi.restoreAllMocks()
  })

  const OWN = 'refused: an address of this machine; only this single address in EGRESS_ALLOW opens it'
  const [ipv4 = '', ipv6 = ''] = PUBLIC_ADDRESSES

  test('are refused at every port, although they are public, in every spelling and without a port', async () => {
    for (const port of [22, 80, 9090, undefined]) expect(await byDefault(ipv4, port)).toBe(OWN)
    expect(await others(byDefault, [...spellingsOf(ipv4), ...carriersOf(ipv4), ipv6], OWN)).toEqual([])
    expect(await byDefault('185.199.108.154', 9090)).toBe('allowed: public unicast')
  })

  test('are opened by an entry of only the address, with or without a port, and by no range', async () => {
    const ranges = evaluateWith({ EGRESS_ALLOW: ['0.0.0.0/0', '::/0', '185.199.108.152/31', '10.0.0.0/8'] })
    for (const host of [...PUBLIC_ADDRESSES, PRIVATE_ADDRESS]) expect(await ranges(host, 9090)).toBe(OWN)
    expect(await ranges('10.77.0.2', 9090)).toBe('allowed: EGRESS_ALLOW 0.0.0.0/0')
    const single = evaluateWith({ EGRESS_ALLOW: [ipv4, `[${ipv6}]:443`, PRIVATE_ADDRESS] })
    expect(await single(ipv4, 9090)).toBe(`allowed: EGRESS_ALLOW ${ipv4}`)
    expect(await single(ipv6, 443)).toBe(`allowed: EGRESS_ALLOW [${ipv6}]:443`)
    expect(await single(ipv6, 9090)).toBe(OWN)
    expect(await single(PRIVATE_ADDRESS, 9090)).toBe(`allowed: EGRESS_ALLOW ${PRIVATE_ADDRESS}`)
  })

  test('leave ports of the instance closed, which need their address:port', async () => {
    expect(await evaluateWith({ EGRESS_ALLOW: [ipv4] })(ipv4, 3001)).toMatch(/^refused: a port of this server itself/)
    expect(await evaluateWith({ EGRESS_ALLOW: [`${ipv4}:3001`] })(ipv4, 3001)).toBe(
      `allowed: EGRESS_ALLOW ${ipv4}:3001`,
    )
  })
})

describe('ports of the instance itself', () => {
  const everything = ['0.0.0.0/0', '::/0']

  test('X12: HTTP, metrics, database, Redis and mail are refused at every address of this machine, whatever range is open', async () => {
    const evaluate = evaluateWith({
      METRICS_PORT: 9464,
      EGRESS_ALLOW: everything,
      DATABASE_URL: 'postgres://sortie:secret@127.0.0.1:5433/sortie',
      REDIS_URL: 'redis://[::1]',
      SMTP_URL: 'smtp://localhost',
    })
    const here = ['127.0.0.1', '127.1.2.3', '::1', '0.0.0.0', '::', '2130706433', '::ffff:127.0.0.1', 'localhost']
    for (const port of [3001, 9464, 5433, 6379, 25, 465, 587]) {
      for (const host of here)
        expect(await evaluate(host, port), `${host} ${port}`).toMatch(/^refused: a port of this server itself/)
      expect(await evaluate('10.0.0.5', port)).toBe('allowed: EGRESS_ALLOW 0.0.0.0/0')
    }
    expect(await evaluate('127.0.0.1', 8080)).toBe('allowed: EGRESS_ALLOW 0.0.0.0/0')
  })

  test('X12: a service elsewhere is refused at its own address and port, and nothing else there', async () => {
    const evaluate = evaluateWith({
      EGRESS_ALLOW: everything,
      DATABASE_URL: 'postgres://10.0.0.5/sortie',
      SMTP_URL: 'smtps://192.0.2.25:2465',
    })
    for (const host of [...spellingsOf('10.0.0.5'), '::ffff:10.0.0.5', '64:ff9b::10.0.0.5'])
      expect(await evaluate(host, 5432), host).toMatch(/^refused: a port of this server itself/)
    expect(await evaluate('192.0.2.25', 2465)).toMatch(/^refused: a port of this server itself/)
    expect(await evaluate('10.0.0.5', 80)).toBe('allowed: EGRESS_ALLOW 0.0.0.0/0')
    expect(await evaluate('10.0.0.6', 5432)).toBe('allowed: EGRESS_ALLOW 0.0.0.0/0')
    expect(await evaluate('127.0.0.1', 5432)).toBe('allowed: EGRESS_ALLOW 0.0.0.0/0')
  })

  test('X12: a database whose name does not resolve leaves its port refused everywhere', async () => {
    const evaluate = evaluateWith({ DATABASE_URL: 'postgres://nowhere.invalid/sortie' })
    expect(await evaluate('8.8.8.8', 5432)).toMatch(/^refused: a port of this server itself/)
    expect(await evaluate('8.8.8.8', 5433)).toBe('allowed: public unicast')
  })

  test('X12: the public address of the server is refused by its name', async () => {
    const evaluate = evaluateWith({ FRONTEND_URL: 'http://localhost:8000', EGRESS_ALLOW: everything })
    for (const host of ['localhost', 'LOCALHOST', 'ｌocalhost'])
      expect(await evaluate(host, 8000)).toMatch(/^refused: a port of this server itself/)
    expect(await evaluate('localhost', 8001)).toMatch(/^allowed: /)
    // Behind a proxy: at its port, at the usual ones, and bypassing it.
    const behind = evaluateWith({ FRONTEND_URL: 'https://localhost:8443', EGRESS_ALLOW: everything })
    for (const port of [8443, 443, 80, 3001])
      expect(await behind('localhost', port), String(port)).toMatch(/^refused: a port of this server itself/)
    // By its other names.
    const known = evaluateWith({
      FRONTEND_URL: 'http://sortie.invalid:8000',
      ALLOWED_HOSTS: ['localhost'],
      EGRESS_ALLOW: everything,
    })
    expect(await known('localhost', 8000)).toMatch(/^refused: a port of this server itself/)
    expect(await known('localhost', 8001)).toMatch(/^allowed: /)
  })

  test('X12: a proxy in front of the server is refused at every address of this machine, by any name', async () => {
    const evaluate = evaluateWith({ FRONTEND_URL: 'https://sortie.invalid:8443', EGRESS_ALLOW: everything })
    for (const host of [
      '127.0.0.1',
      '127.1.2.3',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::127.0.0.1',
      '2002:7f00:1::',
      'localhost',
    ])
      expect(await evaluate(host, 8443), host).toMatch(/^refused: a port of this server itself/)
    expect(await evaluate('10.0.0.5', 8443)).toBe('allowed: EGRESS_ALLOW 0.0.0.0/0')
    expect(await evaluate('127.0.0.1', 8444)).toBe('allowed: EGRESS_ALLOW 0.0.0.0/0')
  })

  test('X15: only exactly its address:port opens one of them', async () => {
    const evaluate = evaluateWith({ EGRESS_ALLOW: ['127.0.0.1', '127.0.0.1:3001'] })
    expect(await evaluate('127.0.0.1', 3001)).toBe('allowed: EGRESS_ALLOW 127.0.0.1:3001')
    expect(await evaluate('::1', 3001)).toMatch(/^refused: a port of this server itself/)
    expect(await evaluate('127.0.0.2', 3001)).toMatch(/^refused: a port of this server itself/)
    expect(await evaluateWith({ EGRESS_ALLOW: ['127.0.0.1'] })('127.0.0.1', 3001)).toMatch(
      /^refused: a port of this server itself/,
    )
  })
})
