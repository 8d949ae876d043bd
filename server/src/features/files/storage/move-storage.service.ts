import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { ApiError, conflict } from '../../../platform/errors.ts'
import { requireSilence } from '../../../platform/files/beat.ts'
import { findBinding, isOwnStorage, moveBinding } from '../../../platform/files/binding.ts'
import { hashStored } from '../../../platform/files/hash-stored.ts'
import { OWN_NOTES, readMark } from '../../../platform/files/storage-mark.ts'
import type { FilePlace, Storage } from '../../../platform/files/storage.ts'
import { countWorkers } from '../../../platform/jobs/worker-beats.ts'
import { type AuditedBy, recordAudit } from '../../audit/audit.service.ts'
import { listFilesAfter, listNamedIds } from '../files.queries.ts'

const AT_ONCE = 200

interface Wanted {
  size: number
  sha256: string
}

export interface Moved {
  /** Files that the database names. */
  files: number
  bytes: number
  /** Of those, copied by this call; the others were there already, with their SHA-256. */
  copied: number
  /** Ids of files that the former storage does not have. */
  missing: string[]
  /** Ids of files whose size or SHA-256 in the former storage is not that of their row. */
  damaged: string[]
}

/**
 * Copies every file that the database names to another storage, and compares each with the SHA-256 of its row: those
 * that are there from an earlier call, too. After a kill, the next call goes on. Changes nothing else.
 *
 * @throws ApiError CONFLICT if the other storage belongs to another database, or the own one does not to this
 */
export const copyStorage = async (
  writer: Writer,
  to: Storage,
  report: (progress: { bytes: number; files: number }) => void,
): Promise<Moved> => {
  const { db, storage: from } = writer
  await requireRightPair(writer, to)
  const moved: Moved = { files: 0, bytes: 0, copied: 0, missing: [], damaged: [] }
  let after = ''
  for (;;) {
    const rows = await listFilesAfter(db, after, AT_ONCE)
    for (const { id, organization_id: organizationId, sha256, ...row } of rows) {
      const size = Number(row.size)
      const outcome = await copyOne(from, to, { organizationId, fileId: id }, { size, sha256 })
      // Deleted while it was looked for.
      if (outcome === 'missing' && !(await listNamedIds(db, [id])).has(id)) continue
      moved.files++
      if (outcome === 'missing' || outcome === 'damaged') moved[outcome].push(id)
      else moved.bytes += size
      if (outcome === 'copied') moved.copied++
      report({ bytes: moved.bytes, files: moved.files })
    }
    if (rows.length < AT_ONCE) return moved
    after = rows.at(-1)?.id ?? after
  }
}

/**
 * Binds the database to the other storage, whose files `copyStorage` has found whole. The former one is refused from
 * now on.
 *
 * @throws ApiError CONFLICT while a server uses the files
 */
export const finishMove = async (writer: Writer, to: Storage, by: AuditedBy): Promise<void> => {
  const { db, clock, storage: from, change } = writer
  await requireSilence(writer)
  // A server that has just started has not counted next to the files yet.
  if ((await countWorkers(db)).alive > 0) throw conflict('A server uses the files.')
  await change((tx) =>
    recordAudit(tx, by, clock, {
      action: 'instance.storage-bound',
      object: { type: 'instance', id: 'instance' },
      before: { storagePath: from.name },
      after: { storagePath: to.name, movedAt: isoTime(clock.now()) },
    }),
  )
  await moveBinding(writer, to, to.name)
}

const requireRightPair = async (writer: Writer, to: Storage): Promise<void> => {
  const { db, storage: from } = writer
  if (!(await isOwnStorage(writer))) throw conflict(`${from.name} does not belong to this database.`)
  const place = (storage: Storage) => storage.name.replace(/\/+$/, '')
  if (place(from) === place(to) && from.kind === to.kind && (await from.identify('')) === (await to.identify('')))
    throw conflict(`The files are in ${to.name} already.`)
  const other = await markOf(to)
  if (other !== undefined && other !== (await findBinding(db))?.storage_id)
    throw conflict(`${to.name} belongs to another database.`)
}

/** The mark of a storage that the files were moved away from names the database, too. */
const markOf = async (storage: Storage): Promise<string | undefined> => {
  const text = await storage.readNote(OWN_NOTES[0] as string)
  const moved = /"storage":"([^"]+)","movedTo"/.exec(text ?? '')
  return moved?.[1] ?? readMark(storage)
}

const copyOne = async (
  from: Storage,
  to: Storage,
  place: FilePlace,
  { size, sha256 }: Wanted,
): Promise<'present' | 'copied' | 'missing' | 'damaged'> => {
  const isRight = (found: { bytes: number; sha256: string } | undefined) =>
    found?.bytes === size && found.sha256 === sha256
  if ((await to.has(place)) && isRight(await hashStored(to, place))) return 'present'
  const opened = await from.open(place)
  if (!opened) return 'missing'
  // `receive` fails with this error, also if it occurs before the first read.
  const bytes = opened.createReadStream().on('error', () => undefined)
  await to.discard(place)
  try {
    const limit = { maxBytes: size, refusal: () => new TooLong(place), mayBeEmpty: true } as const
    const received = await to.receive(place, bytes, limit)
    if (isRight({ bytes: received.size, sha256: received.sha256 })) return 'copied'
  } catch (error) {
    if (!(error instanceof TooLong)) throw error
  } finally {
    bytes.destroy()
  }
  await to.discard(place)
  return 'damaged'
}

class TooLong extends ApiError {
  constructor({ fileId }: FilePlace) {
    super('INTERNAL_ERROR', `the file of ${fileId} is longer than its row says`)
  }
}
