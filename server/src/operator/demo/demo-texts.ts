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
      ['Test accounts', 'Two roles on the portal, made for us. See [[Kick-off]].\n\n- `guest-01`: reads\n- `clerk-01`: books'],
      ['Mail gateway', 'Answers with its version:\n\n```\n220 mail.contoso.example ESMTP Postfix (3.5.6)\n```\n\nNo `STARTTLS` on port 25.'],
    ],
    tasks: [
      ['Ask for the addresses of the VPN', 'done', 'high', 'they sent them: see the page of the kick-off.'],
      ['Scan the perimeter', 'in_progress', 'urgent', 'the first half is through, 198.51.100.0/25.'],
      ['Look at what the booking page does with dates', 'in_progress', 'medium'],
      ['Compare names in certificates with the scope', 'open', 'medium'],
      ['Wait for the answer on shop.contoso.example', 'blocked', 'low', 'it belongs to somebody else. I have asked Contoso.'],
      ['Write the chapter on mail', 'open', 'none'],
      ['Check the partner network', 'cancelled', 'low'],
    ],
    results: [
      ['Mail gateway accepts mail without encryption', 'medium', 'mail.contoso.example', 'No `STARTTLS` is offered on port 25.'],
      ['Booking page reflects the name of a guest', 'high', 'https://www.contoso.example/booking/new', 'The field `guest` comes back as it was sent.'],
      ['Version of the web server is told', 'info', 'https://www.contoso.example/', 'The header `Server` names product and version.'],
    ],
    requests: [
      'Booking',
      [
        ['Sign in as a guest', 'POST', 'https://www.contoso.example/booking/session'],
        ['A booking with a name of markup', 'GET', 'https://www.contoso.example/booking/new?guest=%3Cb%3Eguest%3C%2Fb%3E'],
        ['Bookings of somebody else', 'GET', 'https://www.contoso.example/booking/4711'],
      ],
    ],
    checked: 'web',
  },
  Fabrikam: {
    pages: [
      ['Rules of engagement', 'Nights alone, 21:00 to 05:00. **No phishing of the works council.** Nobody of the blue team knows; call the duty officer.'],
      ['Way in', '1. Laptop of the standard build\n2. Share `\\\\intranet\\public` with scripts\n3. Password of a service account in one of them'],
    ],
    tasks: [
      ['Map the shares of the intranet', 'done', 'high', 'there is a script with a password in it. I wrote it down under Way in.'],
      ['Find where the service account signs in', 'in_progress', 'urgent'],
      ['Prepare the second foothold', 'open', 'high'],
      ['Agree on what the duty officer is told', 'blocked', 'medium', 'he is back on Thursday.'],
    ],
    results: [
      ['Password of a service account in a script', 'critical', 'intranet.corp.fabrikam.example', 'Everybody in the domain reads the share that it is on.'],
    ],
    requests: ['Intranet', [['Start page', 'GET', 'https://intranet.corp.fabrikam.example/']]],
    checked: 'directory',
  },
  'Tailspin Toys': {
    pages: [['Findings of March', 'Eleven, of which nine are said to be repaired.\n\n- [x] 1 to 6 looked at again\n- [ ] 7 to 11']],
    tasks: [
      ['Look at findings 1 to 6 again', 'done', 'high', 'four are repaired, two are not.'],
      ['Look at findings 7 to 11 again', 'in_progress', 'high'],
      ['Certificate pinning on the new build', 'open', 'medium'],
      ['Write the report in English', 'open', 'none'],
    ],
    results: [
      ['Session goes on after signing out', 'high', 'https://api.tailspin.example/v2/resource-1', 'Finding 3 of March: the token is taken for another hour.'],
    ],
    requests: [
      'Findings of March',
      [
        ['3: token after signing out', 'GET', 'https://api.tailspin.example/v2/resource-1'],
        ['5: another role', 'PATCH', 'https://api.tailspin.example/v2/users/2'],
      ],
    ],
    checked: 'api',
  },
}
