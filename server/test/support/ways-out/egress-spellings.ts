/** Spellings of addresses, for tests of the egress policy. */

type Octets = readonly [number, number, number, number]

const octetsOf = (ipv4: string): Octets => ipv4.split('.').map(Number) as unknown as Octets
const hex = (value: number, digits = 1) => value.toString(16).padStart(digits, '0')
const translated = (text: string, digits: string) =>
  text.replace(/\d/g, (digit) => [...digits][Number(digit)] as string)

/** The spellings of an IPv4 address that some parser accepts. */
export const spellingsOf = (ipv4: string): string[] => {
  const [a, b, c, d] = octetsOf(ipv4)
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const octal = [a, b, c, d].map((octet) => `0${octet.toString(8)}`)
  return [
    ipv4,
    `${ipv4}.`,
    octal.join('.'),
    octal.map((octet) => octet.padStart(6, '0')).join('.'),
    [a, b, c, d].map((octet) => `0x${hex(octet)}`).join('.'),
    [a, b, c, d].map((octet) => `0X${hex(octet, 8).toUpperCase()}`).join('.'),
    `${octal[0]}.${b}.0x${hex(c)}.${d}`,
    String(number),
    `${number}.`,
    `0x${hex(number)}`,
    `0${number.toString(8)}`,
    `${a}.${number % 2 ** 24}`,
    `${a}.0x${hex(number % 2 ** 24)}`,
    `${a}.${b}.${number % 2 ** 16}`,
    translated(ipv4, '０１２３４５６７８９'),
    translated(ipv4, '⓪①②③④⑤⑥⑦⑧⑨'),
    translated(ipv4, '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'),
    ipv4.replaceAll('.', '。'),
    ipv4.replaceAll('.', '．'),
    ipv4.replace('.', '\u00ad.'),
    `\u200b${ipv4}`,
  ]
}

/** IPv6 addresses that embed an IPv4 address, each in at least two spellings. */
export const carriersOf = (ipv4: string): string[] => {
  const [a, b, c, d] = octetsOf(ipv4)
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)]
  const [invertedHigh, invertedLow] = [hex((a * 256 + b) ^ 0xffff), hex((c * 256 + d) ^ 0xffff)]
  return [
    `::ffff:${ipv4}`,
    `::ffff:${high}:${low}`,
    `[::FFFF:${high}:${low}]`,
    `0:0:0:0:0:ffff:${ipv4}`,
    `0000:0000:0000:0000:0000:ffff:${high.padStart(4, '0')}:${low.padStart(4, '0')}`,
    `::${ipv4}`,
    `::${high}:${low}`,
    `[0:0:0:0:0:0:${ipv4}]`,
    `::ffff:0:${ipv4}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${ipv4}`,
    `[64:FF9B::${high}:${low}]`,
    `64:ff9b:1::${ipv4}`,
    `[64:FF9B:1:0:0:0:${high}:${low}]`,
    `64:ff9b:1:${high}:${hex(c)}:${hex(d, 2)}00::`,
    `64:ff9b:1:${hex(a)}:${hex(b)}:${low}::`,
    `64:ff9b:1::${hex(a)}:${hex(b * 256 + c)}:${hex(d)}00:0`,
    `2002:${high}:${low}::`,
    `[2002:${high}:${low}:1::808:808]`,
    `2001:0:${high}:${low}:0:ffff:f7f7:f7f7`,
    `2001:0:808:808:8000:ffff:${invertedHigh}:${invertedLow}`,
  ]
}

/** IPv4 addresses of every kind that is refused by default, with the limits of ranges. */
export const REFUSED_IPV4 = [
  '0.0.0.0',
  '0.0.0.1',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
]

export const ALLOWED_IPV4 = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '223.255.255.254',
]

/** IPv6 addresses of every kind that is refused by default. */
export const REFUSED_IPV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '::2',
  '::ffff:0:0',
  '64:ff9b::',
  '64:ff9b:1::',
  '64:ff9b:1:ffff::808:808',
  '2002::808:808',
  '2001:0:0:0:0:ffff:f7f7:f7f7',
  '0100::1',
  '200::1',
  '1fff::1',
  '2001:2::1',
  '2001:3::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2001:DB8:0:0::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'a000::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'FD00:EC2:0:0::254',
  'fd20:ce::254',
  'fe00::1',
  'fe80::1',
  'FE80:0::a9fe:a9fe',
  'febf:ffff::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
]

export const ALLOWED_IPV6 = [
  '2606:4700:4700::1111',
  '[2606:4700:4700:0:0:0:0:1111]',
  '2A00:1450:4001:800::200E',
  '2001:4860:4860::8888',
  '2003::1',
]

/** Neither an address nor a name: refused without a query. */
export const NO_HOSTS = [
  '',
  '.',
  '..',
  ' ',
  '256.0.0.1',
  '1.2.3.4.5',
  '1.2.3.256',
  '1..2',
  '4294967296',
  '0x100000000',
  '127.0.0.0x100',
  'example.0x7f',
  'example.1',
  '1.2.3.08',
  'fe80::1%eth0',
  'fe80::1%251',
  '[fe80::1%25eth0]',
  '::1%0',
  '[127.0.0.1]',
  '[::1',
  '::1]',
  '[[::1]]',
  ':::1',
  '1::2::3',
  '12345::1',
  '::ffff:127.0.0.1.',
  '::ffff:0177.0.0.1',
  '127.0.0.1:80',
  '127.0.0.1/8',
  '127.0.0.1#x',
  '127.0.0.1?x',
  '127.0.0.1\\x',
  'user@127.0.0.1',
  '%31%32%37.0.0.1',
  '127.0.0.1\0',
  '127.0.\n0.1',
  ' 127.0.0.1',
  '127.0.0.1\t',
  'http://127.0.0.1',
  '//127.0.0.1',
  '*.example.com',
  'exa mple.com',
  'a..example.com',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(127)}example.com`,
  'unix:/var/run/docker.sock',
  '/var/run/docker.sock',
]
