import type { Coverage } from '@sortie/contract/tasks/coverage.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { notFound } from '../../platform/errors.ts'
import { csvLine } from '../../platform/text/csv.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { type CheckRow, countInScope, listChecks, listTargetsOf } from './coverage.queries.ts'
import { ABOUT } from './files/columns.ts'
import { findMethodology, type MethodologyRow } from './methodologies.queries.ts'

export type Matrix = Static<typeof Coverage>
type Sums = Matrix['sums']
type Target = Awaited<ReturnType<typeof listTargetsOf>>[number]

/** @throws ApiError NOT_FOUND for a hidden engagement or methodology */
export const readCoverage = async (
  db: Database,
  actor: Actor,
  engagementId: string,
  methodologyId: string,
): Promise<Matrix> => {
  const { organizationId } = actor
  if (!(await findEngagement(db, organizationId, engagementId))) throw notFound()
  const methodology = await findMethodology(db, organizationId, methodologyId)
  if (!methodology) throw notFound()
  const checks = await listChecks(db, organizationId, engagementId, methodologyId)
  const targetIds = [...new Set(checks.flatMap(({ target_id }) => target_id ?? []))]
  const [targets, inScope] = await Promise.all([
    listTargetsOf(db, organizationId, targetIds),
    countInScope(db, organizationId, engagementId),
  ])
  return matrixOf(methodology, checks, targetIds, targets, inScope, actor.scopes.has('targets:read'))
}

const matrixOf = (
  methodology: MethodologyRow,
  checks: readonly CheckRow[],
  targetIds: readonly string[],
  targets: readonly Target[],
  inScope: ReadonlyMap<string, number>,
  showsValues: boolean,
): Matrix => {
  const sums = noSums()
  const ofItem = new Map<string, Sums>()
  const ofTarget = new Map<string, Sums>()
  for (const { item_key, target_id, outcome } of checks) {
    sums[outcome] += 1
    sumsFor(ofItem, item_key)[outcome] += 1
    if (target_id !== null) sumsFor(ofTarget, target_id)[outcome] += 1
  }
  const shown = new Map(targets.map((target) => [target.id, target]))
  // Existing targets first, then those that were deleted since.
  const columns = [...targets.map(({ id }) => id), ...targetIds.filter((id) => !shown.has(id))]
  return {
    methodologyId: methodology.id,
    items: [...methodology.items, ...formerItems(methodology, ofItem)].map(({ key, title, group }) => ({
      key,
      title,
      group,
      sums: ofItem.get(key) ?? noSums(),
    })),
    targets: columns.map((id) => ({
      id,
      value: showsValues ? (shown.get(id)?.value ?? null) : null,
      sums: ofTarget.get(id) ?? noSums(),
    })),
    cells: checks.map((row) => ({
      itemKey: row.item_key,
      targetId: row.target_id,
      taskId: row.id,
      status: row.status,
      outcome: row.outcome,
    })),
    sums,
    missing: countMissing(methodology, checks, shown, inScope),
  }
}

/** Items that the methodology had when its tasks were created. */
const formerItems = ({ items }: MethodologyRow, ofItem: ReadonlyMap<string, unknown>) => {
  const known = new Set(items.map(({ key }) => key))
  return [...ofItem.keys()].filter((key) => !known.has(key)).map((key) => ({ key, title: key, group: '' }))
}

/** Pairs of an item and an in-scope target that it applies to, minus those that have a task. */
const countMissing = (
  { items }: MethodologyRow,
  checks: readonly CheckRow[],
  shown: ReadonlyMap<string, Target>,
  inScope: ReadonlyMap<string, number>,
): number => {
  const kindsOf = new Map(items.map(({ key, appliesTo }) => [key, appliesTo as readonly string[]]))
  const pairs = items.reduce(
    (sum, { appliesTo }) => sum + appliesTo.reduce((of, kind) => of + (inScope.get(kind) ?? 0), 0),
    0,
  )
  const covered = checks.filter(({ item_key, target_id }) => {
    const target = target_id === null ? undefined : shown.get(target_id)
    return target?.verdict === 'in' && kindsOf.get(item_key)?.includes(target.kind)
  })
  return pairs - covered.length
}

const noSums = (): Sums => ({ untested: 0, pass: 0, fail: 0, not_applicable: 0 })

const sumsFor = (all: Map<string, Sums>, key: string): Sums => {
  const sums = all.get(key) ?? noSums()
  all.set(key, sums)
  return sums
}

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * One line per item, one column per target; the first column is for items that are checked once for the engagement.
 *
 * @param about the methodology's description, source and licence: in the first line
 */
export async function* coverageCsv({ items, targets, cells }: Matrix, about: string): AsyncGenerator<string> {
  const outcomes = new Map(cells.map(({ itemKey, targetId, outcome }) => [`${itemKey}\n${targetId ?? ''}`, outcome]))
  yield (
    BYTE_ORDER_MARK +
    csvLine([
      'key',
      'title',
      'group',
      'once',
      ...targets.map(({ id, value }) => value ?? id),
      ...(about === '' ? [] : [ABOUT]),
    ])
  )
  for (const [index, { key, title, group }] of items.entries()) {
    const outcomesOf = [{ id: '' }, ...targets].map(({ id }) => outcomes.get(`${key}\n${id}`) ?? null)
    yield csvLine([key, title, group, ...outcomesOf, ...(about === '' ? [] : [index === 0 ? about : null])])
  }
}
