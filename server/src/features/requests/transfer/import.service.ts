import type { Readable } from 'node:stream'
import { MAX_IMPORT_BYTES } from '@sortie/contract/requests/request-transfer.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import { createFileReader } from '../../../platform/concurrency/file-reader.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { badRequest, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { type MemoryUploader, readUpload } from '../../../platform/files/read-upload.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import { insertEnvironment } from '../environments/environments.queries.ts'
import { variableColumns } from '../environments/environments.service.ts'
import * as folders from '../folders/folders.queries.ts'
import { findNeighbour } from '../order.queries.ts'
import { lockWritablePlace, lockOrder, positionsAfter, requireWholeOrganization } from '../place.service.ts'
import { insertRequests } from '../saved/requests.queries.ts'
import { ofEngagement, personOf, toRow } from '../saved/requests.service.ts'
import { sealSecrets, splitAuth } from '../secrets.ts'
import type { Problem } from './imported.ts'
import type * as tasks from './read-task.ts'
import type { ReadFile, ReadTask } from './read-task.ts'
import type { UnresolvedVariable } from './unresolved.ts'

/**
 * Reads a file in a thread. @throws ApiError 503 if too many files wait, BAD_REQUEST for one that takes too long or too
 * much memory
 */
export type ReadImport = (organizationId: string, task: ReadTask) => Promise<ReadFile | { unreadable: string }>

export const createReadImport = (): ReadImport => {
  const { run } = createFileReader<typeof tasks>(new URL('read-task.ts', import.meta.url))
  return (organizationId, task) => run(organizationId, 'readImport', task)
}

interface Into {
  engagementId: string | undefined
  folderId: string | undefined
  format: ReadTask['format'] | undefined
  variables: ReadTask['variables'] | undefined
  mode: 'apply' | 'preview' | undefined
}

interface ImportResult {
  requestIds: string[]
  folderIds: string[]
  environmentIds: string[]
  problems: Problem[]
  unresolved: UnresolvedVariable[]
}

/** Rows per statement. */
const AT_ONCE = 100

/** Thrown at the end of a preview to roll its transaction back. */
class Previewed<T> extends Error {
  readonly shown: T

  constructor(shown: T) {
    super('This import was a preview.')
    this.shown = shown
  }
}

/**
 * Imports a file in one transaction. A preview does so too, and rolls back.
 *
 * @param show reads the stored objects within that transaction
 * @throws ApiError BAD_REQUEST for a file that is too large, empty or unreadable, NOT_FOUND for an unknown engagement
 *   or folder, CONFLICT for an archived engagement
 */
export const importApiRequests = async <T>(
  writer: Writer & MemoryUploader,
  read: ReadImport,
  actor: Actor,
  into: Into,
  body: Readable,
  show: (tx: Transaction, result: ImportResult) => Promise<T>,
): Promise<T> => {
  const bytes = await readUpload(writer, body, MAX_IMPORT_BYTES)
  const imported = await read(actor.organizationId, { bytes, format: into.format ?? 'auto', variables: into.variables })
  if ('unreadable' in imported) throw badRequest(`The file cannot be read: ${imported.unreadable}.`)
  try {
    return await writer.change(async (tx) => {
      const shown = await show(tx, await storeImport(tx, writer, actor, into, imported))
      if (into.mode === 'preview') throw new Previewed(shown)
      return shown
    })
  } catch (error) {
    if (error instanceof Previewed) return error.shown as T
    throw error
  }
}

const storeImport = async (
  tx: Transaction,
  { clock, keys, config }: Writer,
  actor: Actor,
  { engagementId, folderId }: Into,
  imported: ReadFile,
): Promise<ImportResult> => {
  const { organizationId } = actor
  const place = { organizationId, engagementId: engagementId ?? null }
  await lockWritablePlace(tx, actor, place.engagementId)
  if (place.engagementId === null) requireWholeOrganization(actor)
  await requireStorage(tx, { config }, organizationId, 0)
  const parent = folderId === undefined ? undefined : await folders.lockFolderForShare(tx, organizationId, folderId)
  if (folderId !== undefined && (!parent || parent.engagement_id !== place.engagementId)) throw notFound()
  await lockOrder(tx, 'folders', place)
  await lockOrder(tx, 'requests', place)
  const now = clock.now()
  const times = { created_at: isoTime(now), updated_at: isoTime(now) }
  const scope = { organization_id: organizationId, engagement_id: place.engagementId }

  const folderIds = imported.folders.map(() => newId('fld', now))
  const folderPositions = positionsAfter(
    await findNeighbour(tx, 'request_folders', organizationId, place.engagementId, 'before'),
    folderIds.length,
  )
  const folderRows = imported.folders.map(({ name, parent: within, auth = { type: 'inherit' as const } }, index) => {
    const id = folderIds[index] as string
    const { shown, secrets } = splitAuth(auth, undefined)
    return {
      id,
      ...scope,
      name,
      ...times,
      parent_id: within === null ? (folderId ?? null) : (folderIds[within] as string),
      auth: JSON.stringify(shown),
      auth_secret: sealSecrets(
        keys,
        {
          organizationId,
          column: 'request_folders.auth_secret',
          id,
        },
        secrets,
      ),
      position: folderPositions[index] as string,
    }
  })
  for (let at = 0; at < folderRows.length; at += AT_ONCE)
    await folders.insertFolders(tx, folderRows.slice(at, at + AT_ONCE))

  const requestIds = imported.requests.map(() => newId('req', now))
  const positions = positionsAfter(
    await findNeighbour(tx, 'api_requests', organizationId, place.engagementId, 'before'),
    requestIds.length,
  )
  for (let at = 0; at < requestIds.length; at += AT_ONCE) {
    const rows = imported.requests.slice(at, at + AT_ONCE).map(({ folder, ...request }, index) => ({
      ...toRow(keys, place, requestIds[at + index] as string, request),
      folder_id: folder === null ? (folderId ?? null) : (folderIds[folder] as string),
      position: positions[at + index] as string,
      created_by: personOf(actor),
      ...times,
    }))
    await insertRequests(tx, rows)
  }

  const environmentIds: string[] = []
  for (const { name, variables } of imported.environments) {
    const id = newId('env', now)
    environmentIds.push(id)
    await insertEnvironment(tx, {
      id,
      ...scope,
      name,
      ...variableColumns(keys, organizationId, id, variables, {}),
      proxy: null,
      ...times,
    })
  }
  await recordAudit(tx, actor, clock, {
    action: 'api-requests.imported',
    object: { type: 'api-request', id: requestIds[0] ?? folderIds[0] ?? environmentIds[0] ?? organizationId },
    ...ofEngagement(place.engagementId),
    after: { requests: requestIds.length, folders: folderIds.length, environments: environmentIds.length },
  })
  await announce(tx, {
    type: 'request',
    engagementId: place.engagementId,
    ids: [...requestIds, ...folderIds, ...environmentIds],
    change: 'created',
  })
  return { requestIds, folderIds, environmentIds, problems: imported.problems, unresolved: imported.unresolved }
}
