/** Names and networks that no one can own (RFC 2606, RFC 5737): nothing in here leads to a real system. */
export const SCOPE = {
  allow: '*.contoso.example\n192.0.2.0/24',
  deny: 'shop.contoso.example',
  caution: '192.0.2.64/28',
} as const

export const TARGETS =
  'https://portal.contoso.example\nvpn.contoso.example\nmail.contoso.example\n192.0.2.10\n192.0.2.25'

export const DESCRIPTION = `**Demonstration data.** The client, its systems and every result are invented; the names and addresses are reserved for examples. The engagement is completed, so nothing is ever sent.

## Scope

Everything below \`contoso.example\` and \`192.0.2.0/24\`, except the shop.

- [x] contract signed
- [x] test accounts received
- [ ] kick-off call`

interface Host {
  address: string
  name: string
  ports: readonly [port: number, service: string, product: string, version: string][]
}

const HOSTS: readonly Host[] = [
  {
    address: '192.0.2.10',
    name: 'portal.contoso.example',
    ports: [
      [80, 'http', 'nginx', '1.18.0'],
      [443, 'https', 'nginx', '1.18.0'],
    ],
  },
  {
    address: '192.0.2.25',
    name: 'mail.contoso.example',
    ports: [
      [25, 'smtp', 'Postfix smtpd', ''],
      [993, 'imaps', 'Dovecot imapd', ''],
    ],
  },
  {
    address: '192.0.2.70',
    name: 'vpn.contoso.example',
    ports: [
      [22, 'ssh', 'OpenSSH', '8.2p1'],
      [443, 'https', 'Apache httpd', '2.4.41'],
    ],
  },
]

/** The file of a port scan, as nmap writes it, without times: what it shows counts as seen now. */
export const NMAP_FILE = `<?xml version="1.0"?>
<nmaprun scanner="nmap" args="nmap -sV 192.0.2.0/24" version="7.95">
${HOSTS.map(
  ({
    address,
    name,
    ports,
  }) => `<host><status state="up"/><address addr="${address}" addrtype="ipv4"/><hostnames><hostname name="${name}" type="user"/></hostnames><ports>
${ports
  .map(
    ([port, service, product, version]) =>
      `<port protocol="tcp" portid="${port}"><state state="open"/><service name="${service}" product="${product}"${version && ` version="${version}"`}/></port>`,
  )
  .join('\n')}
</ports></host>`,
).join('\n')}
</nmaprun>
`

export const VULNERABILITIES = [
  {
    title: 'Orders of other customers can be read',
    asset: 'https://portal.contoso.example/api/orders',
    severity: 'high',
    data: {
      description:
        'The API returns any order by its number, without a check of the customer.\n\n`GET /api/orders/1017` shows the address of someone else.',
    },
  },
  {
    title: 'Session cookie without the Secure attribute',
    asset: 'https://portal.contoso.example',
    severity: 'low',
    data: { description: 'The cookie `session` is also sent over plain HTTP.' },
  },
  {
    title: 'Outdated OpenSSH',
    asset: 'vpn.contoso.example:22',
    severity: 'medium',
    data: { description: 'OpenSSH 8.2p1 no longer gets fixes.' },
  },
] as const

export const TASKS = [
  { title: 'Ask Contoso for a second test account', priority: 'high' },
  { title: 'Look at the password reset of the portal', priority: 'medium' },
  { title: 'Write the executive summary', priority: 'low' },
] as const

export const FINDINGS = [
  {
    title: 'Customers can read the orders of other customers',
    severity: 'high',
    summary: 'Anyone with an account can read every order, with name, address and goods.',
    description: 'The portal identifies an order by a number and does not check whose it is.',
    reproduction:
      '1. Sign in as any customer.\n2. Open `/api/orders/1017`.\n3. The answer is the order of another customer.',
    recommendation: 'Check on the server, for each order, that it belongs to the signed-in customer.',
  },
  {
    title: 'The portal sets its session cookie without Secure',
    severity: 'low',
    summary: 'Anyone listening on the same network can take over a session.',
  },
] as const
