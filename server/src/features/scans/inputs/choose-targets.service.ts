import type { Scan } from '@sortie/contract/inventory/scans.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { findWrittenMoment, listDiff } from '../../results/diff/diff.queries.ts'
import { listPlacesOfResults } from '../../results/results.queries.ts'
import { targetList } from '../../targets/lists/target-lists.queries.ts'
import { listScanTargets, type ScanTarget } from '../../targets/targets.queries.ts'
import { isTaken, type Step } from '../run/steps.ts'
import type { Difference, DifferentService } from './known-services.ts'

export type WrittenTargets = Static<typeof Scan>['targets']

/** The targets of a scan. */
export interface Chosen {
  targets: ScanTarget[]
  /** Number of targets out of scope. */
  skipped: number
  /** Of a scan of differences: what is different of each target. */
  differences: ReadonlyMap<string, Difference> | undefined
}

const DIFF_ROWS_AT_ONCE = 1_000
/** The limit of a bulk change. */
const MAX_TARGETS = 10_000
/** As many as are looked at of what is known. */
const MAX_SERVICES = 100_000

const TOO_MANY = `A scan takes at most ${MAX_TARGETS} targets: networks count as one. Narrow it down.`
export const NO_TARGETS = 'There is nothing to scan: no target matches.'

interface TargetChoice {
  engagementId: string
  steps: readonly Step[]
  written: WrittenTargets
  /** `any`: a scan with an override includes targets whatever their verdict. */
  outOfScope: 'refuse' | 'skip' | 'any'
  /** True for a repeated scan: deleted targets are left out. Otherwise they are rejected. */
  isRepeated: boolean
}

/**
 * Selects the current targets of a scan, without those that none of its scanners accepts.
 *
 * @throws ApiError VALIDATION_ERROR unless exactly one of ids, filter and diff is given, and for targets outside the
 *   engagement; CONFLICT for a target out of scope, for too many targets and for none
 */
export const chooseTargets = async (
  tx: Transaction,
  actor: Actor,
  { engagementId, steps, written, outOfScope, isRepeated }: TargetChoice,
): Promise<Chosen> => {
  const { organizationId } = actor
  const { ids: named, filter, diff } = written
  if ([named, filter, diff].filter((given) => given !== undefined).length !== 1)
    throw invalid('targets: exactly one of ids, filter and diff is needed')
  const differences = written.diff && (await differencesOf(tx, actor, engagementId, written.diff))
  const ids = differences ? [...differences.keys()] : await idsOf(tx, actor, engagementId, written)
  if (ids.length > MAX_TARGETS) throw conflict(TOO_MANY)
  const found = await listScanTargets(tx, organizationId, engagementId, ids)
  if (!isRepeated && written.ids && found.length < ids.length)
    throw invalid('targets.ids: names a target that is not in this engagement')
  const taken = found.filter(({ kind }) => isTaken(steps, kind))
  const isOut = ({ verdict }: ScanTarget) => outOfScope !== 'any' && verdict === 'out'
  const refused = taken.find(isOut)
  if (refused && outOfScope === 'refuse') throw conflict(outOfScopeMessage(refused))
  const targets = taken.filter((target) => !isOut(target))
  if (targets.length === 0) throw conflict(NO_TARGETS)
  return { targets, skipped: taken.length - targets.length, differences }
}

const outOfScopeMessage = ({ canonical, pattern }: ScanTarget): string =>
  `${canonical} is out of scope (${pattern === null ? 'covered by no rule' : `rule "${pattern}"`}): leave it out, or skip what is out of scope.`

const idsOf = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string,
  { ids, filter }: WrittenTargets,
): Promise<string[]> => {
  if (ids) return [...new Set(ids)]
  if (filter?.engagementId !== engagementId)
    throw invalid('targets.filter.engagementId: must be the engagement of the scan')
  return (await targetList.choose(tx, actor, { filter })).map(({ id }) => id)
}

/** What is different between two moments, by the target that it belongs to: services, or the host itself. */
const differencesOf = async (
  tx: Transaction,
  { organizationId }: Actor,
  engagementId: string,
  diff: NonNullable<WrittenTargets['diff']>,
): Promise<Map<string, Difference>> => {
  const momentOf = async (name: 'from' | 'to', written: string) => {
    const moment = await findWrittenMoment(tx, organizationId, engagementId, written)
    if (!moment) throw invalid(`targets.diff.${name}: there is no such scan or import in this engagement`)
    return moment
  }
  const from = await momentOf('from', diff.from)
  const to = diff.to === undefined ? undefined : await momentOf('to', diff.to)
  const differences = new Map<string, { isHost: boolean; services: Map<string, DifferentService> }>()
  let services = 0
  for (let after: string | undefined, isMore = true; isMore && differences.size <= MAX_TARGETS;) {
    const rows = await listDiff(
      tx,
      { organizationId, engagementId, from, to, kinds: undefined },
      after,
      DIFF_ROWS_AT_ONCE,
    )
    const wanted = rows.filter(({ change }) => diff.changes.includes(change)).map(({ id }) => id)
    for (const { target_id, host, protocol, port, service } of await listPlacesOfResults(tx, organizationId, wanted)) {
      const difference = differences.get(target_id) ?? { isHost: false, services: new Map() }
      differences.set(target_id, difference)
      const isService = host !== null && port !== null && (protocol === 'tcp' || protocol === 'udp')
      const key = `${host} ${protocol} ${port}`
      if (!isService) difference.isHost = true
      else if (service !== null || !difference.services.has(key)) {
        if (!difference.services.has(key)) services++
        difference.services.set(key, { host, protocol, port, service })
      }
    }
    if (services > MAX_SERVICES)
      throw conflict(`A scan takes at most ${MAX_SERVICES} services that are different. Narrow it down.`)
    after = rows.at(-1)?.id
    isMore = rows.length === DIFF_ROWS_AT_ONCE
  }
  return new Map(
    [...differences].map(([id, difference]) => [
      id,
      { isHost: difference.isHost, services: [...difference.services.values()] },
    ]),
  )
}
