import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Coverage } from '../../inventory/coverage/coverage.ts'
import { noteCoverages, noteSeenHosts } from '../../inventory/coverage/mark-gone.service.ts'
import { findIsLogged, findIsLoggedAs } from '../../operation-log/operation-log.queries.ts'
import { recordOperations } from '../../operation-log/operation-log.service.ts'
import { coveragesOf } from '../covered.service.ts'
import { MAX_PROBES } from '../file-probes.ts'
import * as query from '../imports.queries.ts'
import { leftOutWarnings } from './left-out-warnings.ts'
import { type ImportSession, idsOf, sourceOf, storeSeenTime, toolsOf } from './session.ts'

const HOSTLESS =
  'fullRescan does not mark findings and components without a host as gone, such as those in code: the file does not state which of them it covers. Use covered=all if the file is everything that the tool sees in the engagement.'

/** Operation log entries per statement. */
const LOGGED_AT_ONCE = 1_000

export interface ImportOutcome {
  state: 'applied' | 'partial' | 'previewed' | 'failed'
  /** What is missing, as a sentence; null if nothing is. */
  reason: string | null
}

/**
 * Writes what is known once the file was read: the log of its probes, and the coverage of the whole file if the
 * importer set it. Changes nothing of the session.
 *
 * @returns warnings
 */
export const finishFile = async (tx: Transaction, session: ImportSession): Promise<string[]> => {
  const { row, notes, written, limits } = session
  await storeSeenTime(tx, session)
  const source = sourceOf(session)
  const warnings = [...notes.seenTime.warnings, ...notes.warnings, ...leftOutWarnings(written.leftOut)]
  if (written.found === 0 && isRead(session) && row.size > 0) warnings.push(nothingIn(notes.format))
  if (written.unknownDecisions > 0)
    warnings.push(
      `Statements about findings that the engagement does not have, which change nothing: ${written.unknownDecisions}.`,
    )
  if (written.isFull)
    warnings.push(
      `Not every target of the file was added: an engagement has at most ${limits.targets} targets (TARGET_LIMIT).`,
    )
  if (await logProbes(tx, session))
    warnings.push(`The operation log has the first ${MAX_PROBES} addresses of the file only.`)
  await noteCoverages(
    tx,
    source,
    [...session.skippedHosts].map((host) => ({ what: 'nothing', host })),
  )
  const { fullRescan, covered } = row.options
  if (!fullRescan && covered === null) return warnings
  if (!isRead(session))
    return [
      ...warnings,
      'Parts of the file could not be read, so results that it does not contain are not marked as gone.',
    ]
  if (fullRescan && covered !== 'all' && written.isHostless) warnings.push(HOSTLESS)
  if (covered !== null) await noteCoverages(tx, source, await coveragesOf(tx, source, covered))
  if (fullRescan && row.mode === 'apply') await noteSeenHosts(tx, source)
  if (fullRescan && row.mode === 'preview') await noteCoverages(tx, source, await previewedHosts(tx, session))
  return warnings
}

/** Why a file that was read to its end left no result. */
const nothingIn = (format: string | undefined): string =>
  `The file is a complete file of ${format ?? 'a known format'} and contains no result: the tool found nothing there, or its options left the findings out.`

/**
 * Logs the file's probes once: not for a preview, not for a file that was imported before, and not if the command that
 * wrote it is logged.
 *
 * @returns true if the limit cut some off
 */
const logProbes = async (tx: Transaction, session: ImportSession): Promise<boolean> => {
  const { row, notes } = session
  const { organizationId, engagementId, importId } = idsOf(session)
  if (row.mode === 'preview') return false
  const { loggedAs = null } = row.options
  if (loggedAs !== null && (await findIsLoggedAs(tx, organizationId, engagementId, loggedAs))) return false
  const sameFile = await query.listImportsOfFile(tx, organizationId, engagementId, row.sha256)
  if (await findIsLogged(tx, organizationId, sameFile)) return false
  const tool = [toolsOf(notes).join(', '), notes.toolVersion].filter(Boolean).join(' ')
  const operations = notes.probes.operations(importId, tool)
  for (let at = 0; at < operations.length; at += LOGGED_AT_ONCE) {
    await recordOperations(tx, { organizationId, engagementId }, operations.slice(at, at + LOGGED_AT_ONCE))
  }
  return notes.probes.isFull
}

const previewedHosts = async (tx: Transaction, { row }: ImportSession): Promise<Coverage[]> => {
  const hosts = await query.listPreviewHosts(tx, row.organization_id, row.id)
  return hosts.map((host) => ({ what: 'everything', host }))
}

/** Reports whether every piece was read, apart from those that were skipped as out of scope. */
const isRead = ({ row, notes, written }: ImportSession): boolean =>
  notes.cut === undefined && written.rejected === (row.options.outOfScope === 'skip' ? written.outOfScope : 0)

/** How the import ends, by what was read. */
export const outcomeOf = (session: ImportSession): ImportOutcome => {
  const { row, notes, written } = session
  const { rejected, found } = written
  const pieces = rejected === 1 ? '1 entry could not be imported' : `${rejected} entries could not be imported`
  const reason = [notes.cut, rejected > 0 ? pieces : undefined].filter((part) => part !== undefined).join('; ') || null
  if (found === 0 && !isRead(session))
    return { state: 'failed', reason: notes.cut ?? `nothing in the file can be read: ${notes.firstReason}` }
  if (row.mode === 'preview') return { state: 'previewed', reason }
  return { state: notes.cut === undefined && rejected === 0 ? 'applied' : 'partial', reason }
}

/** The warning of a preview about results with newer data. */
export const olderWarning = ({ notes }: ImportSession, count: number): string =>
  `The file shows what was there at ${notes.seenTime.seenAt}. ${count === 1 ? 'A result of it was' : `${count} of its results were`} seen or changed later, and would stay unchanged.`
