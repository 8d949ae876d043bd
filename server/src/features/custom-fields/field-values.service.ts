import type { FieldObjectType, WrittenFields, WrittenFieldValue } from '@sortie/contract/custom-fields/fields.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import { canonicalJson } from '../../platform/text/json.ts'
import * as query from './field-values.queries.ts'
import { type FieldRule, parseFieldValue } from './parse-field-value.ts'

interface FieldOwner {
  type: FieldObjectType
  id: string
  /** Null for an object of the organization. */
  engagementId: string | null
}

/** The fields that changed, by key; null for one without a value. */
export interface ChangedFields {
  before: WrittenFields
  after: WrittenFields
}

/**
 * Sets custom fields of an object that the transaction has locked. Unchanged values have no effect, even if they would
 * be refused now.
 *
 * @returns undefined if nothing changes
 * @throws ApiError VALIDATION_ERROR that names the key
 */
export const setFields = async (
  tx: Transaction,
  { organizationId }: Pick<Actor, 'organizationId'>,
  owner: FieldOwner,
  wanted: WrittenFields | undefined,
): Promise<ChangedFields | undefined> => {
  if (wanted === undefined || Object.keys(wanted).length === 0) return undefined
  const rules = new Map((await query.listRules(tx, organizationId, owner.type)).map((rule) => [rule.key, rule]))
  const current = await query.findValues(tx, organizationId, owner.id)
  const parsed = Object.entries(wanted).map(([key, value]) => {
    const rule = rules.get(key)
    if (!rule) throw invalid(`fields.${key}: there is no such field`)
    const isKept = Object.hasOwn(current, key) && canonicalJson(current[key]) === canonicalJson(value)
    return { rule, key, value: value === null || isKept ? value : parseFieldValue(rule, value) }
  })
  const changed = parsed.filter(({ key, value }) => canonicalJson(value) !== canonicalJson(current[key] ?? null))
  if (changed.length === 0) return undefined
  for (const { rule, value } of changed) await requirePerson(tx, organizationId, owner, rule, value)
  const set = changed.filter(({ value }) => value !== null)
  const cleared = changed.filter(({ value }) => value === null)
  if (set.length > 0)
    await query.upsertValues(
      tx,
      organizationId,
      owner,
      Object.fromEntries(set.map(({ rule, value }) => [rule.id, value])),
    )
  if (cleared.length > 0) {
    await query.deleteValues(
      tx,
      organizationId,
      owner.id,
      cleared.map(({ rule }) => rule.id),
    )
  }
  return {
    before: Object.fromEntries(changed.map(({ key }) => [key, current[key] ?? null])),
    after: Object.fromEntries(changed.map(({ key, value }) => [key, value])),
  }
}

/** Adds changed custom fields to the other changes of an object, as the audit log stores them. */
export const withFields = (changed: { before: object; after: object }, set: ChangedFields | undefined) => ({
  before: { ...changed.before, ...(set && { fields: set.before }) },
  after: { ...changed.after, ...(set && { fields: set.after }) },
})

const requirePerson = async (
  tx: Transaction,
  organizationId: string,
  owner: FieldOwner,
  rule: FieldRule,
  value: WrittenFieldValue,
): Promise<void> => {
  if (rule.type !== 'person' || value === null) return
  if (await query.lockIsMemberWithAccess(tx, organizationId, owner.engagementId, value as string)) return
  throw invalid(
    `fields.${rule.key}: must be the id of a member${owner.engagementId === null ? '' : ' with access to this engagement'}`,
  )
}

/** Copies the custom fields of objects to their copies in another engagement. */
export const copyFields = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  copies: readonly { id: string; copyId: string }[],
): Promise<void> => {
  if (copies.length === 0) return
  const [ids, copyIds] = [copies.map(({ id }) => id), copies.map(({ copyId }) => copyId)]
  await query.insertCopiedValues(tx, organizationId, engagementId, ids, copyIds)
}
