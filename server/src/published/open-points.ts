import type { Config, VariableName } from '../platform/config.ts'
import { VARIABLES } from '../platform/config.ts'

/** A place that the specification leaves open, and what this project does there. */
export interface OpenPoint {
  /** Number in comments, messages and the OpenAPI document; never reused for another point. */
  number: number
  point: string
  /** The decision that applies. If it is not built yet it contains `Planned` or `Not offered yet`. */
  decision: string
  /**
   * - `decided`: a choice of this project, identical on every instance
   * - `operator`: settings change it
   * - `refused`: not offered until it is specified or built
   */
  kind: 'decided' | 'operator' | 'refused'
  settings: readonly VariableName[]
  /** The files that apply it, from the root of the repository; empty if it is not built. */
  sources: readonly string[]
}

type Point = Omit<OpenPoint, 'number'>

const decided = (point: string, decision: string, ...sources: string[]): Point => ({ point, decision, kind: 'decided', settings: [], sources })

const operator = (point: string, decision: string, settings: VariableName[], ...sources: string[]): Point => ({
  point,
  decision,
  kind: 'operator',
  settings,
  sources,
})

const refused = (point: string, decision: string): Point => ({ point, decision, kind: 'refused', settings: [], sources: [] })

/** By number: the decisions of this project on the open points of the specification. */
const POINTS: Readonly<Record<number, Point>> = {
  1: decided(
    'Behaviour, fields and endpoints of targets, scans, tasks, wiki pages and saved API requests',
    "This project's own design under `/api/v1/`, guarded by the specified scopes and marked `extension`. The pair of `targets:` reads and writes targets, results, imports, scans and their schedules; that of `tasks:` tasks and methodologies, that of `wiki:` pages, and that of `api-requests:` saved requests, their environments and what they sent. `targets:read` also reads the scope rules that judge targets; rules say what may be touched, so writing them needs what writing the engagement needs (point 2), and in the web interface its lead and team may do it as well. A search finds of all of it what the caller may read.",
    'contract/src/targets.ts',
    'contract/src/scope-rules.ts',
    'contract/src/results.ts',
    'contract/src/scans.ts',
    'contract/src/tasks.ts',
    'contract/src/wiki.ts',
    'contract/src/api-requests.ts',
    'contract/src/search.ts',
    'server/src/features/scope/scope.service.ts',
  ),
  2: operator(
    'Scope of the engagement endpoints',
    'The ten scopes stay the only ones. Engagements are objects of the organization, so the nearest specified pair guards them: reading needs `organizations:read`, creating, cloning and changing needs `organizations:write`, and so does writing their scope rules. The operator may choose another of the ten for each, or `*` for any valid key.',
    ['ENGAGEMENT_READ_SCOPE', 'ENGAGEMENT_WRITE_SCOPE'],
    'server/src/platform/auth/guard.ts',
  ),
  3: decided(
    'Fields that an engagement requires',
    '`name` is required, 1 to 200 characters after trimming; `description` is optional, `""` when absent, up to 10,000 characters.',
    'contract/src/engagements.ts',
  ),
  4: decided(
    'Values and transitions of an engagement’s status',
    '`active` on creation. `active` goes to `completed`, `completed` to `archived`, and either back to `active`, only through the extension endpoint `PATCH /api/v1/engagements/:engagementId`; any other step is 409. The filter `status` takes all three.',
    'server/src/features/engagements/engagements.service.ts',
  ),
  5: decided(
    'Fields by which engagements are sorted and filtered',
    'Sorted by `createdAt` (default), `updatedAt`, `name` or `status`; `order` is `asc` or `desc` (default). Equal rows are ordered by id, so that pages neither repeat nor skip a row. Filtered by `status` alone. Members are listed oldest membership first and filtered by `role`.',
    'contract/src/engagements.ts',
    'server/src/features/engagements/engagements.queries.ts',
  ),
  6: operator(
    'Values of `plan`',
    'An open string, given to an organization when it is made; with billing, the product that is subscribed to replaces it (point 26).',
    ['DEFAULT_PLAN'],
    'contract/src/organizations.ts',
  ),
  7: decided(
    'States and transitions of an invitation',
    '`pending` becomes `accepted`, `revoked` or `expired`. It is expired from the very millisecond 7 days after it was made, computed when read, and never comes back. Sending it again makes a new token, starts another 7 days and kills the old link. Final states stay final, rows are kept.',
    'server/src/features/organizations/invitations/invitations.service.ts',
  ),
  8: decided(
    'Inviting an address that belongs to a member or has a pending invitation',
    '409 `CONFLICT`, compared without regard to letter case. An invitation that is expired or revoked does not stand in the way.',
    'server/src/features/organizations/invitations/invitations.service.ts',
  ),
  9: decided(
    'Who may accept an invitation',
    'Whoever holds the mailed token, as the invited address: a person signed in with another address is answered 403 and told which account to use. The token is secret, works once, is stored as a hash only and is not the id of the invitation. It is accepted in the web interface alone.',
    'server/src/features/organizations/joining/accept.service.ts',
  ),
  10: decided(
    'A role change or removal aimed at the owner',
    '409 `CONFLICT`; 403 is worded "key lacks the needed scope", which would mislead. One owner per organization is a constraint of the database, and a transfer is one atomic swap.',
    'server/src/features/organizations/members/members.service.ts',
    'server/migrations/0002_organizations.sql',
  ),
  11: decided('A body with `role: "owner"`', '422 `VALIDATION_ERROR`.', 'contract/src/members.ts'),
  12: decided(
    '400 or 422',
    '400 `BAD_REQUEST`: the request cannot be read (malformed JSON, not an object, a key twice, wrong content type, too large, a path that cannot be decoded, a Host header that is missing or given twice, any bad query parameter). 422 `VALIDATION_ERROR`: a body that can be read but fails the schema or the rules, fields that are unknown or cannot be set included, and a body where none is taken. A path parameter that can be decoded but has not the form of an id names nothing: 404.',
    'server/src/platform/http/validate.ts',
    'server/src/platform/json.ts',
  ),
  13: decided(
    'Order of the checks',
    '401, then 429, then 403, then 400, then 422, then 404, then 409. A path that does not exist is 404 also without a key: there is no scope that it could need.',
    'server/src/platform/http/doors.ts',
    'server/src/platform/http/mount.ts',
  ),
  14: decided('Status of a success', '201 for what a POST created, 200 otherwise.', 'contract/src/endpoint.ts'),
  15: decided(
    'Statuses outside the table',
    'Not used for errors of clients: a method that a path does not have is 404, a body that is too large or of the wrong content type 400. While starting, stopping, overloaded or without its database the server answers 503 with `INTERNAL_ERROR` and `Retry-After`.',
    'server/src/platform/http/server.ts',
    'server/src/platform/errors.ts',
  ),
  16: decided('An empty PATCH body `{}`', '200; nothing changes, `updatedAt` stays.', 'server/src/features/organizations/organizations.service.ts'),
  17: decided(
    '`perPage` over 100, page 0, repeated or unknown query parameters',
    '400: a page that is silently made smaller loses rows, a misspelt filter widens a result. `page` goes up to 9,999,999. A page past the end is 200 with an empty list and true totals.',
    'server/src/platform/http/validate.ts',
    'contract/src/endpoint.ts',
  ),
  18: operator(
    'Numeric rate limit and window',
    'A fixed window that its first request opens and that ends on a whole second, so that `X-RateLimit-Reset` is exact. All keys of one organization together may use five times the limit of one. In the web interface each person has 1,200 requests per window, or as many as a key where that is more. What is expensive to answer (exports, searches across the instance, asking name servers for a domain) has buckets of its own per hour, and few are answered at once. 429 also carries `Retry-After`.',
    ['RATE_LIMIT_MAX', 'RATE_LIMIT_WINDOW_SECONDS'],
    'server/src/platform/http/rate-limit.ts',
    'server/src/platform/http/costs.ts',
  ),
  19: operator(
    'Rate-limit headers where no valid key was sent',
    'Every response has them: requests without a valid key count per client address, for IPv6 per /64.',
    ['RATE_LIMIT_ANONYMOUS_MAX', 'TRUST_PROXY'],
    'server/src/platform/http/address.ts',
    'server/src/platform/http/rate-limit.ts',
  ),
  20: decided(
    'The shared limiter cannot be reached',
    'Each process goes on with counters of its own, says so in the log and in the metric `sortie_rate_limiter_degraded`, and no request fails for it. Failed sign-ins are counted in the database, which the limiter does not touch.',
    'server/src/platform/http/redis-rate-limit.ts',
    'server/src/features/identity/attempts/attempts.service.ts',
  ),
  21: decided(
    'Whether the health endpoint needs a key',
    'No. It is not counted and never refused for its rate, and has the headers all the same. While the database does not answer: 503 and `"status": "unavailable"`.',
    'server/src/platform/http/health-route.ts',
  ),
  22: decided(
    'Meaning of test keys',
    'A label on the key, shown in the overview and in the audit log. Both kinds see the same data, since no second set of data is specified.',
    'server/src/features/api-keys/authenticate.ts',
  ),
  23: decided(
    'A key whose maker left or was demoted',
    'It belongs to the organization and stays; the overview says that its maker could not make it today.',
    'server/src/features/api-keys/api-keys.routes.ts',
  ),
  24: decided(
    'Endpoints for managing keys',
    'Only for the web interface: session cookie, owner or admin, outside `/api/v1`. A key can never make a key.',
    'contract/src/api-keys.ts',
  ),
  25: decided(
    'Cursor pagination',
    'Not on the specified lists. Extension lists that can grow long take `cursor` and answer `meta.nextCursor`, `null` on the last page, such as the audit log. A cursor is opaque, has up to 1,000 characters and belongs to one list with one set of filters and one sort; any other is 400.',
    'contract/src/lists.ts',
    'server/src/platform/lists/cursor.ts',
  ),
  26: operator(
    'Billing provider and payload',
    'Stripe is the only provider; without one, `POST /api/billing/webhook` answers 404, and billing without its signing secret does not start. The signature over the raw bytes is verified and its time lies within 5 minutes of the server\'s, before or after. Bodies up to 256 KiB. Each event is stored once by its id, together with the job that applies it, then answered 200 `{"received":true}`. What happened last holds, in whatever order events come: the name of the product of the newest subscription in force becomes `plan`, `DEFAULT_PLAN` without any. A customer belongs to the organization that an instance administrator linked it to; others are ignored, with an audit entry.',
    ['BILLING_PROVIDER', 'BILLING_WEBHOOK_SECRET'],
    'server/src/features/billing/stripe-signature.ts',
    'server/src/features/billing/stripe-events.ts',
    'server/src/features/billing/billing.service.ts',
    'server/src/features/billing/apply-event.service.ts',
  ),
  27: operator(
    'Code-hosting provider, path and payload',
    'GitHub\'s signature scheme (`X-Hub-Signature-256`) at `POST /api/code-hosting/webhook`; without its secret 404. Bodies up to 256 KiB. Each delivery is stored once: one whose id or whose body was seen before is answered 200 `{"received":true}` and changes nothing. It belongs to the organization that its repository is connected to, which an owner or admin asks for and an instance administrator confirms; others are for instance administrators alone. Issues become tasks of the engagement that the repository names.',
    ['CODE_HOSTING_WEBHOOK_SECRET'],
    'server/src/features/code-hosting/github-deliveries.ts',
    'server/src/features/code-hosting/code-hosting.service.ts',
  ),
  28: operator(
    'Values that select delegated sign-in',
    '`local`, `oidc` (any OpenID Connect provider, by discovery) and `workos` (WorkOS AuthKit). A missing credential of the chosen one is named at start, exit code 78. With a provider no password signs anybody in, makes an account or is reset; `AUTH_LOCAL_FALLBACK` leaves the door open for instance administrators alone, and nothing else opens it. Issuer and subject are the identity; an address, which the provider must have verified, never finds an account: an existing one is linked from its own session, with its password. A second factor of the account is asked for behind every door; one at the provider does not stand in for it.',
    [
      'AUTH_PROVIDER',
      'AUTH_LOCAL_FALLBACK',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'WORKOS_API_KEY',
      'WORKOS_CLIENT_ID',
      'WORKOS_WEBHOOK_SECRET',
    ],
    'server/src/platform/config.ts',
    'server/src/features/identity/identities/identities.service.ts',
    'server/src/features/identity/sign-in/sign-in-mode.ts',
  ),
  29: operator(
    'What `requireTwoFactor`, `domainAutoJoin` and `ssoEnabled` do',
    '`requireTwoFactor`: a member without a second factor is answered 403 everywhere in the web interface of that organization until one is set up; API keys are unaffected. An authenticator app or a passkey counts. Owner and admins who have one themselves switch it on. They can also take the second factor off a member’s account that lost it, confirmed with password and second factor of their own, where they administer every organization of that account and it does not administer the server; never off the owner’s. `domainAutoJoin`: whose address lies in a domain that the organization has proved by a DNS TXT record, looked for every day, joins as `member` at sign-in, unless another organization has proved it too, an invitation is pending, or the person was a member before; domains of public mail providers are refused. Without a proved domain it cannot be on. `ssoEnabled`: a session that began with a password opens nothing of that organization, live ones included; one that the identity provider vouched for does, and API keys are unaffected. Owner and admins who came in through the provider switch it on; `sortie switch-sso-off` takes it back where the provider is gone.',
    ['DNS_SERVERS'],
    'server/src/features/organizations/organizations.service.ts',
    'server/src/features/identity/sessions/sessions.service.ts',
    'server/src/features/organizations/member-security/reset-member.service.ts',
    'server/src/features/organizations/domains/domains.service.ts',
    'server/src/features/organizations/domains/domains.queries.ts',
  ),
  30: refused('Events to API clients', 'Not offered yet. Planned as signed outbound webhooks, an extension.'),
  31: operator(
    'Deprecation period and signal',
    'At least 12 months. The settings put `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` to where it is explained on every answer of `/api/v1`, errors included. Unset, none is sent.',
    ['API_V1_DEPRECATED_AT', 'API_V1_SUNSET_AT'],
    'server/src/platform/http/headers.ts',
  ),
  32: operator(
    'Size of bodies, length and content of fields',
    'Bodies up to 1 MiB, up to 16 KiB where nobody has to be signed in; UTF-8 without byte order mark, at most 32 levels, 2,000 keys and 20,000 values. An endpoint may take more bytes or keys than these: text in lines may come in a body of 2 MiB, whatever `BODY_LIMIT_BYTES` is. More bytes or keys are 400; more than 10,000 lines, not counting blank ones and comments, are 422. Field lengths are in the OpenAPI document, in code points. One-line texts such as names are trimmed and normalised (NFC) before they are measured; a text of more UTF-16 units than four times its length is refused before that. Control, invisible and direction characters are refused in them, but for invisible ones where writing needs them: U+200C between joining letters (Arabic, Persian, Syriac and others) and after the virama of an Indic script, U+200D after or before such a virama and in emoji, variation selectors after emoji, symbols and ideographs, tags in flags (UAX 31, UTS 51). In the description of an engagement control characters but tab and line breaks are refused; other long texts take what people paste, terminals included. NUL and half surrogate pairs are refused everywhere. One organization has at most 5,000 API keys.',
    ['BODY_LIMIT_BYTES'],
    'contract/src/endpoint.ts',
    'contract/src/lists.ts',
    'server/src/platform/json.ts',
    'server/src/platform/http/mount.ts',
    'server/src/platform/text.ts',
    'server/src/platform/invisible.ts',
    'server/src/features/api-keys/api-keys.service.ts',
  ),
  33: operator(
    'Default ADMIN_EMAIL and ADMIN_PASSWORD outside local use',
    'There is no default password, also for local use: behind a reverse proxy every client looks local. The first `npm start` makes one, shows it once and keeps it in `.env`; a server that is started otherwise takes `ADMIN_PASSWORD`, and without it the first start ends with exit code 78. The default password of earlier versions signs nobody in, and a server does not start while an instance administrator has it: `npm run sortie -- reset-password` sets another one.',
    ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
    'server/src/features/instance/first-start.ts',
    'server/src/features/identity/accounts/published-password.service.ts',
  ),
  34: decided(
    'Precision of `lastSeenAt` and of the last use of a key',
    'One minute or finer, forward only, `null` for never. Noted in memory and written in one go for all: every second at most, each row every 30 seconds at most.',
    'server/src/features/identity/sessions/authenticate.ts',
    'server/src/features/api-keys/authenticate.ts',
  ),
  35: decided(
    'How organizations and accounts come to be',
    'The first start makes one organization and its owner, who administers the instance. Instance administrators make further organizations with their owners, and name further administrators; so does the operator’s command. Everybody else gets an account by accepting an invitation, or by the first sign-in through the identity provider; there is no public sign-up.',
    'server/src/features/instance/first-start.ts',
    'server/src/features/instance/instance.service.ts',
    'server/src/features/organizations/joining/accept.service.ts',
  ),
  36: decided(
    'Which notifications are mailed',
    'Invitations, and links for a new password or to confirm a browser. To the person concerned: role changed, removed from an organization, ownership transferred, password or second factor changed, recovery code used, sign-in from a device that is known neither by its cookie nor by user agent and network. To owner and admins: a key was created or deleted, an invitation was accepted; the first at once, those of the next quarter of an hour in one mail. To members: a comment mentions them, a task is assigned to them; the first at once, those of the next five minutes in one mail. Each person can switch off what is about membership, keys, invitations, mentions and assignments, but for a transfer of ownership.',
    'server/src/features/notifications/notifications.service.ts',
    'server/src/features/identity/devices/devices.service.ts',
  ),
  37: operator(
    'How many invitations may be mailed',
    'One organization may cause 200 mails in an hour, and one address is mailed at most 5 times in a day by one organization; beyond that 429 with `Retry-After`, although the rate limit of the key is not reached. Each organization has a budget of its own. All together mail one address at most 20 times in a day: what is more does not go out and says so in the outbox of the instance administrators alone; the invitation is pending and its mail counts as sent like any other, since what other organizations do is not to be seen.',
    ['INVITATION_LIMIT_PER_HOUR'],
    'server/src/features/organizations/invitations/invitations.service.ts',
  ),
  38: decided(
    'Which e-mail addresses are accepted, and which are the same',
    'Up to 254 characters: an ASCII local part without quotes, and a domain name with at least one dot, which is kept in its ASCII form. Two addresses are the same when they differ in letter case alone. The local part is kept as it was typed.',
    'server/src/platform/text.ts',
  ),
  39: decided(
    'Whether a POST may be repeated',
    'With `Idempotency-Key` (1 to 255 visible ASCII characters, else 400) on any POST below `/api/v1` but uploads of files and downloads, which ignore it. The first success is kept for 24 hours, for each API key apart: the same method, path, query and body get its status and body again with `Idempotency-Replayed: true`, anything else 409. It is stored encrypted, in the transaction of the change, so that a change without its answer, or the reverse, does not exist. While the first request is under way others with its key wait up to two seconds, then 503. Refusals are not kept, nor is anything without the header. Deleting the API key deletes what is kept for it. GET, PATCH and DELETE ignore the header.',
    'server/src/platform/http/idempotency.ts',
    'server/src/platform/database/kept-answers.ts',
  ),
}

/** In the order of their numbers; docs/open-points.md is made from them. */
export const OPEN_POINTS: readonly OpenPoint[] = Object.entries(POINTS).map(([number, point]) => ({ number: Number(number), ...point }))

/** The decisions for the OpenAPI document. */
export const publishedDecisions = () => OPEN_POINTS.map(({ number, point, decision }) => ({ openPoint: number, point, decision }))

/** All decisions as they apply on this instance, as plain text, with the values of their settings. Secrets are not shown. */
export const describeDecisions = (config: Config): string => OPEN_POINTS.map((row) => describe(row, config)).join('\n\n')

const describe = ({ number, point, decision, kind, settings }: OpenPoint, config: Config): string =>
  [`${number}. ${point} [${kind}]`, `   ${decision}`, ...settings.map((name) => `   ${name} = ${valueOf(name, config)}`)].join('\n')

const valueOf = (name: VariableName, config: Config): string => {
  const origin = config.given.has(name) ? 'set' : 'default'
  if ('secret' in VARIABLES[name]) return `(${origin}, not shown)`
  const value = config[name]
  return value === undefined ? '(not set)' : `${Array.isArray(value) ? value.join(', ') : value} (${origin})`
}

/** Renders docs/open-points.md. */
export const renderOpenPoints = (): string => {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const rows = OPEN_POINTS.map(({ number, point, decision, kind, settings, sources }) =>
    [
      number,
      cell(point),
      cell(decision),
      kind,
      settings.map((name) => `\`${name}\``).join(', '),
      sources.map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', '),
    ].join(' | '),
  )
  return `${[
    '# Open points of the specification, and how this project decides them',
    '',
    'The specification of the API leaves places "not shown". What stands here is therefore no part of it: each row is a choice of this project (`decided`), a choice of whoever runs the instance (`operator`, with the settings), or something that is not offered (`refused`). Other texts refer to a row as "open point N"; the OpenAPI document publishes the same rows under `x-decisions`, and `npm run sortie -- decisions` prints them with the values of an instance.',
    '',
    'Made from [server/src/published/open-points.ts](../server/src/published/open-points.ts) by `npm run openapi`; edit that. [server/src/published/spec-gaps.ts](../server/src/published/spec-gaps.ts) quotes every "not shown" of the specification with the rows that decide it, and a test fails when one has none.',
    '',
    '| # | Open point | Decision | Kind | Settings | Applied by |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')}\n`
}
