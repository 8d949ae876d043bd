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

const decided = (point: string, decision: string, ...sources: string[]): Point => ({
  point,
  decision,
  kind: 'decided',
  settings: [],
  sources,
})

const operator = (point: string, decision: string, settings: VariableName[], ...sources: string[]): Point => ({
  point,
  decision,
  kind: 'operator',
  settings,
  sources,
})

/** By number: the decisions of this project on the open points of the specification. */
const POINTS: Readonly<Record<number, Point>> = {
  1: decided(
    'Behaviour, fields and endpoints of targets, scans, tasks, wiki pages and saved API requests',
    "This project's own design under `/api/v1/`, guarded by the specified scopes and marked `extension`. The `targets:` scopes read and write targets, results, imports, scans and their schedules; the `tasks:` scopes tasks and methodologies, the `wiki:` scopes pages, and the `api-requests:` scopes saved requests, their environments and runs. `targets:read` also reads the scope rules. Scope rules state what may be tested, so writing them needs the permission to write the engagement (point 2); in the web interface its lead and team may write them as well. A search finds everything that the caller may read.",
    'contract/src/inventory/targets.ts',
    'contract/src/engagement/scope-rules.ts',
    'contract/src/inventory/results.ts',
    'contract/src/inventory/scans.ts',
    'contract/src/tasks/tasks.ts',
    'contract/src/wiki/wiki.ts',
    'contract/src/requests/api-requests.ts',
    'contract/src/core/search.ts',
    'server/src/features/scope/scope.service.ts',
  ),
  2: operator(
    'Scope of the engagement endpoints',
    'No scope of the specification names engagements. They are objects of the organization, so the nearest specified pair guards them: reading needs `organizations:read`; creating, cloning, changing, and writing their scope rules need `organizations:write`. The operator may choose another scope for each, or `*` for any valid key.',
    ['ENGAGEMENT_READ_SCOPE', 'ENGAGEMENT_WRITE_SCOPE'],
    'server/src/platform/auth/guard.ts',
  ),
  3: decided(
    'Fields that an engagement requires',
    '`name` is required, 1 to 200 characters after trimming; `description` is optional, `""` when absent, up to 10,000 characters.',
    'contract/src/engagement/engagements.ts',
  ),
  4: decided(
    'Values and transitions of an engagement’s status',
    '`active` on creation. `active` changes to `completed`, `completed` to `archived`, and either back to `active`, only through the extension endpoint `PATCH /api/v1/engagements/:engagementId`; any other transition is 409. The filter `status` accepts all three.',
    'server/src/features/engagements/engagements.service.ts',
  ),
  5: decided(
    'Fields by which engagements are sorted and filtered',
    'Sorted by `createdAt` (default), `updatedAt`, `name` or `status`; `order` is `asc` or `desc` (default). Equal rows are ordered by id, so that pages neither repeat nor skip a row. Filtered only by `status`. Members are listed oldest membership first and filtered by `role`.',
    'contract/src/engagement/engagements.ts',
    'server/src/features/engagements/engagements.queries.ts',
  ),
  6: operator(
    'Values of `plan`',
    'An open string, set when an organization is created; with billing, the subscribed product replaces it (point 26).',
    ['DEFAULT_PLAN'],
    'contract/src/organization/organizations.ts',
  ),
  7: decided(
    'States and transitions of an invitation',
    '`pending` becomes `accepted`, `revoked` or `expired`. It expires exactly 7 days after it was made, to the millisecond, computed when read, and stays expired. Sending it again makes a new token, starts another 7 days and invalidates the old link. Final states stay final; rows are kept.',
    'server/src/features/organizations/invitations/invitations.service.ts',
  ),
  8: decided(
    'Inviting an address that belongs to a member or has a pending invitation',
    '409 `CONFLICT`, compared without regard to letter case. An expired or revoked invitation does not prevent a new one.',
    'server/src/features/organizations/invitations/invitations.service.ts',
  ),
  9: decided(
    'Who may accept an invitation',
    'A person who has the mailed token and the invited address. A person signed in with another address gets 403 with the account to use. The token is secret, can be used once, is stored only as a hash and is not the id of the invitation. Invitations are accepted only in the web interface.',
    'server/src/features/organizations/joining/accept.service.ts',
  ),
  10: decided(
    'A role change or removal aimed at the owner',
    '409 `CONFLICT`; 403 is worded "key lacks the needed scope", which would mislead. One owner per organization is a constraint of the database, and a transfer is one atomic swap.',
    'server/src/features/organizations/members/members.service.ts',
    'server/migrations/0002_organizations.sql',
  ),
  11: decided('A body with `role: "owner"`', '422 `VALIDATION_ERROR`.', 'contract/src/organization/members.ts'),
  12: decided(
    '400 or 422',
    '400 `BAD_REQUEST`: the request cannot be read (malformed JSON, not an object, a key twice, wrong content type, too large, a path that cannot be decoded, a Host header that is missing or given twice, any bad query parameter). 422 `VALIDATION_ERROR`: a body that can be read but fails the schema or the rules, including unknown fields and fields that cannot be set, or a body for an endpoint without one. A path parameter that can be decoded but does not have the form of an id names nothing: 404.',
    'server/src/platform/http/routes/validate.ts',
    'server/src/platform/text/json.ts',
  ),
  13: decided(
    'Order of the checks',
    '401, then 429, then 403, then 400, then 422, then 404, then 409. A path that does not exist is 404, even without a key: it has no scope.',
    'server/src/platform/http/routes/doors.ts',
    'server/src/platform/http/routes/mount.ts',
  ),
  14: decided(
    'Status of a success',
    '201 if a POST created an object, 200 otherwise.',
    'contract/src/core/endpoint.ts',
  ),
  15: decided(
    'Statuses outside the table',
    'Not used for client errors: a method that a path does not have is 404, a body that is too large or of the wrong content type is 400. While starting, stopping, overloaded or without its database, the server answers 503 with `INTERNAL_ERROR` and `Retry-After`.',
    'server/src/platform/http/server/server.ts',
    'server/src/platform/errors.ts',
  ),
  16: decided(
    'An empty PATCH body `{}`',
    '200; nothing changes, `updatedAt` stays.',
    'server/src/features/organizations/organizations.service.ts',
  ),
  17: decided(
    '`perPage` over 100, page 0, repeated or unknown query parameters',
    '400: a page that is silently made smaller loses rows, a misspelled filter widens a result. `page` goes up to 9,999,999. A page past the end is 200 with an empty list and true totals.',
    'server/src/platform/http/routes/validate.ts',
    'contract/src/core/endpoint.ts',
  ),
  18: operator(
    'Numeric rate limit and window',
    'A fixed window that its first request opens and that ends on a whole second, so that `X-RateLimit-Reset` is exact. All keys of one organization together may use five times the limit of one. In the web interface each person has 1,200 requests per window, or as many as a key if that is more. Expensive requests (exports, searches across the instance, name-server queries for a domain) have separate limits per hour, and few are answered at the same time. 429 also has `Retry-After`.',
    ['RATE_LIMIT_MAX', 'RATE_LIMIT_WINDOW_SECONDS'],
    'server/src/platform/http/limits/rate-limit.ts',
    'server/src/platform/http/limits/costs.ts',
  ),
  19: operator(
    'Rate-limit headers without a valid key',
    'Every response has them: requests without a valid key count per client address, for IPv6 per /64.',
    ['RATE_LIMIT_ANONYMOUS_MAX', 'TRUST_PROXY'],
    'server/src/platform/http/server/address.ts',
    'server/src/platform/http/limits/rate-limit.ts',
  ),
  20: decided(
    'The shared limiter cannot be reached',
    'Each process continues with its own counters and reports that in the log and in the metric `sortie_rate_limiter_degraded`; no request fails for it. Failed sign-ins are counted in the database, which the limiter does not use.',
    'server/src/platform/http/limits/redis-rate-limit.ts',
    'server/src/features/auth/throttle/throttle.service.ts',
  ),
  21: decided(
    'A key for the health endpoint',
    'No. It is not counted and never refused for its rate, but has the headers. While the database does not answer: 503 and `"status": "unavailable"`.',
    'server/src/platform/http/server/health-route.ts',
  ),
  22: decided(
    'Meaning of test keys',
    'A label on the key, shown in the overview and in the audit log. Both kinds see the same data, since the specification has no second set of data.',
    'server/src/features/api-keys/authenticate.ts',
  ),
  23: decided(
    'A key whose creator left or was demoted',
    'It belongs to the organization and stays. The overview shows that its creator could not create it now.',
    'server/src/features/api-keys/api-keys.routes.ts',
  ),
  24: decided(
    'Endpoints for managing keys',
    'Only in the web interface: session cookie, owner or admin, outside `/api/v1`. A key can never create a key.',
    'contract/src/organization/api-keys.ts',
  ),
  25: decided(
    'Cursor pagination',
    'Not on the specified lists. Extension lists that can grow long, such as the audit log, accept `cursor` and return `meta.nextCursor`, `null` on the last page. A cursor is opaque, has up to 1,000 characters and belongs to one list with one set of filters and one sort; any other is 400.',
    'contract/src/core/lists.ts',
    'server/src/platform/lists/cursor.ts',
  ),
  26: operator(
    'Billing provider and payload',
    'Stripe is the only provider. Without one, `POST /api/billing/webhook` answers 404; billing without its signing secret does not start. The signature over the raw bytes is verified, and its time must be within 5 minutes of the server\'s, before or after. Bodies up to 256 KiB. Each event is stored once by its id, together with the job that applies it, then answered 200 `{"received":true}`. The newest event decides, in whatever order events arrive: the name of the product of the newest subscription in force becomes `plan`, or `DEFAULT_PLAN` without one. A customer belongs to the organization that an instance administrator linked it to; others are ignored, with an audit entry.',
    ['BILLING_PROVIDER', 'BILLING_WEBHOOK_SECRET'],
    'server/src/features/billing/stripe-signature.ts',
    'server/src/features/billing/stripe-events.ts',
    'server/src/features/billing/billing.service.ts',
    'server/src/features/billing/apply-event.service.ts',
  ),
  27: operator(
    'Code-hosting provider, path and payload',
    'GitHub\'s signature scheme (`X-Hub-Signature-256`) at `POST /api/code-hosting/webhook`; without its secret 404. Bodies up to 256 KiB. Each delivery is stored once: one whose id or whose body was seen before is answered 200 `{"received":true}` and changes nothing. It belongs to the organization that its repository is connected to; an owner or admin requests the connection, and an instance administrator confirms it. Only instance administrators see other deliveries. Issues become tasks of the engagement that the repository names.',
    ['CODE_HOSTING_WEBHOOK_SECRET'],
    'server/src/features/code-hosting/github-deliveries.ts',
    'server/src/features/code-hosting/code-hosting.service.ts',
  ),
  28: operator(
    'Values that select delegated sign-in',
    '`local`, `oidc` (any OpenID Connect provider, by discovery) and `workos` (WorkOS AuthKit). A start without a credential of the chosen one names it and ends with exit code 78. With a provider, no password signs in, creates an account or is reset; only `AUTH_LOCAL_FALLBACK` allows passwords, and only for instance administrators. Issuer and subject identify the person. The provider must have verified the address, but an address never finds an account: an existing one is linked from its own session, with its password. A second factor of the account is required at every sign-in; one at the provider does not replace it.',
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
    'server/src/platform/config/auth.ts',
    'server/src/features/auth/linked-accounts/linked-accounts.service.ts',
    'server/src/features/auth/sign-in/sign-in-mode.ts',
  ),
  29: operator(
    'Effects of `requireTwoFactor`, `domainAutoJoin` and `ssoEnabled`',
    '`requireTwoFactor`: a member without a second factor gets 403 everywhere in the web interface of that organization until one is set up; API keys are unaffected. An authenticator app or a passkey counts. Owner and admins who have one themselves can switch it on. They can also remove the lost second factor of a member’s account, never the owner’s: they confirm with their own password and second factor, must administer every organization of that account, and the account must not administer the server. `domainAutoJoin`: a person whose address is in a domain that the organization has proved by a DNS TXT record, checked every day, joins as `member` at sign-in, unless another organization has proved it too, an invitation is pending, or the person was a member before. Domains of public mail providers are refused. It cannot be on without a proved domain. `ssoEnabled`: a session that started with a password, even an existing one, opens nothing of that organization; one that the identity provider vouched for does, and API keys are unaffected. Owner and admins who signed in through the provider can switch it on; `sortie switch-sso-off` switches it off if the provider is unavailable.',
    ['DNS_SERVERS'],
    'server/src/features/organizations/organizations.service.ts',
    'server/src/features/auth/sessions/sessions.service.ts',
    'server/src/features/organizations/member-security/reset-member.service.ts',
    'server/src/features/organizations/domains/domains.service.ts',
    'server/src/features/organizations/domains/domains.queries.ts',
  ),
  30: operator(
    'Events to API clients',
    'Signed outbound webhooks (Standard Webhooks 1.0), an extension: `/webhook-endpoints`, guarded by `organizations:write`. An endpoint receives with the rights of the person or key that created it.',
    ['WEBHOOK_RETRY_SECONDS', 'WEBHOOK_DISABLE_AFTER_HOURS'],
    'contract/src/organization/webhook-endpoints.ts',
    'server/src/features/webhook-endpoints/webhook-endpoints.service.ts',
    'server/src/features/webhook-endpoints/deliveries/deliver.service.ts',
  ),
  31: operator(
    'Deprecation period and signal',
    'At least 12 months. With the settings, every answer of `/api/v1`, errors included, has `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the explanation. Without them, none is sent.',
    ['API_V1_DEPRECATED_AT', 'API_V1_SUNSET_AT'],
    'server/src/platform/http/answers/headers.ts',
  ),
  32: operator(
    'Size of bodies, length and content of fields',
    'Bodies up to 1 MiB, up to 16 KiB for endpoints without sign-in; UTF-8 without byte order mark, at most 32 levels, 2,000 keys and 20,000 values. An endpoint may accept more bytes or keys: text in lines may have a body of 2 MiB, regardless of `BODY_LIMIT_BYTES`. More bytes or keys are 400; more than 10,000 lines, not counting blank ones and comments, are 422. Field lengths are in the OpenAPI document, in code points. One-line texts such as names are trimmed and normalized (NFC) before they are measured; a text of more UTF-16 units than four times its length is refused before that. They must not contain control, invisible and direction characters, except invisible ones that a script needs: U+200C between joining letters (Arabic, Persian, Syriac and others) and after the virama of an Indic script, U+200D after or before such a virama and in emoji, variation selectors after emoji, symbols and ideographs, tags in flags (UAX 31, UTS 51). The description of an engagement must not contain control characters except tab and line breaks. Other long texts accept pasted text, including terminal output. NUL and half surrogate pairs are refused everywhere. One organization has at most 5,000 API keys.',
    ['BODY_LIMIT_BYTES'],
    'contract/src/core/endpoint.ts',
    'contract/src/core/lists.ts',
    'server/src/platform/text/json.ts',
    'server/src/platform/http/routes/steps/parse.ts',
    'server/src/platform/text/text.ts',
    'server/src/platform/text/invisible.ts',
    'server/src/features/api-keys/api-keys.service.ts',
  ),
  33: operator(
    'Default ADMIN_EMAIL and ADMIN_PASSWORD outside local use',
    'There is no default password, not even for local use: behind a reverse proxy every client seems local. The first `npm start` generates one, shows it once and keeps it in `.env`. Any other start uses `ADMIN_PASSWORD`; without it, the first start ends with exit code 78. The default password of earlier versions does not sign in, and a server does not start while an instance administrator has it: `npm run operator -- reset-password` sets another one.',
    ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
    'server/src/features/instance/first-start.ts',
    'server/src/features/auth/accounts/published-password.service.ts',
  ),
  34: decided(
    'Precision of `lastSeenAt` and of the last use of a key',
    'One minute or finer, forward only, `null` for never. Buffered in memory and flushed in batches: every second at most, each row every 30 seconds at most.',
    'server/src/features/auth/sessions/authenticate.ts',
    'server/src/features/api-keys/authenticate.ts',
  ),
  35: decided(
    'How organizations and accounts are created',
    'The first start creates one organization and its owner, who administers the instance. Instance administrators create further organizations with their owners, and appoint further administrators; so does the operator’s command. Everyone else gets an account by accepting an invitation, or by the first sign-in through the identity provider. There is no public sign-up.',
    'server/src/features/instance/first-start.ts',
    'server/src/features/instance/instance.service.ts',
    'server/src/features/organizations/joining/accept.service.ts',
  ),
  36: decided(
    'Notifications by mail',
    'Invitations, and links for a new password or to confirm a browser. To the person concerned: role changed, removed from an organization, ownership transferred, password or second factor changed, recovery code used, sign-in from a device that is unknown by its cookie and by user agent and network. To owner and admins: a key was created or deleted, an invitation was accepted; the first immediately, those of the next quarter of an hour in one mail. To members: a comment mentions them, a task is assigned to them; the first immediately, those of the next five minutes in one mail. Each person can switch off mails about membership, keys, invitations, mentions and assignments, except about a transfer of ownership.',
    'server/src/features/account-emails/account-emails.service.ts',
    'server/src/features/auth/devices/devices.service.ts',
  ),
  37: operator(
    'Number of invitation mails',
    'One organization may cause 200 mails in an hour, and mail one address at most 5 times in a day. Beyond that it gets 429 with `Retry-After`, although the rate limit of the key is not reached. Each organization has its own budget. All organizations together mail one address at most 20 times in a day. Further mails are not sent; only the outbox of the instance administrators shows that. The invitation is pending and its mail counts as sent like any other, since an organization must not see the activity of others.',
    ['INVITATION_LIMIT_PER_HOUR'],
    'server/src/features/organizations/invitations/invitations.service.ts',
  ),
  38: decided(
    'Accepted email addresses, and when two are equal',
    'Up to 254 characters: an ASCII local part without quotes, and a domain name with at least one dot, which is stored in its ASCII form. Two addresses are equal if they differ only in letter case. The local part is stored as it was typed.',
    'server/src/platform/text/text.ts',
  ),
  39: decided(
    'Repetition of a POST',
    'Applies with `Idempotency-Key` (1 to 255 visible ASCII characters, otherwise 400) to any POST below `/api/v1` except uploads of files and downloads, which ignore it. The first success is kept for 24 hours, separately for each API key. A repetition with the same method, path, query and body gets its status and body again with `Idempotency-Replayed: true`; any other request with the key gets 409. The answer is stored encrypted, in the transaction of the change, so that neither exists without the other. While the first request is under way, others with its key wait up to two seconds, then get 503. Refusals are not kept, nor are answers to requests without the header. Deleting the API key deletes its kept answers. GET, PATCH and DELETE ignore the header.',
    'server/src/platform/http/routes/idempotency.ts',
    'server/src/platform/database/idempotency.queries.ts',
  ),
  40: decided(
    'Scopes of findings, the library, retests and reports',
    'The specification has no such objects and no scope for them. This project adds two scopes to the ten: `reports:read` and `reports:write`. A key has them only if they were chosen when it was created, so keys from before are unaffected. Members have both.',
    'contract/src/core/scopes.ts',
  ),
  41: decided(
    'Spelling check of reports',
    'English is built in (dictionary-en and dictionary-en-gb, MIT and BSD). Other languages need Hunspell dictionaries of the operator (`SPELLING_DICTIONARIES`): the German ones are under the GPL (dictionary-de, hunspell-de-de) or the LGPL (@cspell/dict-de-de), and the word lists under MIT have words of Wiktionary (CC BY-SA), or do not name their source. Without a dictionary, the check says that the spelling is not checked.',
    'server/src/features/reports/checks/spelling/spelling.ts',
  ),
}

/** In the order of their numbers; docs/open-points.md is made from them. */
export const OPEN_POINTS: readonly OpenPoint[] = Object.entries(POINTS).map(([number, point]) => ({
  number: Number(number),
  ...point,
}))

/** The decisions for the OpenAPI document. */
export const publishedDecisions = () =>
  OPEN_POINTS.map(({ number, point, decision }) => ({ openPoint: number, point, decision }))

/**
 * All decisions as they apply on this instance, as plain text, with the values of their settings. Secrets are not
 * shown.
 */
export const describeDecisions = (config: Config): string =>
  OPEN_POINTS.map((row) => describe(row, config)).join('\n\n')

const describe = ({ number, point, decision, kind, settings }: OpenPoint, config: Config): string =>
  [
    `${number}. ${point} [${kind}]`,
    `   ${decision}`,
    ...settings.map((name) => `   ${name} = ${valueOf(name, config)}`),
  ].join('\n')

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
    'The specification of the API leaves points "not shown". The rows below are therefore not part of it. Each is a choice of this project (`decided`), a choice of the operator (`operator`, with the settings), or not offered (`refused`). Other texts refer to a row as "open point N". The OpenAPI document publishes the same rows under `x-decisions`, and `npm run operator -- decisions` prints them with the values of an instance.',
    '',
    'Made from [server/src/published/open-points.ts](../server/src/published/open-points.ts) by `npm run openapi`; edit that. [server/src/published/spec-gaps.ts](../server/src/published/spec-gaps.ts) quotes every "not shown" of the specification with the rows that decide it. A test fails if one has none.',
    '',
    '| # | Open point | Decision | Kind | Settings | Applied by |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')}\n`
}
