import type { Finding } from './finding.ts'

export const CONTOSO: readonly Finding[] = [
  {
    title: 'Bookings of other customers can be read by their number',
    asset: 'https://api.contoso.example/v1/bookings/4711',
    vector: 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
    cwe: 'CWE-639',
    description: `Any signed-in customer can read the bookings of every other customer. \`GET /v1/bookings/{number}\` checks that the caller has a session, but not that the booking belongs to the caller. Numbers are consecutive.

## Impact

With the test account \`guest-01\` we read 200 bookings in 40 seconds: name, address, telephone number, travel dates and the last four digits of the card. The range in use suggests about 310,000 bookings. We stopped after 200 and stored none of them.

## Steps

1. Sign in as \`guest-01\` and open any own booking.
2. Repeat the request of the page with another number:

\`\`\`http
GET /v1/bookings/4712 HTTP/1.1
Host: api.contoso.example
Authorization: Bearer <token of guest-01>
\`\`\`

3. The answer is \`200 OK\` with the booking of \`clerk-01\`.`,
    solution:
      'Check on the server that the booking belongs to the account of the token, for reading and for changing, in one place that every route of `/v1/bookings` passes. Answer with 404 otherwise. Random identifiers make guessing harder, but do not replace the check.',
    references: ['https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/'],
    daysAgo: 9,
    status: 'confirmed',
    tags: ['api', 'personal data'],
  },
  {
    title: 'SQL injection in the search for bookings',
    asset: 'https://portal.contoso.example/search',
    vector: 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:L',
    cwe: 'CWE-89',
    description: `The parameter \`order\` of the search is copied into the \`ORDER BY\` of a query. A time-based condition shows that any statement of the database user can be evaluated.

## Impact

The database user owns the schema \`booking\`. An attacker with a clerk's account can read and change all bookings and the password hashes of all customers. We read the version of the database and the name of the user, and nothing else.

## Steps

\`\`\`http
GET /search?q=a&order=(case when (select 1 from pg_sleep(5)) is null then 1 else 2 end) HTTP/1.1
Host: portal.contoso.example
Cookie: sid=<session of clerk-01>
\`\`\`

The answer takes 5.1 seconds; with \`pg_sleep(0)\` it takes 80 ms.`,
    solution:
      'Accept only names of columns from a fixed list for `order`, and pass every value as a parameter. Give the application a database user that can neither change the schema nor read the table of passwords. Look for the same pattern in the other lists: `clients`, `invoices` and `audit` are built by the same function.',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html'],
    daysAgo: 16,
    status: 'confirmed',
    tags: ['portal'],
  },
  {
    title: 'Stored cross-site scripting in the name of a guest',
    asset: 'https://portal.contoso.example/bookings/new',
    vector: 'AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N',
    cwe: 'CWE-79',
    description: `The name of a guest is stored as typed and written into the clerks' list of arrivals without encoding. A guest can run scripts in the browser of every clerk who opens the list.

## Impact

The session cookie of the portal is readable by scripts (see the finding about cookies), so that one booking is enough to take over the account of a clerk, and with it all bookings of the day.

## Steps

1. As \`guest-01\`, create a booking for \`<img src=x onerror=alert(document.domain)>\`.
2. As \`clerk-01\`, open *Arrivals*. The script runs in \`portal.contoso.example\`.`,
    solution:
      'Encode values for the context in which they are written; the template engine does so if `{{{name}}}` becomes `{{name}}` in `arrivals.hbs`. Add a Content-Security-Policy without `unsafe-inline` as a second line of defence.',
    daysAgo: 23,
    status: 'fixed',
    tags: ['portal', 'retested'],
  },
  {
    title: 'Password reset accepts the host of the request',
    asset: 'https://id.contoso.example/reset',
    vector: 'AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N',
    cwe: 'CWE-640',
    description: `The link in the mail for a password reset is built from the header \`X-Forwarded-Host\`. An attacker who asks for a reset in the name of a customer decides where the link leads.

## Impact

If the customer follows the link, the attacker receives the token and sets a new password. The mail comes from Contoso and passes SPF and DKIM, so that customers have no reason for doubt.

## Steps

\`\`\`http
POST /reset HTTP/1.1
Host: id.contoso.example
X-Forwarded-Host: id.contoso-example.test
Content-Type: application/x-www-form-urlencoded

email=guest-01%40contoso.example
\`\`\`

The mail links to \`https://id.contoso-example.test/reset?token=...\`.`,
    solution:
      'Build links from a configured address. Let the proxy set `X-Forwarded-Host` itself and drop the one of the client. End a token after 15 minutes and after its first use.',
    daysAgo: 30,
    status: 'fixed',
    tags: ['identity', 'retested'],
  },
  {
    title: 'Mail gateway relays mail in the name of Contoso',
    asset: 'mail.contoso.example:25',
    vector: 'AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
    cwe: 'CWE-290',
    description: `The gateway accepts mail from the internet whose sender is an address of Contoso, and delivers it to colleagues without a mark. The policy of DMARC is \`p=none\`.

## Impact

Mail that seems to come from the own management reaches employees without a warning: an ideal start for fraud with invoices and for phishing.

## Steps

\`\`\`
$ swaks --server mail.contoso.example --from ceo@contoso.example --to test-mailbox@contoso.example
<** 250 2.0.0 Ok: queued as 4F1C21A0E3
\`\`\`

The mail arrived in the agreed test mailbox two seconds later.`,
    solution:
      'Reject mail from outside with an own sender at the gateway. Raise DMARC to `p=quarantine`, read the reports for two weeks, then to `p=reject`. Mark mail from outside in the client.',
    daysAgo: 44,
    status: 'confirmed',
    tags: ['mail'],
  },
  {
    title: 'Administration of the firewall is reachable from the internet',
    asset: '198.51.100.17:8443',
    vector: 'AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H',
    cwe: 'CWE-284',
    description: `The web interface of the firewall answers on the internet, on its default port, with a self-signed certificate. It asks for a name and a password, without a second factor, and does not slow down wrong attempts.

## Impact

An attacker who guesses or buys a password controls the border of the network. Vulnerabilities of such interfaces have been exploited within hours after their publication several times.

We made 50 attempts for an account of our own, as agreed with the duty officer. None was delayed, and no alert was raised.`,
    solution:
      'Allow the interface only from the management network, reached by VPN with a second factor. Until then, allow only the addresses of the administrators. Alert after ten wrong attempts.',
    daysAgo: 58,
    status: 'fixed',
    tags: ['perimeter', 'retested'],
  },
  {
    title: 'Session cookie without HttpOnly and SameSite',
    asset: 'https://portal.contoso.example/',
    vector: 'AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
    cwe: 'CWE-1004',
    description: `\`sid\` is set with \`Secure\` only. Scripts of the page can read it, and browsers send it with requests that other sites start.

This turns every cross-site scripting into a stolen session, and makes the two forms without a token (*Preferences*, *Newsletter*) open to cross-site request forgery.`,
    solution:
      'Set `HttpOnly`, `Secure` and `SameSite=Lax`, and the prefix `__Host-`. The framework has one setting for all four.',
    daysAgo: 23,
    tags: ['portal'],
  },
  {
    title: 'Sign-in reveals which addresses have an account',
    asset: 'https://id.contoso.example/sign-in',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    cwe: 'CWE-204',
    description: `For unknown addresses the answer takes 20 ms, for known ones 340 ms, because a password is only compared if there is one. The text is the same in both cases.

Over 1,000 measurements a single request is enough to tell them apart with an error of less than 1 %. Together with the missing limit this gives a list of customers for phishing.`,
    solution:
      'Compare with a fixed hash for unknown addresses. Limit attempts by address of the client and by account.',
    daysAgo: 30,
    status: 'accepted',
    tags: ['identity'],
  },
  {
    title: 'Old subdomain points to a storage account that anyone can register',
    asset: 'promo.contoso.example',
    vector: 'AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
    cwe: 'CWE-350',
    description: `\`promo.contoso.example\` is an alias of \`contosopromo2023.web.core.windows.example\`. That name is not registered: the provider says that it is available.

An attacker who registers it serves content under a name of Contoso, with a valid certificate, and receives cookies that are set for \`.contoso.example\`. We did not register the name.`,
    solution:
      'Delete the record. Compare DNS records with existing resources regularly, and delete the record before the resource.',
    daysAgo: 65,
    status: 'fixed',
    tags: ['dns', 'retested'],
  },
  {
    title: 'Uploads of pictures accept any file and serve it with its own type',
    asset: 'https://booking.contoso.example/feedback',
    vector: 'AV:N/AC:L/PR:L/UI:R/S:U/C:L/I:L/A:N',
    cwe: 'CWE-434',
    description: `The form for feedback checks only the extension in the browser. An HTML file sent directly is stored and delivered as \`text/html\` from the same origin as the application.

Files are not executed on the server. A link to an uploaded page is enough to run scripts in the session of a guest.`,
    solution:
      'Check type and size on the server, store pictures after converting them, and deliver them from another origin with `Content-Disposition: attachment` and `X-Content-Type-Options: nosniff`.',
    daysAgo: 2,
    tags: ['booking'],
  },
]
