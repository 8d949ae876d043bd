import type { RecognisedKind } from '../features/scope/rules/recognise.ts'

/**
 * A value, and how it is recognised: the table of docs/features/targets.md and of the reference, which is tested row by
 * row.
 */
export type RecognitionCase =
  | { value: string; kind: RecognisedKind; canonical: string }
  | { value: string; refused: string }

const cases = (kind: RecognisedKind, entries: Record<string, string>): RecognitionCase[] =>
  Object.entries(entries).map(([value, canonical]) => ({ value, kind, canonical }))

const refused = (entries: Record<string, string>): RecognitionCase[] =>
  Object.entries(entries).map(([value, reason]) => ({ value, refused: reason }))

/** Each refused value has a part of the reason next to it. */
export const RECOGNITION_CASES: readonly RecognitionCase[] = [
  ...cases('domain', {
    'Example.COM.': 'example.com',
    'bücher.example': 'xn--bcher-kva.example',
    'xn--bcher-kva.example': 'xn--bcher-kva.example',
    '例え。テスト': 'xn--r8jz45g.xn--zckzah',
    '_dmarc.example.com': '_dmarc.example.com',
    localhost: 'localhost',
    '3com.com': '3com.com',
    '10.0.0.5.example.com': '10.0.0.5.example.com',
  }),
  ...cases('ip', {
    '10.0.0.5': '10.0.0.5',
    '2001:DB8:0::1': '2001:db8::1',
    '[2001:db8::1]': '2001:db8::1',
    '2001:db8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
    '::ffff:10.0.0.5': '10.0.0.5',
    '10.0.0.5/32': '10.0.0.5',
    '2001:db8::1/128': '2001:db8::1',
  }),
  ...cases('cidr', {
    '10.0.0.5/8': '10.0.0.0/8',
    '2001:db8::1/32': '2001:db8::/32',
    '::ffff:10.0.0.5/104': '10.0.0.0/8',
    '0.0.0.0/0': '0.0.0.0/0',
  }),
  ...cases('url', {
    'HTTPS://Example.com:443/a/../b#x': 'https://example.com/b',
    'http://example.com': 'http://example.com/',
    'https://example.com.:8443/?q=1': 'https://example.com:8443/?q=1',
    'http://[::ffff:10.0.0.5]:80/': 'http://10.0.0.5/',
    'https://[2001:DB8::1]/x': 'https://[2001:db8::1]/x',
    'https://bücher.example/ü': 'https://xn--bcher-kva.example/%C3%BC',
  }),
  ...cases('service', {
    'example.com:8443': 'example.com:8443/tcp',
    'Example.com.:0443/TCP': 'example.com:443/tcp',
    '10.0.0.5:53/udp': '10.0.0.5:53/udp',
    '[2001:db8::1]:22': '[2001:db8::1]:22/tcp',
  }),
  ...refused({
    '0177.0.0.1': 'four decimal numbers',
    '127.1': 'four decimal numbers',
    '2130706433': 'four decimal numbers',
    '0x7f.1': 'four decimal numbers',
    '1.2.3': 'four decimal numbers',
    '1.2.3.4.': 'four decimal numbers',
    '１２７.0.0.1': 'four decimal numbers',
    '256.1.1.1': 'does not end in a number',
    'http://2130706433/': 'four decimal numbers',
    'example..com': 'between two dots is empty',
    '-h.example.com': 'begins or ends with a hyphen',
    '*.example.com': 'a wildcard is a scope rule',
    'https://*.example.com/': 'a wildcard is a scope rule',
    'a_b .com': 'one value per line',
    '10.0.0.0 255.0.0.0': 'write a network with the length of its prefix: 10.0.0.0/8',
    '10.0.0.0/255.0.0.0': 'write a network with the length of its prefix: 10.0.0.0/8',
    '10.0.0.0/33': 'at most 32',
    '10.0.0.1-50': 'a range of addresses is a scope rule',
    'fe80::1%eth0': 'an address of one link',
    'example.com:65536': 'a port is a number from 1 to 65535',
    'example.com/login': 'write https://example.com/login',
    'ftp://example.com/': 'only http and https',
    'https://ada:secret@example.com/': 'credentials',
    'https://example.com\\@example.org/': 'no backslashes',
    'https://exa%6Dple.com/': 'neither a name nor an address',
    'com.example.app': 'looks like an app ID',
    AS64500: 'an autonomous system number',
  }),
]

/** Renders a Markdown table. */
export const renderCases = (): string =>
  `| value | kind | canonical |\n|---|---|---|\n${RECOGNITION_CASES.map(renderCase).join('\n')}\n`

const renderCase = (each: RecognitionCase): string =>
  'refused' in each
    ? `| \`${each.value}\` | refused | ${each.refused} |`
    : `| \`${each.value}\` | ${each.kind} | \`${each.canonical}\` |`
