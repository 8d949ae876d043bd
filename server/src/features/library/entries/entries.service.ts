import type { WrittenFields } from '@sortie/contract/custom-fields/fields.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, forbidden, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import { severityOf } from '../../../platform/lists/severities.ts'
import { canonicalJson } from '../../../platform/text/json.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { setFields, withFields } from '../../custom-fields/field-values.service.ts'
import { deleteFilesOf } from '../../files/files.service.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import { keyFrom } from '../transfer/formats/imported-entry.ts'
import { addVersion } from './add-version.service.ts'
import { findClientData } from './client-data.ts'
import * as query from './entries.queries.ts'
import { columnsOf, contentOf, sizeOf } from './entry-columns.ts'
import { EMPTY_ENTRY, type EntryContent, mergeEntry, type WrittenEntry } from './merge-entry.ts'
import { findProposedFinding, listClientNames } from './proposal.queries.ts'

const MAX_ENTRIES = 5_000
const MAX_KEY = 40
const BUILT_IN = 'This entry is built in: copy it, and change the copy.'

export type NewEntry = WrittenEntry & {
  key?: string
  fromFindingId?: string
  language?: string
  fields?: WrittenFields
}
export type EntryChange = WrittenEntry & {
  key?: string
  state?: query.EntryRow['state']
  confirmed?: string[]
  fields?: WrittenFields
  ifUpdatedAt?: string
}

/** Reports whether the caller may approve entries, and change approved ones. */
export const isApprover = ({ kind, role, scopes }: Actor): boolean =>
  kind === 'key' ? scopes.has('organizations:write') : role === 'owner' || role === 'admin'

/**
 * @throws ApiError VALIDATION_ERROR without key, language or title, and for a hidden finding, CONFLICT for a key that
 *   is taken
 */
export const createEntry = (
  writer: Writer,
  actor: Actor,
  { fromFindingId, language, key, fields, ...wanted }: NewEntry,
): Promise<query.EntryRow> =>
  writer.change(async (tx) => {
    if (fromFindingId !== undefined) return propose(tx, writer, actor, fromFindingId, { key, language, fields, wanted })
    if (key === undefined) throw invalid('key: is needed')
    if (wanted.mainLanguage === undefined) throw invalid('mainLanguage: is needed')
    const content = mergeEntry({ ...EMPTY_ENTRY, mainLanguage: wanted.mainLanguage }, wanted)
    return addEntry(tx, writer, actor, { key, state: 'draft', content, fields })
  })

interface Proposed {
  key: string | undefined
  language: string | undefined
  fields: WrittenFields | undefined
  wanted: WrittenEntry
}

const propose = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  findingId: string,
  { key, language, fields, wanted }: Proposed,
): Promise<query.EntryRow> => {
  const finding = await findProposedFinding(tx, actor.organizationId, findingId)
  if (!finding) throw invalid('fromFindingId: must be a finding that you can see')
  const mainLanguage =
    language ??
    wanted.mainLanguage ??
    (await query.listLanguages(tx, actor.organizationId, finding.engagement_id))[0] ??
    'en'
  const { title, summary, description, impact, reproduction, recommendation, source_references: references } = finding
  const text = { title, summary, description, impact, reproduction, recommendation, references }
  const { cvss_vector: cvssVector, cwe, owasp, wstg, attack, tags } = finding
  const severity = severityOf(finding.severity)
  const own = {
    ...EMPTY_ENTRY,
    mainLanguage,
    severity,
    cvssVector,
    cwe,
    owasp,
    wstg,
    attack,
    tags,
    texts: { [mainLanguage]: text },
  }
  const content = mergeEntry(own, { ...wanted, mainLanguage })
  return addEntry(tx, writer, actor, {
    key: key ?? (keyFrom(title) || 'entry'),
    state: 'proposed',
    content,
    fields,
    finding: { id: findingId, engagementId: finding.engagement_id },
  })
}

interface AddedEntry {
  key: string
  state: query.EntryRow['state']
  content: EntryContent
  fields?: WrittenFields | undefined
  finding?: { id: string; engagementId: string }
}

/** @throws ApiError CONFLICT for a key that is taken, and beyond the limits */
export const addEntry = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  { key, state, content, fields, finding }: AddedEntry,
): Promise<query.EntryRow> => {
  const { clock } = writer
  const { organizationId } = actor
  await acquireFairLocks(tx, { exclusive: [`library ${organizationId}`] })
  if ((await query.countEntries(tx, organizationId, MAX_ENTRIES)) >= MAX_ENTRIES)
    throw conflict(`A library has at most ${MAX_ENTRIES} entries.`)
  const id = newId('lib', clock.now())
  if (!finding) await requireFreeKey(tx, organizationId, key, id)
  const columns = columnsOf(content)
  await requireStorage(tx, writer, organizationId, sizeOf(columns))
  // Before the first write: an import goes on with the next entry if a field is refused.
  const set = await setFields(tx, actor, { type: 'library_entry', id, engagementId: null }, fields)
  const now = isoTime(clock.now())
  const author = authorOf(actor)
  await query.insertEntry(tx, {
    ...columns,
    id,
    organization_id: organizationId,
    engagement_id: finding?.engagementId ?? null,
    finding_id: finding?.id ?? null,
    key,
    state,
    created_by: author,
    created_at: now,
    updated_at: now,
  })
  if (!finding) await addVersion(tx, organizationId, id, 1, columns, author, now)
  const verb = finding ? 'proposed' : 'created'
  await record(tx, writer, actor, `library-entry.${verb}`, id, finding?.engagementId ?? null, {
    after: { title: columns.title, key, ...(set && { fields: set.after }) },
  })
  return requireEntry(tx, organizationId, id)
}

/**
 * Unchanged values have no effect.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for an approved entry without the right to approve, VALIDATION_ERROR, CONFLICT
 *   for a built-in entry, a stale change, a taken key, and for client data that is not confirmed
 */
export const updateEntry = (
  writer: Writer,
  actor: Actor,
  entryId: string,
  change: EntryChange,
): Promise<query.EntryRow> => writer.change((tx) => changeEntry(tx, writer, actor, entryId, change))

/** @param returnsToDraft whether a change makes an approved or proposed entry a draft */
export const changeEntry = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  entryId: string,
  change: EntryChange,
  { returnsToDraft = false } = {},
): Promise<query.EntryRow> => {
  const { clock } = writer
  const { key, state: wantedState, confirmed, fields, ifUpdatedAt, ...wanted } = change
  const { organizationId } = actor
  await acquireFairLocks(tx, { exclusive: [`library ${organizationId}`] })
  const before = await lockOwn(tx, organizationId, entryId)
  requireApprover(actor, before, wantedState)
  if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
    throw conflict('This entry was changed in the meantime. Read it again, then repeat the change.')
  }
  const old = contentOf(before)
  const content = mergeEntry(old, wanted)
  const changed = (Object.keys(content) as (keyof EntryContent)[]).filter(
    (name) => canonicalJson(content[name]) !== canonicalJson(old[name]),
  )
  const set = await setFields(tx, actor, { type: 'library_entry', id: entryId, engagementId: null }, fields)
  const state = returnsToDraft && (changed.length > 0 || set) ? 'draft' : wantedState
  const isApproval = state === 'approved' && before.state !== 'approved'
  if (isApproval) await requireConfirmed(tx, organizationId, { ...before, texts: content.texts }, confirmed ?? [])
  const isPublic = before.engagement_id === null || isApproval
  const newKey = key ?? before.key
  if (isPublic && (newKey !== before.key || isApproval)) await requireFreeKey(tx, organizationId, newKey, entryId)
  const isRenamed = newKey !== before.key
  const isStateChanged = state !== undefined && state !== before.state
  if (changed.length === 0 && !isRenamed && !isStateChanged && !set) return before
  const columns = columnsOf(content)
  const isNewVersion =
    before.engagement_id === null && changed.some((name) => ['texts', 'rules', 'severity', 'cvssVector'].includes(name))
  if (changed.length > 0) await requireStorage(tx, writer, organizationId, sizeOf(columns))
  const version = before.version + (isNewVersion ? 1 : 0)
  const now = isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1))
  await query.updateEntry(tx, organizationId, entryId, {
    ...(changed.length > 0 && columns),
    ...(isRenamed && { key: newKey }),
    ...(isStateChanged && { state }),
    ...(isApproval && { engagement_id: null, finding_id: null }),
    version,
    updated_at: now,
  })
  const author = authorOf(actor)
  if (isNewVersion || (isApproval && before.engagement_id !== null))
    await addVersion(tx, organizationId, entryId, version, columns, author, now)
  const after = {
    title: columns.title,
    changed,
    version,
    ...(isRenamed && { key: newKey }),
    ...(isStateChanged && { state }),
  }
  const values = withFields(
    { before: { title: before.title, version: before.version, state: before.state }, after },
    set,
  )
  await record(
    tx,
    writer,
    actor,
    isApproval ? 'library-entry.approved' : 'library-entry.changed',
    entryId,
    isPublic ? null : before.engagement_id,
    values,
  )
  return requireEntry(tx, organizationId, entryId)
}

/**
 * @throws ApiError NOT_FOUND, FORBIDDEN for an approved entry without the right to approve, CONFLICT for a built-in
 *   entry
 */
export const deleteEntry = (writer: Writer, actor: Actor, entryId: string): Promise<void> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const before = await lockOwn(tx, organizationId, entryId)
    requireApprover(actor, before, undefined)
    await deleteFilesOf(tx, organizationId, 'library_entry', [entryId])
    await query.deleteEntry(tx, organizationId, entryId)
    const { title, key } = before
    await record(tx, writer, actor, 'library-entry.deleted', entryId, before.engagement_id, { before: { title, key } })
  })

/** @throws ApiError NOT_FOUND, CONFLICT for a key that is taken */
export const copyEntry = (
  writer: Writer,
  actor: Actor,
  entryId: string,
  key: string | undefined,
): Promise<query.EntryRow> =>
  writer.change(async (tx) => {
    const original = await requireEntry(tx, actor.organizationId, entryId)
    // The copy of a proposal would show its texts to everyone.
    requireNoProposal(original)
    const copied = key ?? (await freeKey(tx, actor.organizationId, original.key))
    return addEntry(tx, writer, actor, { key: copied, state: 'draft', content: contentOf(original) })
  })

/** The key itself if it is free, otherwise with the first number that is. */
const freeKey = async (tx: Transaction, organizationId: string, key: string): Promise<string> => {
  for (let number = 1; number < MAX_ENTRIES + 2; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const tried = `${[...key].slice(0, MAX_KEY - suffix.length).join('')}${suffix}`
    if (!(await query.findIsKeyTaken(tx, organizationId, tried, ''))) return tried
  }
  throw conflict('key: another entry of the library has this key.')
}

/** Strings of a proposal that seem to belong to the client; none of other entries. */
export const clientDataOf = async (
  db: Writer['db'],
  organizationId: string,
  entry: Pick<query.EntryRow, 'engagement_id' | 'texts'>,
): Promise<string[]> =>
  entry.engagement_id === null
    ? []
    : findClientData(Object.values(entry.texts), await listClientNames(db, organizationId, entry.engagement_id))

/** @throws ApiError CONFLICT that names what is neither replaced nor confirmed */
const requireConfirmed = async (
  tx: Transaction,
  organizationId: string,
  entry: Pick<query.EntryRow, 'engagement_id' | 'texts'>,
  confirmed: readonly string[],
): Promise<void> => {
  const left = (await clientDataOf(tx, organizationId, entry)).filter((found) => !confirmed.includes(found))
  if (left.length === 0) return
  const shown = left.slice(0, 5).map((found) => JSON.stringify(found))
  const more = left.length > shown.length ? ` and ${left.length - shown.length} more` : ''
  throw conflict(
    `The texts contain data of the client: ${shown.join(', ')}${more}. Replace it, or confirm it with \`confirmed\`.`,
  )
}

const requireApprover = (actor: Actor, before: query.EntryRow, wanted: query.EntryRow['state'] | undefined): void => {
  if (before.state !== 'approved' && wanted !== 'approved') return
  if (!isApprover(actor))
    throw forbidden(
      'Only the owner, admins and keys with organizations:write approve entries and change approved ones.',
    )
}

/**
 * Locks an entry whose files change. A proposal has none: its files would outlive the limits of its engagement.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for an approved entry without the right to approve, CONFLICT for a proposal of
 *   an engagement and a built-in entry
 */
export const lockForFiles = async (tx: Transaction, actor: Actor, entryId: string): Promise<void> => {
  const entry = await lockOwn(tx, actor.organizationId, entryId)
  requireApprover(actor, entry, undefined)
  requireNoProposal(entry)
}

/** @throws ApiError CONFLICT for a proposal of an engagement and a built-in entry */
export const requireHoldsFiles = (entry: query.EntryRow): void => {
  if (entry.built_in) throw conflict(BUILT_IN)
  requireNoProposal(entry)
}

const requireNoProposal = ({ engagement_id }: query.EntryRow): void => {
  if (engagement_id !== null) throw conflict('This entry is a proposal: approve it first.')
}

const requireFreeKey = async (
  tx: Transaction,
  organizationId: string,
  key: string,
  exceptId: string,
): Promise<void> => {
  if (await query.findIsKeyTaken(tx, organizationId, key, exceptId))
    throw conflict('key: another entry of the library has this key.')
}

export const requireEntry = async (
  db: Writer['db'],
  organizationId: string,
  entryId: string,
): Promise<query.EntryRow> => {
  const entry = await query.findEntry(db, organizationId, entryId)
  if (!entry) throw notFound()
  return entry
}

const lockOwn = async (tx: Transaction, organizationId: string, entryId: string): Promise<query.EntryRow> => {
  const entry = await query.lockEntry(tx, organizationId, entryId)
  if (entry) return entry
  if ((await query.findEntry(tx, organizationId, entryId))?.built_in) throw conflict(BUILT_IN)
  throw notFound()
}

/** Records a change in the audit log, and announces it; a proposal only in its engagement. */
const record = async (
  tx: Transaction,
  { clock }: Pick<Writer, 'clock'>,
  actor: Actor,
  action: string,
  id: string,
  engagementId: string | null,
  values: { before?: object; after?: object },
): Promise<void> => {
  const { before, after } = values
  await recordAudit(tx, actor, clock, {
    action,
    object: { type: 'library-entry', id },
    ...(engagementId !== null && { engagementId }),
    ...(before && { before: { ...before } }),
    ...(after && { after: { ...after } }),
  })
  const change = action.endsWith('deleted')
    ? 'deleted'
    : action.endsWith('created') || action.endsWith('proposed')
      ? 'created'
      : 'updated'
  await announce(tx, { type: 'library_entry', engagementId, ids: [id], change })
}
