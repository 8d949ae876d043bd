import { createHash } from 'node:crypto'
import { MAX_AFFECTED } from '@sortie/contract/findings/affected.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, forbidden, invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { resultList } from '../../results/results.queries.ts'
import * as query from './affected.queries.ts'

/** What becomes affected assets: exactly one of these. */
export interface Sources {
  assets?: readonly string[] | undefined
  targetIds?: readonly string[] | undefined
  resultIds?: readonly string[] | undefined
  /** Filters of the list of results; it names the engagement. */
  resultFilter?: Readonly<Record<string, unknown>> | undefined
}

interface FindingPlace {
  id: string
  engagementId: string
}

/** SHA-256 of an asset's line, in hexadecimal. */
export const fingerprintOf = (asset: string): string => createHash('sha256').update(asset).digest('hex')

/** An asset to add, with the result that was seen there. */
export interface SeenAsset {
  asset: string
  targetId: string | null
  resultId?: string
}

/**
 * Reads what should become affected assets.
 *
 * @param mustMatch refuses a filter that matches no results
 * @returns the assets, and the results that they come from
 * @throws ApiError VALIDATION_ERROR for objects of another engagement, FORBIDDEN without the scope that reads results
 */
export const readSources = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string,
  { assets, targetIds, resultIds, resultFilter }: Sources,
  mustMatch = false,
): Promise<{ assets: SeenAsset[]; results: query.SeenResult[] }> => {
  const { organizationId } = actor
  if (assets) return { assets: assets.map((asset) => ({ asset, targetId: null })), results: [] }
  if (targetIds) {
    const rows = await query.listTargetsForFinding(tx, organizationId, engagementId, targetIds)
    if (rows.length < new Set(targetIds).size) throw invalid('targetIds: must be targets of this engagement')
    return { assets: rows.map(({ id, canonical }) => ({ asset: lineOf(canonical), targetId: id })), results: [] }
  }
  if (!actor.scopes.has('targets:read')) throw forbidden('Results also need the scope targets:read.')
  if (resultFilter && resultFilter['engagementId'] !== engagementId)
    throw invalid('resultFilter.engagementId: must be the engagement of the finding')
  const ids = resultFilter
    ? (await resultList.choose(tx, actor, { filter: resultFilter })).map(({ id }) => id)
    : (resultIds ?? [])
  const results = await query.listResultsForFinding(tx, organizationId, engagementId, ids)
  if (resultFilter && results.length === 0 && mustMatch) throw invalid('resultFilter: matches no results')
  if (!resultFilter && results.length < new Set(ids).size)
    throw invalid('resultIds: must be results of this engagement')
  return {
    assets: results.map(({ id, asset, target_id }) => ({ asset: lineOf(asset), targetId: target_id, resultId: id })),
    results,
  }
}

const MAX_ASSET = 1_000
const lineOf = (text: string): string => [...text].slice(0, MAX_ASSET).join('')

const AT_ONCE = 2_000

/**
 * Adds assets to a finding that the transaction has locked.
 *
 * @returns how many are new, how many the finding had or that repeat others, and how many results were linked
 * @throws ApiError CONFLICT for more assets than a finding may have
 */
export const addAssets = async (
  tx: Transaction,
  clock: Clock,
  { organizationId }: Pick<Actor, 'organizationId'>,
  { id: findingId, engagementId }: FindingPlace,
  assets: readonly SeenAsset[],
): Promise<{ created: number; known: number; linked: number }> => {
  const now = clock.now()
  const fingerprints = assets.map(({ asset }) => fingerprintOf(asset))
  const distinct = [...new Map(assets.map((seen, place) => [fingerprints[place] as string, seen]))]
  // Ids of one moment are in no order; sorted, they keep that of the lines.
  const ids = distinct.map(() => newId('aff', now)).toSorted()
  let created = 0
  for (let from = 0; from < distinct.length; from += AT_ONCE) {
    const rows = distinct.slice(from, from + AT_ONCE).map(([fingerprint, { asset, targetId }], place) => ({
      id: ids[from + place] as string,
      asset,
      fingerprint,
      target_id: targetId,
    }))
    created += (await query.insertAffected(tx, organizationId, engagementId, findingId, rows, isoTime(now))).size
  }
  if ((await query.countAffected(tx, organizationId, findingId, MAX_AFFECTED + 1)) > MAX_AFFECTED) {
    throw conflict(`A finding has at most ${MAX_AFFECTED} affected assets.`)
  }
  const seen = assets.flatMap(({ resultId }, place) =>
    resultId ? [{ fingerprint: fingerprints[place] as string, result_id: resultId }] : [],
  )
  let linked = 0
  for (let from = 0; from < seen.length; from += AT_ONCE) {
    linked += await query.insertAffectedResults(
      tx,
      organizationId,
      engagementId,
      findingId,
      seen.slice(from, from + AT_ONCE),
    )
  }
  return { created, known: assets.length - created, linked }
}
