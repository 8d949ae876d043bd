import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_IMPORT_BYTES, MAX_IMPORTED } from '@sortie/contract/findings/library-transfer.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { createFileReader } from '../../../platform/concurrency/file-reader.ts'
import type { Writer } from '../../../platform/context.ts'
import { acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { ApiError, badRequest } from '../../../platform/errors.ts'
import { type MemoryUploader, readUpload } from '../../../platform/files/read-upload.ts'
import { listOwnByKey } from '../entries/entries.queries.ts'
import { addEntry, changeEntry, type EntryChange, isApprover, type NewEntry } from '../entries/entries.service.ts'
import { EMPTY_ENTRY, mergeEntry } from '../entries/merge-entry.ts'
import { checkedEntry } from './checked-entry.ts'
import type * as tasks from './read-library-task.ts'
import type { ReadLibrary, ReadLibraryTask } from './read-library-task.ts'

/** Reads a file in a thread. @throws ApiError 503 if too many files wait, BAD_REQUEST for one that takes too long */
export type ReadLibraryFile = (organizationId: string, task: ReadLibraryTask) => Promise<ReadLibrary>

export const createReadLibraryFile = (): ReadLibraryFile => {
  const { run } = createFileReader<typeof tasks>(new URL('read-library-task.ts', import.meta.url))
  return (organizationId, task) => run(organizationId, 'readLibrary', task)
}

export interface ImportedLibrary {
  created: number
  updated: number
  unchanged: number
  rejected: { position: number; reason: string }[]
}

/** Thrown at the end of a preview to roll its transaction back. */
class Previewed extends Error {
  readonly shown: ImportedLibrary

  constructor(shown: ImportedLibrary) {
    super('This import was a preview.')
    this.shown = shown
  }
}

/** Entries that are checked before other requests get a turn. */
const CHECKED_AT_ONCE = 50

interface Options {
  format: ReadLibraryTask['format'] | undefined
  mode: 'preview' | 'apply'
}

/**
 * Adds the entries of a file, and changes those with the same key, in one transaction. A preview changes nothing.
 *
 * @throws ApiError BAD_REQUEST for a file that cannot be read, CONFLICT beyond the limits
 */
export const importLibrary = async (
  context: Writer & MemoryUploader,
  actor: Actor,
  read: ReadLibraryFile,
  body: Readable,
  { format = 'auto', mode }: Options,
): Promise<ImportedLibrary> => {
  const bytes = await readUpload(context, body, MAX_IMPORT_BYTES)
  const found = await read(actor.organizationId, { bytes, format, max: MAX_IMPORTED })
  if ('unreadable' in found) throw badRequest(found.unreadable)
  const outcome: ImportedLibrary = { created: 0, updated: 0, unchanged: 0, rejected: [] }
  const checked: { position: number; entry: NewEntry & { key: string } }[] = []
  const keys = new Set<string>()
  for (const [index, raw] of found.entries.entries()) {
    if (index % CHECKED_AT_ONCE === 0) await nextTurn()
    const position = index + 1
    try {
      const entry = checkedEntry(raw)
      if (keys.has(entry.key))
        throw badRequest(`key: an earlier entry of the file is ${JSON.stringify(entry.key)}, too`)
      keys.add(entry.key)
      checked.push({ position, entry })
    } catch (error) {
      outcome.rejected.push({ position, reason: reasonOf(error) })
    }
  }
  try {
    return await context.change(async (tx) => {
      await applyAll(tx, context, actor, checked, outcome)
      if (mode === 'preview') throw new Previewed(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof Previewed) return error.shown
    throw error
  }
}

/** @throws other errors than refusals of the entry */
const reasonOf = (error: unknown): string => {
  if (error instanceof ApiError && ['BAD_REQUEST', 'VALIDATION_ERROR', 'FORBIDDEN'].includes(error.code))
    return error.message
  throw error
}

const applyAll = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  entries: readonly { position: number; entry: NewEntry & { key: string } }[],
  outcome: ImportedLibrary,
): Promise<void> => {
  const { organizationId } = actor
  await acquireFairLocks(tx, { exclusive: [`library ${organizationId}`] })
  const rows = await listOwnByKey(
    tx,
    organizationId,
    entries.map(({ entry }) => entry.key),
  )
  const known = new Map(rows.map((row) => [row.key, row]))
  for (const { position, entry } of entries) {
    const { key, mainLanguage = 'en', fields, fromFindingId: _finding, language: _language, ...content } = entry
    const before = known.get(key)
    try {
      if (!before) {
        const merged = mergeEntry({ ...EMPTY_ENTRY, mainLanguage }, { ...content, mainLanguage })
        await addEntry(tx, writer, actor, { key, state: 'draft', content: merged, fields })
        outcome.created += 1
        continue
      }
      const isApproved = before.state === 'approved'
      // What the file says is the whole entry: languages and custom fields that it does not have stay.
      const change: EntryChange = { ...content, mainLanguage, ...(fields && { fields }) }
      if (isApproved && !isApprover(actor))
        throw new ApiError('FORBIDDEN', 'key: this entry is approved, and only those who approve entries may change it')
      const after = await changeEntry(tx, writer, actor, before.id, change, { returnsToDraft: true })
      outcome[after.updated_at === before.updated_at ? 'unchanged' : 'updated'] += 1
    } catch (error) {
      outcome.rejected.push({ position, reason: reasonOf(error) })
    }
  }
}
