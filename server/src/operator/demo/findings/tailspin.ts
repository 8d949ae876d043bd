import type { Finding } from './finding.ts'

export const TAILSPIN: readonly Finding[] = [
  {
    title: 'Session stays valid after sign-out',
    asset: 'https://api.tailspin.example/v2/resource-1',
    vector: 'AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:N',
    cwe: 'CWE-613',
    description: `Finding 3 of March, **not fixed**. The app deletes its token at sign-out, but the server accepts it for another hour. A token from a lost phone or a shared backup can be used in that time.

## Steps

1. Sign in, copy the token, sign out.
2. \`GET /v2/accounts\` with the token: \`200 OK\`. After 60 minutes: \`401\`.`,
    solution:
      'End the session on the server at sign-out and at a change of the password. Reduce the lifetime of access tokens to five minutes.',
    daysAgo: 12,
    status: 'confirmed',
    tags: ['retest'],
  },
  {
    title: 'Limit of a transfer is checked in the app only',
    asset: 'https://api.tailspin.example/v2/resource-7',
    vector: 'AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N',
    cwe: 'CWE-602',
    description: `Finding 5 of March, **partly fixed**. The server now refuses amounts above the daily limit, but adds up only transfers that have been booked. Ten transfers at the same time pass together.

With test accounts we moved 25,000 of play money on a limit of 5,000.`,
    solution: 'Reserve the amount in the same transaction that checks the limit, with a lock on the account.',
    daysAgo: 11,
    status: 'confirmed',
    tags: ['retest'],
  },
  {
    title: 'Screenshots of balances stay in the overview of apps',
    asset: 'https://bank.tailspin.example/mobile',
    vector: 'AV:P/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    cwe: 'CWE-200',
    description:
      'Finding 9 of March, fixed on iOS. On Android the overview of apps shows the last page, with balances, and the picture is stored on the device.',
    solution: 'Set `FLAG_SECURE` for activities with personal data.',
    daysAgo: 10,
    status: 'fixed',
    tags: ['retest', 'mobile'],
  },
  {
    title: 'Certificates are not pinned in the new build',
    asset: 'https://bank.tailspin.example/mobile',
    vector: 'AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:L/A:N',
    cwe: 'CWE-295',
    description: `Build 4.2.0 trusts every certificate authority of the device; build 4.1.7 pinned the key. With a root certificate installed by the user, all traffic of the app can be read and changed.

The module for pinning is in the build, but its list of hosts has the old name of the API.`,
    solution:
      'Add `api.tailspin.example` to the list, and let a test of the release compare the list with the configured hosts.',
    daysAgo: 8,
    tags: ['mobile', 'new'],
  },
  {
    title: 'One-time codes can be guessed',
    asset: 'https://api.tailspin.example/v2/resource-12',
    vector: 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
    cwe: 'CWE-307',
    description: `\`POST /v2/confirm\` accepts any number of codes for one transfer. Codes have six digits and are valid for ten minutes; at 400 requests per second a code is found in about half of the cases.

We used an own account, agreed on the time with operations, and stopped after the first success.`,
    solution: 'Allow five attempts for a transfer, then cancel it. Limit attempts of an account per day.',
    daysAgo: 4,
    status: 'confirmed',
    tags: ['new'],
  },
  {
    title: 'Names of customers in the logs of a crash reporter',
    asset: 'https://bank.tailspin.example/mobile',
    vector: 'AV:N/AC:H/PR:H/UI:N/S:U/C:L/I:N/A:N',
    cwe: 'CWE-532',
    description:
      'Reports of crashes go to a service outside of the EU and contain the name of the customer and the last five screens. Finding 11 of March, **fixed**: reports of the new build contain a random id only.',
    solution: 'Nothing more to do. Delete the older reports at the service.',
    daysAgo: 3,
    status: 'fixed',
    tags: ['retest', 'personal data'],
  },
]
