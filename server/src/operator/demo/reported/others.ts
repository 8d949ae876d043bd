import { hosts, type Reported } from './reported.ts'

export const FABRIKAM: readonly Reported[] = [
  {
    entry: 'credentials-in-shares',
    from: 'Password of a service account in a script on a share',
    step: 'approved',
    daysAgo: 28,
    owner: 'Workplace IT',
  },
  {
    entry: 'adcs-vulnerable-templates',
    from: 'Template of certificates lets every user become a domain administrator',
    step: 'published',
    daysAgo: 22,
  },
  {
    entry: 'kerberoasting',
    from: 'Sign-ins with cracked hashes of service accounts',
    step: 'in_review',
    daysAgo: 16,
    owner: 'Directory team',
  },
  {
    entry: 'local-admin-password-reuse',
    assets: hosts(40, (index) => `client-${String(index + 1).padStart(4, '0')}.corp.fabrikam.example`),
    step: 'draft',
    daysAgo: 12,
  },
  {
    entry: 'ntlm-relay',
    assets: [['dc01.corp.fabrikam.example'], ['dc02.corp.fabrikam.example:636']],
    step: 'draft',
    daysAgo: 9,
  },
]

export const TAILSPIN: readonly Reported[] = [
  {
    entry: 'session-not-ended',
    from: 'Session stays valid after sign-out',
    step: 'published',
    daysAgo: 12,
    proof: '3: token after sign-out',
    client: { state: 'fixed', reason: 'Build 4.2.0.' },
    owner: 'Mobile team',
  },
  {
    entry: 'mobile-no-certificate-pinning',
    from: 'Certificates are not pinned in the new build',
    step: 'approved',
    daysAgo: 8,
    owner: 'Mobile team',
  },
  {
    entry: 'no-brute-force-protection',
    title: 'One-time codes can be guessed',
    from: 'One-time codes can be guessed',
    step: 'in_review',
    daysAgo: 7,
  },
  {
    entry: 'mobile-data-storage',
    from: 'Screenshots of balances stay in the overview of apps',
    step: 'draft',
    daysAgo: 6,
  },
]

/** Completed: everything was published. */
export const WINGTIP: readonly Reported[] = [
  {
    entry: 'xss-reflected',
    assets: [['https://shop.wingtip.example/search', 'fixed']],
    step: 'published',
    daysAgo: 92,
  },
  {
    entry: 'cross-site-request-forgery',
    assets: [['https://shop.wingtip.example/address', 'fixed']],
    step: 'published',
    daysAgo: 92,
  },
  {
    entry: 'unrestricted-file-upload',
    assets: [['https://shop.wingtip.example/reviews', 'partly_fixed']],
    step: 'published',
    daysAgo: 93,
    client: { state: 'accepted', reason: 'Reviews end in spring.' },
  },
  {
    entry: 'security-headers',
    assets: hosts(3, (index) => `https://${['shop', 'pay', 'www'][index]}.wingtip.example/`, 3),
    step: 'published',
    daysAgo: 94,
  },
  {
    entry: 'weak-password-policy',
    assets: [['https://shop.wingtip.example/register']],
    step: 'published',
    daysAgo: 94,
  },
]

export const LITWARE: readonly Reported[] = [
  {
    entry: 'snmp-default-community',
    assets: hosts(14, (index) => `10.80.4.${index + 10}:161`, 6),
    step: 'published',
    daysAgo: 60,
  },
  { entry: 'default-credentials', assets: [['10.80.4.20', 'fixed'], ['10.80.4.21']], step: 'published', daysAgo: 61 },
  {
    entry: 'unsupported-software',
    title: 'Engineering stations with Windows 7',
    assets: hosts(6, (index) => `10.80.6.${index + 1}`),
    step: 'published',
    daysAgo: 62,
  },
]

export const ADVENTURE_WORKS: readonly Reported[] = [
  {
    entry: 'tls-weak-ciphers',
    assets: hosts(9, (index) => `mail-${index + 1}.adventure-works.example:443`, 9),
    step: 'published',
    daysAgo: 330,
  },
  {
    entry: 'exposed-files',
    assets: [['https://www.adventure-works.example/.git/config', 'fixed']],
    step: 'published',
    daysAgo: 331,
  },
  { entry: 'open-database', assets: [['203.0.113.88:27017', 'fixed']], step: 'published', daysAgo: 332 },
]
