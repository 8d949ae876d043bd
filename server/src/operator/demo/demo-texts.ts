import type { TaskPriority, TaskStatus } from '@sortie/contract/tasks/tasks.ts'
import type { Severity } from '../../features/inventory/sightings/severities.ts'

interface Work {
  /** The first task links to the first page. */
  pages: readonly (readonly [title: string, body: string])[]
  tasks: readonly (readonly [title: string, status: TaskStatus, priority: TaskPriority, comment?: string])[]
  results: readonly (readonly [title: string, severity: Severity, asset: string, description: string])[]
  /** Saved requests, in a folder of this name. */
  requests: readonly [folder: string, requests: readonly (readonly [name: string, method: string, url: string])[]]
  /** The tag of the targets on which the checklist is expanded. */
  checked: string
}

/** Texts of the team in the engagements of the demonstration, by the client's name. */
export const WORK: Readonly<Record<string, Work>> = {
  Contoso: {
    pages: [
      [
        'Kick-off',
        '## Who\n\n| Name | Role |\n|---|---|\n| Ada Byron | lead |\n| Grace Murray | network |\n\n- [x] contract signed\n- [x] accounts received\n- [ ] call on Monday\n\nAccounts are under [[Test accounts]].',
      ],
      [
        'Test accounts',
        'Two roles on the portal, made for us. See [[Kick-off]].\n\n- `guest-01`: reads\n- `clerk-01`: books',
      ],
      [
        'Mail gateway',
        'Answers with its version:\n\n```\n220 mail.contoso.example ESMTP Postfix (3.5.6)\n```\n\nNo `STARTTLS` on port 25.',
      ],
    ],
    tasks: [
      ['Ask for the addresses of the VPN', 'done', 'high', 'received: see the kick-off page.'],
      ['Scan the perimeter', 'in_progress', 'urgent', 'the first half is done, 198.51.100.0/25.'],
      ['Test how the booking page handles dates', 'in_progress', 'medium'],
      ['Compare names in certificates with the scope', 'open', 'medium'],
      [
        'Wait for the answer on shop.contoso.example',
        'blocked',
        'low',
        'it belongs to someone else. I have asked Contoso.',
      ],
      ['Write the email section', 'open', 'none'],
      ['Check the partner network', 'cancelled', 'low'],
    ],
    results: [
      [
        'Mail gateway accepts mail without encryption',
        'medium',
        'mail.contoso.example',
        'No `STARTTLS` is offered on port 25.',
      ],
      [
        'Booking page reflects the guest name',
        'high',
        'https://www.contoso.example/booking/new',
        'The field `guest` is returned unescaped.',
      ],
      [
        'Web server discloses its version',
        'info',
        'https://www.contoso.example/',
        'The header `Server` names product and version.',
      ],
    ],
    requests: [
      'Booking',
      [
        ['Sign in as a guest', 'POST', 'https://www.contoso.example/booking/session'],
        [
          'Booking with markup in the name',
          'GET',
          'https://www.contoso.example/booking/new?guest=%3Cb%3Eguest%3C%2Fb%3E',
        ],
        ['Bookings of another guest', 'GET', 'https://www.contoso.example/booking/4711'],
      ],
    ],
    checked: 'web',
  },
  Fabrikam: {
    pages: [
      [
        'Rules of engagement',
        'Nights only, 21:00 to 05:00. **No phishing of the works council.** No one of the blue team knows; call the duty officer.',
      ],
      [
        'Way in',
        '1. Laptop of the standard build\n2. Share `\\\\intranet\\public` with scripts\n3. Password of a service account in one of them',
      ],
    ],
    tasks: [
      ['Map the shares of the intranet', 'done', 'high', 'found a script with a password. It is on the page Way in.'],
      ['Find where the service account signs in', 'in_progress', 'urgent'],
      ['Prepare the second foothold', 'open', 'high'],
      ['Agree on what to tell the duty officer', 'blocked', 'medium', 'he is back on Thursday.'],
    ],
    results: [
      [
        'Password of a service account in a script',
        'critical',
        'intranet.corp.fabrikam.example',
        'Everyone in the domain can read the share that it is on.',
      ],
    ],
    requests: ['Intranet', [['Start page', 'GET', 'https://intranet.corp.fabrikam.example/']]],
    checked: 'directory',
  },
  'Tailspin Toys': {
    pages: [['Findings of March', 'Eleven; the client reports nine as fixed.\n\n- [x] 1 to 6 retested\n- [ ] 7 to 11']],
    tasks: [
      ['Retest findings 1 to 6', 'done', 'high', 'four are fixed, two are not.'],
      ['Retest findings 7 to 11', 'in_progress', 'high'],
      ['Certificate pinning on the new build', 'open', 'medium'],
      ['Write the report in English', 'open', 'none'],
    ],
    results: [
      [
        'Session stays valid after sign-out',
        'high',
        'https://api.tailspin.example/v2/resource-1',
        'Finding 3 of March: the token is accepted for another hour.',
      ],
    ],
    requests: [
      'Findings of March',
      [
        ['3: token after sign-out', 'GET', 'https://api.tailspin.example/v2/resource-1'],
        ['5: another role', 'PATCH', 'https://api.tailspin.example/v2/users/2'],
      ],
    ],
    checked: 'api',
  },
}
