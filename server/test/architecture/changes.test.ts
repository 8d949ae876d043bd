import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const FEATURES = path.resolve('server/src/features')

/** A function or value at the top level of a file. */
interface Part {
  /** `members/members.service.ts removeMember` */
  name: string
  text: string
}

const parts: Part[] = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    readFileSync(path.join(FEATURES, file), 'utf8')
      .split(/^(?=(?:export )?(?:const|async function|function) \w+)/m)
      .map((text) => ({
        name: `${file} ${/^(?:export )?(?:const|async function\*?|function\*?) (\w+)/.exec(text)?.[1] ?? 'imports'}`,
        text,
      })),
  )

const named = (pattern: RegExp) =>
  [...new Set(parts.filter(({ text }) => pattern.test(text)).map(({ name }) => name))].toSorted()

/** Functions that open a transaction without `change`, and why no right has to be checked again there. */
const OWN_TRANSACTIONS = {
  'billing/apply-event.service.ts applyEvent': 'a job that acts for no one',
  'billing/billing.service.ts receiveEvent': 'a webhook, signed by its sender',
  'code-hosting/code-hosting.service.ts receiveDelivery': 'a webhook, signed by its sender',
  'auth/browser-confirmations/browser-confirmations.service.ts confirmBrowser':
    'the right is the mailed token, which it takes',
  'auth/browser-confirmations/browser-confirmations.service.ts mailBrowserConfirmation': 'a job that acts for no one',
  'auth/browser-confirmations/browser-confirmations.service.ts requestBrowserConfirmation':
    'open to everyone; only a job is queued',
  'auth/linked-accounts/linked-accounts.service.ts signInWithProvider': 'signing in: the right is what is being proved',
  'auth/password-resets/password-resets.service.ts mailPasswordReset': 'a job that acts for no one',
  'auth/password-resets/password-resets.service.ts requestPasswordReset': 'open to everyone; only a job is queued',
  'auth/password-resets/password-resets.service.ts resetPassword': 'the right is the mailed token, which it takes',
  'auth/sign-in/sign-in.service.ts signIn': 'signing in: the right is what is being proved',
  'auth/sign-in/sign-in.service.ts signInWithSecondFactor': 'signing in: the right is the ticket, which it takes',
  'auth/sessions/sessions.service.ts signOut':
    'ends the session of this request; one that has ended is signed out already',
  'requests/runs/handoffs/handoffs.jobs.ts take': 'a job that looks at the permission of its requester, and holds it',
  'requests/runs/execute/run-rules.service.ts createRunRules': 'only reads: it is what looks at the right again',
  'requests/runs/handoffs/handoffs.service.ts withdraw':
    'withdraws a request that no process will send, regardless of permissions',
  'instance/restored.service.ts settleRestored': 'an operator’s command, before anyone is served',
  'organizations/directory/apply-change.service.ts applyEvent': 'a job that acts for no one',
  'organizations/directory/directory.service.ts receiveEvent': 'a webhook, signed by its sender, and a job',
  'organizations/domains/domains.jobs.ts checkDomains': 'a job that acts for no one',
  'scans/schedules/schedules.jobs.ts startDueScan':
    'a job that looks at the permission of the user of the schedule, and holds it',
  'tasks/issues/issues.service.ts applyIssue': 'a job that acts for no one',
  'webhook-endpoints/deliveries/deliver.service.ts authorize':
    'a loop that looks at the permission of the maker of the endpoint, and holds it',
  'webhook-endpoints/deliveries/delivery-loop.ts claim': 'a loop that acts for no one',
  'webhook-endpoints/deliveries/record-attempt.service.ts recordAttempt': 'a loop that acts for no one',
  'webhook-endpoints/events/fan-out.service.ts fanOutOf':
    'a loop that looks at the permission of the maker of each endpoint, and holds it',
  'presence/presence.service.ts tell': 'a stream that was let in, and no one’s right to write',
  'auth/second-factor/rotation/kept-keys.ts resealFactors': 'a job that acts for no one',
  'report-renders/signing/certificates.service.ts resealCertificates': 'a job that acts for no one',
  'requests/saved/reseal.service.ts resealRequests': 'a job that acts for no one',
  'webhook-endpoints/reseal.service.ts resealEndpoints': 'a job that acts for no one',
  'instance/first-start.ts createFirstOrganization': 'before anyone is served',
}

test('K14: the caller is checked again within the transaction of each change: features open transactions in no other way', () => {
  expect(named(/\btransaction\(/)).toEqual(Object.keys(OWN_TRANSACTIONS).toSorted())
  expect(named(/\bplainChange\(/)).toEqual([
    // Open to everyone: a terminal asks for a code, and its right is the code that it got.
    'device-logins/device-logins.service.ts startDeviceLogin',
    'device-logins/redeem.service.ts redeemDeviceCode',
    'engagements/removal/trash.service.ts purgeOldTrash',
    'findings/lifecycle/trash.service.ts removeOld',
    'oauth/redeem-code.service.ts makeKey',
    'organizations/domains/domains.jobs.ts checkDomainAgain',
    // A request that was sent is recorded in the history, even if the right was revoked during it.
    'requests/runs/execute/perform.service.ts endRun',
    'requests/sequences/sequences.service.ts endSequence',
    'requests/sequences/sequences.service.ts watch',
    'requests/trash/empty-trash.service.ts removeOld',
    'scans/probes/probes.ts recordProbes',
    'scans/probes/probes.ts settleMinutes',
    'wiki/pages/trash.service.ts removeOld',
  ])
  expect(named(/\.(?:transaction|startTransaction|connection)\(\)|recheckedChange\(/)).toEqual([])
  expect(named(/\bchange(?:Account|Organization|Member)?\(/).length).toBeGreaterThanOrEqual(35)
})

/** Writes outside of any transaction, and why. Functions that only remove expired rows are marked as such. */
const OWN_WRITES = {
  'requests/runs/handoffs/handoffs.queries.ts cancelHandoff': 'stops what was begun, whatever became of the right',
  'requests/runs/handoffs/handoffs.queries.ts deleteHandoff': 'clears away after a run that has ended',
  'requests/runs/runs.queries.ts extendRun': 'says that a process still lives',
  'requests/runs/runs.queries.ts failDeadRuns': 'a job that acts for no one',
  'requests/sequences/sequences.queries.ts beatSequence': 'says that a process still lives',
  'requests/sequences/sequences.queries.ts failDeadSequences': 'a job that acts for no one',
  'api-keys/authenticate.ts keyAuthenticator': 'notes when keys were last used',
  'auth/throttle/throttle.queries.ts countAttempt': 'counts whatever comes of the attempt',
  'auth/throttle/throttle.queries.ts deleteBucket': 'counts whatever comes of the attempt',
  'auth/throttle/throttle.queries.ts deleteBucketsBelow': 'counts whatever comes of the attempt',
  'auth/throttle/throttle.queries.ts uncountAttempt': 'counts whatever comes of the attempt',
  'auth/linked-accounts/linked-accounts.queries.ts consumeFlow':
    'an answer of a provider is looked at once, whatever comes of it',
  'auth/sessions/authenticate.ts writeMembers': 'notes when members were last seen',
  'auth/sessions/authenticate.ts writeSessions': 'notes when sessions were last used',
  'auth/pending-sign-ins/pending-sign-ins.queries.ts countAttempt': 'counts whatever comes of the attempt',
  'instance/last-backup.queries.ts writeLastBackup': 'an operator’s command that acts for no one',
  'mails/mails.queries.ts updateMail': 'a job that acts for no one',
  'organizations/directory/directory.queries.ts saveCursor': 'a job that acts for no one',
  'organizations/invitations/invitations.queries.ts setTokenHash': 'a job that acts for no one',
  'results/results.queries.ts reopenExpired': 'a job that acts for no one',
  'webhook-endpoints/deliveries/claims.queries.ts cancelOfDisabled': 'a loop that acts for no one',
  'presence/presence.queries.ts renewViewers': 'notes which streams are still open',
}

test('K14: rows are written by functions that take a transaction', () => {
  const writes = /\b(?:insertInto|updateTable|deleteFrom)\(|sql`\s*(?:insert into|update|delete from) /
  const outside = parts.filter(({ text }) => writes.test(text) && /\bdb: Database\b/.test(text)).map(({ name }) => name)
  const cleaning = /\.queries\.ts delete(?:Ended|Stale)\w+$|\.queries\.ts delete\w+Before$/
  expect(outside.filter((name) => !cleaning.test(name)).toSorted()).toEqual(Object.keys(OWN_WRITES).toSorted())
})
