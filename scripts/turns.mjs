// Tests that take turns. A commit runs one part in four of these files, all others, and one variant in so many of each walk
// (`oneOf`, `sampled`). Which ones the commit's id decides, so that the same commit runs the same tests everywhere.
import { spawnSync } from 'node:child_process'

const PARTS = 4

/** Files of tests by the runner's project: what is listed is a second look at what others state, or changes seldom. */
export const TAKING_TURNS = {
  server: [
    'embedded-postgres/test/embedded-postgres.test.ts',
    'server/test/api/activity-names.test.ts',
    'server/test/api/audit-export.test.ts',
    'server/test/api/changed-tables.test.ts',
    'server/test/api/costs.test.ts',
    'server/test/api/default-password.test.ts',
    'server/test/api/directory.test.ts',
    'server/test/api/domains.test.ts',
    'server/test/api/engagement-clones.test.ts',
    'server/test/api/factor-walk.test.ts',
    'server/test/api/file-limits.test.ts',
    'server/test/api/identities-confirmation.test.ts',
    'server/test/api/identities-workos.test.ts',
    'server/test/api/import-coverage-openvas.test.ts',
    'server/test/api/import-coverage.test.ts',
    'server/test/api/import-formats.test.ts',
    'server/test/api/import-identities.test.ts',
    'server/test/api/import-inventory.test.ts',
    'server/test/api/import-operations.test.ts',
    'server/test/api/import-scanners.test.ts',
    'server/test/api/import-targets.test.ts',
    'server/test/api/import-traps.test.ts',
    'server/test/api/import-undo.test.ts',
    'server/test/api/import-urls.test.ts',
    'server/test/api/inherited-names.test.ts',
    'server/test/api/input-texts.test.ts',
    'server/test/api/inventory-words.test.ts',
    'server/test/api/invitation-budgets.test.ts',
    'server/test/api/invitations.pages.test.ts',
    'server/test/api/listeners.test.ts',
    'server/test/api/member-security.test.ts',
    'server/test/api/members.pages.test.ts',
    'server/test/api/notifications.test.ts',
    'server/test/api/operations.test.ts',
    'server/test/api/overload.test.ts',
    'server/test/api/passkeys.test.ts',
    'server/test/api/password-rule.test.ts',
    'server/test/api/recon.test.ts',
    'server/test/api/request-at-once.test.ts',
    'server/test/api/request-export.curl.test.ts',
    'server/test/api/request-history.test.ts',
    'server/test/api/request-hostile.test.ts',
    'server/test/api/request-limits.test.ts',
    'server/test/api/request-loops.test.ts',
    'server/test/api/request-postman.test.ts',
    'server/test/api/request-proxies.test.ts',
    'server/test/api/request-redirects.test.ts',
    'server/test/api/request-secret-hosts.test.ts',
    'server/test/api/request-sequences.test.ts',
    'server/test/api/request-tls.test.ts',
    'server/test/api/request-transfer.test.ts',
    'server/test/api/request-values.test.ts',
    'server/test/api/result-sorts.test.ts',
    'server/test/api/result-summary.test.ts',
    'server/test/api/result-verdicts.test.ts',
    'server/test/api/revocation-locks.test.ts',
    'server/test/api/scan-connections.test.ts',
    'server/test/api/scan-known-services.test.ts',
    'server/test/api/scan-options.test.ts',
    'server/test/api/scan-queue.test.ts',
    'server/test/api/scan-schedules.test.ts',
    'server/test/api/sign-in-races.test.ts',
    'server/test/api/stripe-signature.test.ts',
    'server/test/api/task-comments.test.ts',
    'server/test/api/task-issues.test.ts',
    'server/test/api/task-lists.test.ts',
    'server/test/api/task-order.test.ts',
    'server/test/api/views.test.ts',
    'server/test/api/walk-positions.test.ts',
    'server/test/api/webhook-limits.test.ts',
    'server/test/api/wiki-archive-inverse.test.ts',
    'server/test/api/wiki-archive-names.test.ts',
    'server/test/api/wiki-archive.test.ts',
    'server/test/api/wiki-concurrent.test.ts',
    'server/test/api/wiki-history.test.ts',
    'server/test/api/wiki-hostile-archives.test.ts',
    'server/test/api/wiki-large.test.ts',
    'server/test/api/wiki-links.test.ts',
    'server/test/api/wiki-merge.test.ts',
    'server/test/api/wiki-turns.test.ts',
    'server/test/api/wiki-viewers.test.ts',
    'server/test/platform/costs.test.ts',
    'server/test/platform/jobs.test.ts',
    'server/test/platform/lines.test.ts',
    'server/test/platform/lists.test.ts',
    'server/test/platform/migrate.test.ts',
    'server/test/platform/work.test.ts',
    'server/test/scans/dns.test.ts',
    'server/test/scans/hostile-arguments.test.ts',
    'server/test/scans/nmap.test.ts',
    'server/test/scans/ports.test.ts',
    'server/test/scans/web.test.ts',
  ],
  browser: [],
}

/** The turn of the commit that is checked out; 0 where there is no history. */
export const turnOfCommit = () => {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : 0
}

/**
 * The files that a run leaves out, whose turn it is not. None where no turn is set: a file that is asked for by its name is run.
 *
 * @param {readonly string[]} files
 */
export const notInTurn = (files, turn = process.env.SORTIE_TURN) => (turn ? files.filter((_, index) => index % PARTS !== Number(turn) % PARTS) : [])
