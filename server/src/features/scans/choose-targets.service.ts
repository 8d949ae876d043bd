import type { Scan } from '@sortie/contract/scans.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { findWrittenMoment, listDiff } from '../results/diff.queries.ts'
import { listTargetsOfResults } from '../results/results.queries.ts'
import { targetList } from '../targets/target-lists.queries.ts'
import { listScanTargets, type ScanTarget } from '../targets/targets.queries.ts'
import { isTaken, type Step } from './steps.ts'

export type WrittenTargets = Static<typeof Scan>['targets']

/** What a scan is about, and how much was left out. */
export interface Chosen {
  targets: ScanTarget[]
  /** Out of scope. */
  skipped: number
}

const DIFF_ROWS_AT_ONCE = 1_000
/** As many as a bulk change takes. */
const MAX_TARGETS = 10_000

const TOO_MANY = `A scan takes at most ${MAX_TARGETS} targets: networks count as one. Narrow it down.`
export const NO_TARGETS = 'There is nothing to scan: no target fits.'

interface Wanted {
  engagementId: string
  steps: readonly Step[]
  written: WrittenTargets
  /** `any`: whoever sets scope aside takes them as they are. */
  outOfScope: 'refuse' | 'skip' | 'any'
  /** Ids that are not there any more are left out; else they are refused. */
  isRepeated: boolean
}

/**
 * The targets that a scan is about, as they stand now, without those that none of its scanners takes.
 *
 * @throws ApiError VALIDATION_ERROR unless exactly one of ids, filter and diff is given, and for what is not in the engagement;
 *   CONFLICT for one that is out of scope, for too many and for none
 */
export const chooseTargets = async (tx: Transaction, actor: Actor, { engagementId, steps, written, outOfScope, isRepeated }: Wanted): Promise<Chosen> => {
  const { organizationId } = actor
  const ids = await idsOf(tx, actor, engagementId, written)
  if (ids.length > MAX_TARGETS) throw conflict(TOO_MANY)
  const found = await listScanTargets(tx, organizationId, engagementId, ids)
  if (!isRepeated && written.ids && found.length < ids.length) throw invalid('targets.ids: names a target that is not in this engagement')
  const taken = found.filter(({ kind }) => isTaken(steps, kind))
  const isOut = ({ verdict }: ScanTarget) => outOfScope !== 'any' && verdict === 'out'
  const refused = taken.find(isOut)
  if (refused && outOfScope === 'refuse') throw conflict(outOfScopeMessage(refused))
  const targets = taken.filter((target) => !isOut(target))
  if (targets.length === 0) throw conflict(NO_TARGETS)
  return { targets, skipped: taken.length - targets.length }
}

const outOfScopeMessage = ({ canonical, pattern }: ScanTarget): string =>
  `${canonical} is out of scope (${pattern === null ? 'covered by no rule' : `rule "${pattern}"`}): leave it out, or skip what is out of scope.`

const idsOf = async (tx: Transaction, actor: Actor, engagementId: string, { ids, filter, diff }: WrittenTargets): Promise<string[]> => {
  if ([ids, filter, diff].filter((given) => given !== undefined).length !== 1) throw invalid('targets: exactly one of ids, filter and diff is needed')
  if (ids) return [...new Set(ids)]
  if (diff) return idsOfDiff(tx, actor, engagementId, diff)
  if (filter?.engagementId !== engagementId) throw invalid('targets.filter.engagementId: must be the engagement of the scan')
  return (await targetList.choose(tx, actor, { filter })).map(({ id }) => id)
}

const idsOfDiff = async (tx: Transaction, { organizationId }: Actor, engagementId: string, diff: NonNullable<WrittenTargets['diff']>): Promise<string[]> => {
  const momentOf = async (name: 'from' | 'to', written: string) => {
    const moment = await findWrittenMoment(tx, organizationId, engagementId, written)
    if (!moment) throw invalid(`targets.diff.${name}: there is no such scan or import in this engagement`)
    return moment
  }
  const from = await momentOf('from', diff.from)
  const to = diff.to === undefined ? undefined : await momentOf('to', diff.to)
  const ids = new Set<string>()
  for (let after: string | undefined, isMore = true; isMore && ids.size <= MAX_TARGETS;) {
    const rows = await listDiff(tx, { organizationId, engagementId, from, to, kinds: undefined }, after, DIFF_ROWS_AT_ONCE)
    const wanted = rows.filter(({ change }) => diff.changes.includes(change)).map(({ id }) => id)
    for (const id of await listTargetsOfResults(tx, organizationId, wanted)) ids.add(id)
    after = rows.at(-1)?.id
    isMore = rows.length === DIFF_ROWS_AT_ONCE
  }
  return [...ids]
}
