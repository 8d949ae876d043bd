import type { TaskPriority, TaskStatus } from '@sortie/contract/tasks/tasks.ts'
import type { DemoResponse } from './demo-runs.ts'

interface Work {
  /** The first task links to the first page. A page below another names its place in this list. */
  pages: readonly (readonly [title: string, body: string, below?: number])[]
  /** Due: days from now, negative for the past. */
  tasks: readonly (readonly [
    title: string,
    status: TaskStatus,
    priority: TaskPriority,
    due: number | null,
    comment?: string,
  ])[]
  /** Saved requests in a folder of this name, with what was answered to each of their runs. */
  requests: readonly [
    folder: string,
    requests: readonly (readonly [name: string, method: string, url: string, answers?: readonly DemoResponse[]])[],
  ]
  /** The tag of the targets on which the checklist of networks is expanded. */
  checked: string
}

const OK = { status: 200, statusText: 'OK' }
const UNAUTHORIZED: DemoResponse = { status: 401, statusText: 'Unauthorized', body: { error: 'token expired' } }

/** Texts of the team in the engagements of the demonstration, by the client's name. */
export const WORK: Readonly<Record<string, Work>> = {
  Contoso: {
    pages: [
      [
        'Kick-off',
        '## Who\n\n| Name | Role |\n|---|---|\n| Ada Byron | lead |\n| Grace Murray | network |\n| Alan Mathison | web |\n\n## Agreed\n\n- [x] contract signed\n- [x] accounts received\n- [x] duty officer knows our addresses\n- [ ] call on Monday\n\nTests stop if a guest is affected: call +49 30 5550 100. Accounts are under [[Test accounts]].\n\n## Dates\n\nPerimeter first, applications from week five, retest in the last two weeks. Report in English, with a summary of two pages for the management.',
      ],
      [
        'Test accounts',
        'Two roles on the portal, made for us. See [[Kick-off]].\n\n| Account | Role | Sees |\n|---|---|---|\n| `guest-01` | guest | own bookings |\n| `clerk-01` | clerk | bookings of one hotel |\n\nPasswords are in the vault of the team, not here.',
        0,
      ],
      [
        'Attack surface',
        '## Applications\n\n| Name | What | Behind |\n|---|---|---|\n| `portal` | clerks | nginx, Node.js |\n| `api` | app and portal | nginx, Spring Boot |\n| `booking` | guests | nginx, PHP |\n| `id` | sign-in | Apache, Keycloak |\n\n## Perimeter\n\n60 hosts answer in `198.51.100.0/24`. Firewall at `.17`, mail at `mail.contoso.example`, a GitLab at `.21` that was on no list.\n\n## Not ours\n\n`shop.contoso.example` is run by someone else: out of scope.',
      ],
      [
        'Mail gateway',
        'Answers with its version:\n\n```\n220 mail.contoso.example ESMTP Postfix (3.5.6)\n```\n\nNo `STARTTLS` on port 25. Senders of the own domain are accepted from outside; see the finding.',
        2,
      ],
      [
        'Diary',
        '## Week 1\n\nPerimeter scanned in two halves, 198.51.100.0/25 first. The firewall answers on 8443.\n\n## Week 4\n\nDangling record `promo`; reported on the same day, deleted the day after.\n\n## Week 9\n\nFirst look at the portal. Script in the name of a guest, reset by host header.\n\n## Week 11\n\nSQL injection in the search. Stopped after the version, informed the duty officer at 16:20.',
      ],
    ],
    tasks: [
      ['Ask for the addresses of the VPN', 'done', 'high', -60, 'received: see the kick-off page.'],
      ['Scan the perimeter', 'done', 'urgent', -50, 'both halves are done.'],
      [
        'Retest the fixed findings of the portal',
        'in_progress',
        'urgent',
        2,
        'the reset and the list of arrivals are fixed. Cookies are not.',
      ],
      ['Test how the booking page handles dates', 'in_progress', 'medium', 3],
      ['Look at uploads of the feedback form', 'done', 'medium', -1, 'written as a finding.'],
      ['Compare names in certificates with the scope', 'open', 'medium', 4],
      [
        'Wait for the answer on shop.contoso.example',
        'blocked',
        'low',
        -3,
        'it belongs to someone else. I have asked Contoso.',
      ],
      ['Write the executive summary', 'open', 'high', 6],
      ['Write the email section', 'open', 'none', 8],
      ['Check the partner network', 'cancelled', 'low', null],
    ],
    requests: [
      'Bookings',
      [
        [
          'Sign in as a guest',
          'POST',
          'https://api.contoso.example/v1/session',
          [
            {
              ...OK,
              body: { account: 'guest-01', role: 'guest', token: 'eyJhbGciOiJFZERTQSJ9.demonstration', expiresIn: 900 },
            },
          ],
        ],
        [
          'Own booking',
          'GET',
          'https://api.contoso.example/v1/bookings/4711',
          [
            {
              ...OK,
              body: {
                number: 4711,
                guest: { name: 'Test Guest 01', city: 'Berlin' },
                arrival: '2026-12-04',
                nights: 2,
                paid: true,
              },
            },
          ],
        ],
        [
          'Booking of another guest',
          'GET',
          'https://api.contoso.example/v1/bookings/4712',
          [
            UNAUTHORIZED,
            {
              ...OK,
              body: {
                number: 4712,
                guest: { name: 'Test Clerk 01', city: 'Hamburg' },
                arrival: '2026-12-05',
                nights: 1,
                paid: false,
              },
            },
          ],
        ],
        [
          'Search with a delay in the order',
          'GET',
          'https://portal.contoso.example/search?q=a&order=(case%20when%20(select%201%20from%20pg_sleep(5))%20is%20null%20then%201%20else%202%20end)',
          [{ ...OK, body: { results: [], took: 5081 } }],
        ],
        [
          'Reset with a forged host',
          'POST',
          'https://id.contoso.example/reset',
          [
            {
              status: 202,
              statusText: 'Accepted',
              body: { message: 'If the address has an account, a mail is on its way.' },
            },
            { status: 400, statusText: 'Bad Request', body: { error: 'unknown host' } },
          ],
        ],
      ],
    ],
    checked: 'web',
  },
  Fabrikam: {
    pages: [
      [
        'Rules of engagement',
        '## Hours\n\nNights only, 21:00 to 05:00.\n\n## Never\n\n- phishing of the works council\n- anything in the plant\n- changes of production data\n\n## Contacts\n\nNo one of the blue team knows; call the duty officer.',
      ],
      [
        'Way in',
        '1. Laptop of the standard build\n2. Share `\\\\intranet\\public` with scripts\n3. Password of a service account in one of them\n4. Local administrator on 1,140 clients',
      ],
      [
        'What the blue team saw',
        '| Night | We did | They noticed |\n|---|---|---|\n| 3 | search for shares | nothing |\n| 5 | sign-in as `svc-deploy` | nothing |\n| 9 | certificate for `rt-admin` | an alert, closed as a false alarm |\n| 14 | DCSync of a test account | nothing: the rule is off |',
      ],
    ],
    tasks: [
      [
        'Map the shares of the intranet',
        'done',
        'high',
        -30,
        'found a script with a password. It is on the page Way in.',
      ],
      ['Find where the service account signs in', 'done', 'urgent', -24],
      [
        'Show the route into the plant without using it',
        'done',
        'high',
        -12,
        'one packet to an unused address, as agreed.',
      ],
      ['Write the timeline for the blue team', 'in_progress', 'high', 1],
      ['Prepare the workshop with the blue team', 'open', 'high', 5],
      ['Agree on what to tell the duty officer', 'blocked', 'medium', 0, 'he is back on Thursday.'],
    ],
    requests: [
      'Intranet',
      [
        [
          'Start page',
          'GET',
          'https://intranet.corp.fabrikam.example/',
          [{ ...OK, body: { site: 'Fabrikam intranet', news: 12 } }],
        ],
      ],
    ],
    checked: 'directory',
  },
  'Tailspin Toys': {
    pages: [
      [
        'Findings of March',
        '## State\n\nEleven; the client reports nine as fixed.\n\n- [x] 1 to 6 retested\n- [x] 9 and 11 retested\n- [ ] 7, 8 and 10\n\n## Not fixed\n\n3 (sign-out) and 5 (limit, partly).',
      ],
      [
        'Build 4.2.0',
        'Received as APK and IPA. Differs from 4.1.7 in the libraries for networking: look at pinning first.',
      ],
    ],
    tasks: [
      ['Retest findings 1 to 6', 'done', 'high', -9, 'four are fixed, two are not.'],
      ['Retest findings 7 to 11', 'in_progress', 'high', 1],
      ['Certificate pinning on the new build', 'done', 'medium', -6, 'it is off: written as a finding.'],
      ['Write the report in English', 'open', 'none', 3],
    ],
    requests: [
      'Findings of March',
      [
        [
          '3: token after sign-out',
          'GET',
          'https://api.tailspin.example/v2/resource-1',
          [{ ...OK, body: { accounts: [{ iban: 'DE00 0000 0000 0000 0000 01', balance: 1250.5 }] } }, UNAUTHORIZED],
        ],
        [
          '5: another role',
          'PATCH',
          'https://api.tailspin.example/v2/users/2',
          [{ status: 403, statusText: 'Forbidden', body: { error: 'role' } }],
        ],
      ],
    ],
    checked: 'api',
  },
}
