import { MAX_TRANSFERRED } from '@sortie/contract/requests/request-transfer.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { notFound } from '../../../platform/errors.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { listAllFolders } from '../folders/folders.queries.ts'
import { findRequest, listAllSummaries, type RequestSummaryRow } from '../saved/requests.queries.ts'
import { splitUrl, toHarEntry, toOperation, toPostmanFolder, toPostmanItem } from './formats/export-documents.ts'
import { type Portable, type PortableFolder, toPortable, toPortableAlone, toPortableFolder } from './portable.ts'

interface ExportSource {
  db: Database
  organizationId: string
  engagementId: string | null
}

/**
 * Streams a document, with one request at a time in memory.
 *
 * @throws ApiError NOT_FOUND for an engagement that is not visible
 */
export const exportRequests = async (
  source: ExportSource,
  format: 'har' | 'postman' | 'openapi',
  clock: Clock,
): Promise<AsyncIterable<string>> => {
  const { db, organizationId, engagementId } = source
  const engagement = engagementId === null ? undefined : await findEngagement(db, organizationId, engagementId)
  if (engagementId !== null && !engagement) throw notFound()
  const title = engagement?.name ?? 'Saved requests'
  const requests = await listAllSummaries(db, organizationId, engagementId, MAX_TRANSFERRED)
  if (format === 'har') return harOf(source, requests, clock)
  if (format === 'openapi') return openApiOf(source, requests, title)
  const folders = await listAllFolders(db, organizationId, engagementId, MAX_TRANSFERRED)
  return postmanOf(source, requests, folders.map(toPortableFolder), title)
}

const json = (value: unknown): string => JSON.stringify(value)

type Convert = typeof toPortableAlone

/** Skips requests that are deleted during the export. */
const portables = async function* (
  { db, organizationId }: ExportSource,
  requests: readonly RequestSummaryRow[],
  convert: Convert = async (_db, _organizationId, row) => toPortable(row),
): AsyncIterable<{ row: RequestSummaryRow; request: Portable }> {
  for (const row of requests) {
    const whole = await findRequest(db, organizationId, row.id)
    if (whole) yield { row, request: await convert(db, organizationId, whole) }
  }
}

const listed = async function* (pieces: AsyncIterable<string>): AsyncIterable<string> {
  let isFirst = true
  for await (const piece of pieces) {
    yield isFirst ? piece : `,${piece}`
    isFirst = false
  }
}

const harOf = async function* (
  source: ExportSource,
  requests: readonly RequestSummaryRow[],
  clock: Clock,
): AsyncIterable<string> {
  yield '{"log":{"version":"1.2","creator":{"name":"Sortie","version":"1"},"entries":['
  const now = isoTime(clock.now())
  yield* listed(mapped(portables(source, requests, toPortableAlone), ({ request }) => json(toHarEntry(request, now))))
  yield ']}}'
}

const mapped = async function* <A, B>(values: AsyncIterable<A>, map: (value: A) => B): AsyncIterable<B> {
  for await (const value of values) yield map(value)
}

const POSTMAN_SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

const postmanOf = async function* (
  source: ExportSource,
  requests: readonly RequestSummaryRow[],
  folders: readonly PortableFolder[],
  title: string,
): AsyncIterable<string> {
  yield `{"info":${json({ name: title, schema: POSTMAN_SCHEMA })},"item":[`
  yield* listed(itemsOf(source, requests, folders, null))
  yield ']}'
}

const itemsOf = async function* (
  source: ExportSource,
  requests: readonly RequestSummaryRow[],
  folders: readonly PortableFolder[],
  parent: string | null,
): AsyncIterable<string> {
  for (const folder of folders.filter(({ parent_id }) => parent_id === parent)) {
    const items: string[] = []
    for await (const item of itemsOf(source, requests, folders, folder.id)) items.push(item)
    yield `${json(toPostmanFolder(folder)).slice(0, -1)},"item":[${items.join(',')}]}`
  }
  const here = requests.filter(({ folder_id }) => folder_id === parent)
  yield* mapped(portables(source, here), ({ request }) => json(toPostmanItem(request)))
}

const OPENAPI_METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']

/** A document has each path and method once, so repeated ones get a fragment. */
const openApiOf = async function* (
  source: ExportSource,
  requests: readonly RequestSummaryRow[],
  title: string,
): AsyncIterable<string> {
  const servers = [...new Set(requests.map(({ url }) => splitUrl(url).server).filter((server) => server !== ''))]
  const paths = new Map<string, Map<string, RequestSummaryRow>>()
  for (const row of requests.filter(({ method }) => OPENAPI_METHODS.includes(method))) {
    const { path } = splitUrl(row.url)
    let key = path
    for (let copy = 2; paths.get(key)?.has(row.method); copy++) key = `${path}#${copy}`
    paths.set(key, (paths.get(key) ?? new Map<string, RequestSummaryRow>()).set(row.method, row))
  }
  yield `{"openapi":"3.1.0","info":${json({ title, version: '1' })},"servers":${json(servers.map((url) => ({ url })))},"paths":{`
  yield* listed(pathsOf(source, paths))
  yield '}}'
}

const pathsOf = async function* (
  source: ExportSource,
  paths: ReadonlyMap<string, ReadonlyMap<string, RequestSummaryRow>>,
): AsyncIterable<string> {
  for (const [path, methods] of paths) {
    const operations: string[] = []
    for await (const { row, request } of portables(source, [...methods.values()]))
      operations.push(`${json(row.method.toLowerCase())}:${json(toOperation(request, path))}`)
    yield `${json(path)}:{${operations.join(',')}}`
  }
}
