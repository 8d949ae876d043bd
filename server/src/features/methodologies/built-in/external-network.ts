import { type BuiltIn, itemsOf } from './built-in.ts'

const HOSTS = ['ip', 'domain'] as const
const NETWORKS = ['cidr', 'ip'] as const

/** Our own checklist for an organization's internet-facing network. */
export const externalNetwork: BuiltIn = {
  slug: 'network1',
  name: 'External network',
  version: '1',
  description: "A short checklist for a test of an organization's internet-facing systems.",
  items: [
    ...itemsOf('EXT-MAP', 'Mapping', [
      [
        'Confirm the scope in writing',
        'Addresses, names, hosting providers that must agree, testing hours, emergency contacts.',
        [],
      ],
      [
        'Find names and networks that are not listed',
        'Certificate logs, DNS, routing registries. Ask before testing new ones.',
        [],
      ],
      ['Find live hosts', 'More than ICMP: TCP to common ports as well.', NETWORKS],
      ['Scan all TCP ports', 'All 65,535; note filtered ports and slow responses.', HOSTS],
      ['Scan the usual UDP ports', 'DNS, NTP, SNMP, IKE, TFTP, SIP, RADIUS.', HOSTS],
    ]),
    ...itemsOf('EXT-SVC', 'Services', [
      [
        'Identify every open service and its version',
        'Banner, behaviour, certificate. A port number proves nothing.',
        HOSTS,
      ],
      [
        'Compare versions with known vulnerabilities',
        'Verify before reporting: distributions backport fixes without a new version number.',
        HOSTS,
      ],
      [
        'Find exposed administration and remote access',
        'SSH, RDP, VNC, WinRM, databases, management pages, VPN portals.',
        HOSTS,
      ],
      ['Try default and leaked credentials', 'Within the agreed limits, and watch for lockouts.', HOSTS],
      ['Check TLS', 'Protocols, ciphers, certificate chain and expiry.', HOSTS],
      [
        'Look for services without authentication',
        'Caches, message queues, container and build systems, file shares.',
        HOSTS,
      ],
    ]),
    ...itemsOf('EXT-DNS', 'Names and mail', [
      ['Check the name servers', 'Zone transfer, open recursion, dangling records.', ['domain']],
      ['Look for subdomain takeover', 'Records that point to services that no longer exist.', ['domain']],
      ['Check protection against email spoofing', 'SPF, DKIM, DMARC, and how failing email is handled.', ['domain']],
    ]),
    ...itemsOf('EXT-END', 'Wrapping up', [
      ['Verify tool findings by hand', 'Include only findings that a tester has verified.', []],
      ['Clean up', 'Accounts, files, scheduled jobs; list what cannot be removed.', []],
    ]),
  ],
}
