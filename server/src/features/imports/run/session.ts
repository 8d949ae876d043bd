import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ResultSource } from '../../inventory/ingest/sources.ts'
import { cleanLine } from '../../inventory/sightings/clean.ts'
import type { LeftOut } from '../../inventory/sightings/left-out.ts'
import type { FileItem } from '../../scanner-formats/registry/read-file.ts'
import { FileProbes } from '../file-probes.ts'
import { type ImportRow, updateImport } from '../imports.queries.ts'
import { SeenTime } from '../seen-time.ts'

/** In characters. */
const MAX_VERSION = 200
/** Maximum length of the tool filter of results. */
const MAX_TOOL = 100
const MAX_TOOLS = 100

/** Limits of an engagement. */
interface Limits {
  results: number
  targets: number
}

/** What the reader has reported about the file so far. */
export interface FileNotes {
  format: string | undefined
  /** Why the file could not be read to its end. */
  cut: string | undefined
  /** Why the first piece was rejected. */
  firstReason: string | undefined
  readonly warnings: Set<string>
  /** All tools that wrote parts of the file. */
  readonly tools: Set<string>
  toolVersion: string | undefined
  readonly probes: FileProbes
  readonly seenTime: SeenTime
}

/** What the committed batches wrote. */
export interface Written {
  rejected: number
  outOfScope: number
  found: number
  /** Remaining result quota of the engagement; undefined until it is counted. */
  remainingQuota: number | undefined
  /** The tool that wrote the following items, if the format does not imply it. */
  tool: string | undefined
  /** True if the target limit of the engagement left some out. */
  isFull: boolean
  /** True if some findings have no host. */
  isHostless: boolean
  /** Decisions about findings that the engagement does not have. */
  unknownDecisions: number
  /** What was left out of lists that are too long. */
  leftOut: LeftOut
  /** True once the row states when the contents were seen. */
  isSeenTimeStored: boolean
}

/** One running import. */
export interface ImportSession {
  readonly row: ImportRow
  readonly clock: Clock
  readonly limits: Limits
  readonly notes: FileNotes
  /** Hosts whose results were skipped; their missing results are therefore not marked as gone. */
  readonly skippedHosts: Set<string>
  /** Replaced after each commit. */
  written: Written
}

/** The result of one batch, for `adoptBatch` once it is committed. */
export interface Batch {
  written: Written
  skippedHosts: readonly string[]
  /** Ids of the new results, whose words are written after the commit. */
  created: readonly string[]
}

const NOTHING_WRITTEN: Written = {
  rejected: 0,
  outOfScope: 0,
  found: 0,
  remainingQuota: undefined,
  tool: undefined,
  isFull: false,
  isHostless: false,
  unknownDecisions: 0,
  leftOut: {},
  isSeenTimeStored: false,
}

export const openSession = (row: ImportRow, clock: Clock, limits: Limits): ImportSession => ({
  row,
  clock,
  limits,
  notes: {
    format: row.format ?? undefined,
    cut: undefined,
    firstReason: undefined,
    warnings: new Set(),
    tools: new Set(),
    toolVersion: undefined,
    probes: new FileProbes(),
    seenTime: new SeenTime(row),
  },
  skippedHosts: new Set(),
  written: NOTHING_WRITTEN,
})

/** Continues the session after a committed batch. */
export const adoptBatch = (session: ImportSession, { written, skippedHosts }: Batch): void => {
  for (const host of skippedHosts) session.skippedHosts.add(host)
  session.written = written
}

/** Adds what the items state about the file as a whole. */
export const noteItems = ({ notes }: Pick<ImportSession, 'notes'>, items: readonly FileItem[]): void => {
  for (const item of items) noteItem(notes, item)
}

const noteItem = (notes: FileNotes, item: FileItem): void => {
  if (item.type === 'format') notes.format = item.format
  else if (item.type === 'tool') noteTool(notes, item)
  else if (item.type === 'cut') notes.cut = item.reason
  else if (item.type === 'warning') notes.warnings.add(item.text)
  else if (item.type === 'stated') notes.seenTime.note(item)
  else if (item.type === 'probe') notes.probes.note(item.probe)
  else if (item.type === 'rejection') notes.firstReason ??= item.reason
}

const noteTool = (notes: FileNotes, { name, version }: FileItem & { type: 'tool' }): void => {
  const tool = cleanToolName(name)
  if (tool !== undefined && notes.tools.size < MAX_TOOLS) notes.tools.add(tool)
  notes.toolVersion = cleanLine(version, MAX_VERSION) ?? notes.toolVersion
}

export const cleanToolName = (name: string | undefined): string | undefined => cleanLine(name, MAX_TOOL)

/**
 * Stores when the file's contents were seen, before anything of the file is written. Once it is stored, it does not
 * change.
 *
 * @returns true: the value of `isSeenTimeStored` after the commit
 */
export const storeSeenTime = async (tx: Transaction, { row, clock, notes, written }: ImportSession): Promise<true> => {
  notes.seenTime.settle(isoTime(clock.now()))
  if (!written.isSeenTimeStored) await updateImport(tx, row.organization_id, row.id, { seen_at: notes.seenTime.seenAt })
  return true
}

/** The import as a source of results. @throws Error before `storeSeenTime` */
export const sourceOf = ({ row, notes }: Pick<ImportSession, 'row' | 'notes'>): ResultSource => ({
  kind: 'import',
  id: row.id,
  tool: notes.format ?? 'unknown',
  allTools: toolsOf(notes),
  organizationId: row.organization_id,
  engagementId: row.engagement_id,
  seenAt: notes.seenTime.seenAt,
})

export const toolsOf = ({ tools, format }: FileNotes): readonly string[] =>
  tools.size > 0 ? [...tools] : [format ?? 'unknown']

export const idsOf = ({ row }: Pick<ImportSession, 'row'>) => ({
  organizationId: row.organization_id,
  engagementId: row.engagement_id,
  importId: row.id,
})

/** The columns of the import's row that state what was read. */
export const columnsOf = ({ notes }: Pick<ImportSession, 'notes'>, { rejected, outOfScope }: Written) => ({
  format: notes.format ?? null,
  tool: notes.format === undefined ? null : toolsOf(notes).join(', '),
  tool_version: notes.toolVersion ?? null,
  rejected,
  out_of_scope: outOfScope,
})
