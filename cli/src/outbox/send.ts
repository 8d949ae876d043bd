import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from '@sortie/client/calls.ts'
import type { Api } from '../account/session.ts'
import { isMissing } from '../program/private-files.ts'
import {
  type Entry,
  isUnderWay,
  lockEntry,
  readEnd,
  removeEntry,
  type RunEnd,
  type RunRecord,
  unlockEntry,
} from './outbox.ts'

/** Targets in one request. */
const TARGETS_AT_ONCE = 3_000
/** Seconds that the server may take to read a file before it answers; it goes on afterwards. */
const IMPORT_WAIT_SECONDS = 20

/** How long a file may take to be read, until its command counts as sent, in milliseconds. */
const IMPORT_END_MS = 60_000
const PAUSE_MS = 1_000

export type Import = Output<'createImport'>['data']

export interface Sent {
  /** Entries of the operation log. */
  logged: number
  import?: Import
  /** The name of the file of the engagement that has output which cannot be imported. */
  file?: string
}

/**
 * Sends what a command did: its entries of the operation log, then its output. Each is added once, however often this
 * is done.
 *
 * @param own how it ended, for the process that waited for it
 * @returns undefined if the command still runs, or another process sends it
 * @throws ApiError, ConnectionError; the entry then stays in the outbox
 */
export const sendEntry = async (api: Api, entry: Entry, own?: RunEnd): Promise<Sent | undefined> => {
  if ((!own && isUnderWay(entry)) || !lockEntry(entry)) return undefined
  try {
    const sent: Sent = { logged: await sendOperations(api, entry.record, own ?? readEnd(entry)) }
    const found = await sendOutput(api, entry)
    if (found) sent.import = found
    if (found?.state === 'failed') sent.file = await storeOutput(api, entry.record)
    removeEntry(entry)
    return sent
  } finally {
    unlockEntry(entry)
  }
}

const sendOperations = async (api: Api, record: RunRecord, end: RunEnd | undefined): Promise<number> => {
  const { id, engagementId, command, targets, startedAt, sourceAddress, overrideReason, note } = record
  const notes = [
    note,
    end ? undefined : 'The command line ended before the command: how that ended is not known.',
    end?.outlastedHours ? 'It still ran when the testing hours ended.' : undefined,
  ]
  const text = notes.filter((each) => each !== undefined).join(' ')
  for (let from = 0; from < targets.length; from += TARGETS_AT_ONCE)
    await api.createOperations({
      body: {
        engagementId,
        externalId: externalIdOf(id, from),
        startedAt,
        command,
        targets: targets.slice(from, from + TARGETS_AT_ONCE),
        ...(end && { endedAt: end.endedAt < startedAt ? startedAt : end.endedAt, exitCode: end.exitCode }),
        ...(sourceAddress !== undefined && { sourceAddress }),
        ...(overrideReason !== undefined && { overrideReason }),
        ...(text !== '' && { note: text }),
      },
    })
  return targets.length
}

const externalIdOf = (id: string, from: number): string => `${id}-${from / TARGETS_AT_ONCE}`

const sendOutput = async (api: Api, { record }: Entry): Promise<Import | undefined> => {
  const { output, engagementId, startedAt, id } = record
  if (!output || !hasContent(output.file)) return undefined
  const known = await findImport(api, engagementId, output.name, await sha256Of(output.file), startedAt)
  if (known) return ended(api, known)
  const { data } = await api.createImport({
    query: {
      engagementId,
      fileName: output.name,
      loggedAs: externalIdOf(id, 0),
      wait: IMPORT_WAIT_SECONDS,
      ...(output.baseUrl !== undefined && { baseUrl: output.baseUrl }),
    },
    body: streamOf(output.file),
  })
  return ended(api, data)
}

/** The import once it has ended, unless that takes long. */
const ended = async (api: Api, given: Import): Promise<Import> => {
  const until = Date.now() + IMPORT_END_MS
  let found = given
  while ((found.state === 'received' || found.state === 'parsing') && Date.now() < until) {
    await sleep(PAUSE_MS)
    found = (await api.getImport({ params: { importId: found.id } })).data
  }
  return found
}

/** Output that no importer recognizes becomes a file of the engagement. @returns its name */
const storeOutput = async (api: Api, { output, engagementId }: RunRecord): Promise<string> => {
  if (!output) throw new Error('There is no output.')
  const { name, file } = output
  // Its name is that of one command only; the answer to an upload may be lost.
  const { data } = await api.listFiles({ params: { engagementId }, query: { perPage: 100 } })
  if (!data.some(({ fileName }) => fileName === name))
    await api.uploadFile({ params: { engagementId }, query: { fileName: name }, body: streamOf(file) })
  return name
}

const hasContent = (file: string): boolean => {
  try {
    return statSync(file).size > 0
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

export const streamOf = (file: string): ReadableStream<Uint8Array> =>
  Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>

const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** An import of this file whose answer was lost. Its name is that of one command only. */
const findImport = async (
  api: Api,
  engagementId: string,
  fileName: string,
  sha256: string,
  since: string,
): Promise<Import | undefined> => {
  let cursor: string | undefined
  do {
    const { data, meta } = await api.listImports({
      query: { engagementId, perPage: 100, ...(cursor !== undefined && { cursor }) },
    })
    const found = data.find((each) => each.fileName === fileName && each.sha256 === sha256)
    if (found) return found
    // The clock of this machine may be ahead by some minutes.
    const isOlder = data.some(({ createdAt }) => Date.parse(createdAt) < Date.parse(since) - CLOCK_DIFFERENCE_MS)
    cursor = isOlder ? undefined : (meta.nextCursor ?? undefined)
  } while (cursor !== undefined)
  return undefined
}

const CLOCK_DIFFERENCE_MS = 24 * 60 * 60 * 1000

/** What became of the output of a command, as sentences. */
export const describeSent = ({ import: found, file }: Sent): string[] => [
  ...(found ? [describeImport(found)] : []),
  ...(file === undefined ? [] : [`${file} is stored among the files of the engagement`]),
]

/** What a file brought, as a sentence. */
export const describeImport = ({ state, stateReason, counts, fileName }: Import): string => {
  const { results, targets, rejected } = counts
  if (state === 'failed')
    return `${path.basename(fileName)} was not imported: ${stateReason ?? 'the reason is not known'}`
  if (state === 'received' || state === 'parsing') return `${path.basename(fileName)} is being imported`
  const isPreview = state === 'previewed'
  const parts = [
    `${results.created} new, ${results.changed} changed, ${results.unchanged} known results`,
    `${targets.created} new targets`,
    ...(rejected > 0 ? [`${rejected} entries rejected`] : []),
    ...(counts.outOfScope > 0 ? [`${counts.outOfScope} out of scope`] : []),
  ]
  return `${path.basename(fileName)} ${isPreview ? 'would bring' : 'is imported'}: ${parts.join(', ')}`
}
