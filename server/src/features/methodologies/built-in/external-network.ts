import { type BuiltIn, itemsOf } from './built-in.ts'

const HOSTS = ['ip', 'domain'] as const
const NETWORKS = ['cidr', 'ip'] as const

/** Our own checklist for an organization's internet-facing network. */
export const externalNetwork: BuiltIn = {
  slug: 'network1',
  name: 'External network',
  version: '1',
  description: 'A short checklist for a test of what an organization shows to the internet.',
  items: [
    ...itemsOf('EXT-MAP', 'Mapping', [
      ['Confirm the scope in writing', 'Addresses, names, hosting providers that must agree, testing hours, whom to call.', []],
      ['Find names and networks that nobody listed', 'Certificate logs, DNS, routing registries. Ask before touching what is new.', []],
      ['Find live hosts', 'More than ICMP: TCP to common ports as well.', NETWORKS],
      ['Scan all TCP ports', 'All 65,535; note what filters and what answers late.', HOSTS],
      ['Scan the usual UDP ports', 'DNS, NTP, SNMP, IKE, TFTP, SIP, RADIUS.', HOSTS],
    ]),
    ...itemsOf('EXT-SVC', 'Services', [
      ['Identify every open service and its version', 'Banner, behaviour, certificate. A port number proves nothing.', HOSTS],
      ['Compare versions with known vulnerabilities', 'Verify before reporting: distributions repair without a new version number.', HOSTS],
      ['Find administration and remote access that is open', 'SSH, RDP, VNC, WinRM, databases, management pages, VPN portals.', HOSTS],
      ['Try default and leaked credentials', 'Within the agreed limits, and watching for lock-outs.', HOSTS],
      ['Check TLS', 'Protocols, ciphers, certificate chain and expiry.', HOSTS],
      ['Look for services without authentication', 'Caches, message queues, container and build systems, file shares.', HOSTS],
    ]),
    ...itemsOf('EXT-DNS', 'Names and mail', [
      ['Check the name servers', 'Zone transfer, recursion for strangers, dangling records.', ['domain']],
      ['Look for names that can be taken over', 'Records that point to services that nobody holds any more.', ['domain']],
      ['Check protection against forged mail', 'SPF, DKIM, DMARC, and what happens to mail that fails.', ['domain']],
    ]),
    ...itemsOf('EXT-END', 'Wrapping up', [
      ['Verify by hand what tools report', 'No finding goes into the report unseen.', []],
      ['Remove what was left behind', 'Accounts, files, scheduled jobs; list what cannot be removed.', []],
    ]),
  ],
}
