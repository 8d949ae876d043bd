import type { Finding } from './finding.ts'

export const FABRIKAM: readonly Finding[] = [
  {
    title: 'Password of a service account in a script on a share',
    asset: 'intranet.corp.fabrikam.example',
    vector: 'AV:A/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H',
    cwe: 'CWE-798',
    description: `\`\\\\\\\\intranet\\\\public\\\\it\\\\map-drives.ps1\` contains name and password of \`svc-deploy\` in plain text. Every account of the domain can read the share.

## Impact

\`svc-deploy\` is a local administrator on all 1,140 clients. From a standard laptop we had administrative rights on every client after 25 minutes, without exploiting a vulnerability.

## Timeline

| Time | Step |
|---|---|
| 21:04 | Laptop connected, search for readable shares |
| 21:19 | Script found |
| 21:29 | Signed in to \`CL-0417\`, our own client, as \`svc-deploy\` |

The blue team noticed neither the search nor the sign-in.`,
    solution:
      'Change the password today, and look for sign-ins of the account in the last 90 days. Replace the script by group policy preferences without passwords. Use LAPS for local administrators, and deny interactive sign-in to service accounts.',
    daysAgo: 34,
    status: 'confirmed',
    tags: ['foothold', 'domain'],
  },
  {
    title: 'Template of certificates lets every user become a domain administrator',
    asset: 'dc01.corp.fabrikam.example',
    vector: 'AV:A/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H',
    cwe: 'CWE-269',
    description: `The template \`WebServer-Internal\` may be enrolled by *Domain Users*, allows the requester to state the subject, and is valid for client authentication (ESC1).

## Impact

Any user requests a certificate for an administrator and signs in with it. The certificate stays valid for two years, also after a change of the password. We requested one for the test account \`rt-admin\`, which was made for this, signed in once, and had it revoked.`,
    solution:
      'Remove "Supply in the request" or client authentication from the template, and *Domain Users* from its enrolment. Require approval by a manager for templates with a stated subject. Check the 31 certificates that were issued from it.',
    references: ['https://posts.specterops.io/certified-pre-owned-d95910965cd2'],
    daysAgo: 27,
    status: 'confirmed',
    tags: ['domain'],
  },
  {
    title: 'Backups of the file server can be restored by every employee',
    asset: '10.40.0.31:445',
    vector: 'AV:A/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
    cwe: 'CWE-732',
    description: `The share \`backup$\` is hidden but readable by *Authenticated Users*. It contains nightly images of the file server, with the folders of the personnel department and the works council.

We opened one image, listed its folders, and read no file.`,
    solution:
      'Allow only the account of the backup to read the share. Encrypt backups with a key that is not on the same server.',
    daysAgo: 20,
    tags: ['personal data'],
  },
  {
    title: 'Sign-ins with cracked hashes of service accounts',
    asset: 'dc02.corp.fabrikam.example',
    vector: 'AV:A/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:N',
    cwe: 'CWE-521',
    description: `Nine service accounts have a service principal name and a password that we found within four hours on one graphics card; three contain the name of the product and a year.

\`svc-erp\` reads the database of the ERP system. The tickets for it can be requested by any user and are encrypted with RC4.`,
    solution:
      'Use group managed service accounts. Where that is not possible, set passwords of 25 random characters, and allow only AES.',
    daysAgo: 20,
    tags: ['domain'],
  },
  {
    title: 'Plant network is reachable from the office by a dual-homed server',
    asset: '10.40.250.10',
    vector: 'AV:A/AC:H/PR:H/UI:N/S:C/C:L/I:H/A:H',
    cwe: 'CWE-923',
    description: `The historian has an interface in the office and one in the plant, and forwards packets. We showed the route with one packet to an address that is not in use, and stopped: the plant is out of scope.`,
    solution: 'Turn forwarding off, and place the historian in a network between both, with a firewall on each side.',
    daysAgo: 13,
    status: 'confirmed',
    tags: ['plant'],
  },
  {
    title: 'No alert for the theft of all password hashes',
    asset: 'dc01.corp.fabrikam.example',
    vector: 'AV:A/AC:L/PR:H/UI:N/S:U/C:L/I:N/A:N',
    cwe: 'CWE-778',
    description: `We requested the replication of one test account from the domain controller (DCSync), which attackers use to copy all hashes. The event was logged, and no one looked at it. The rule of the SIEM has been switched off since March, because of a false alarm by the backup.`,
    solution:
      'Exclude the account of the backup from the rule instead of switching it off. Test the ten most important rules every quarter.',
    daysAgo: 6,
    tags: ['detection'],
  },
]
