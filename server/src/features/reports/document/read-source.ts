import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Platform } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { EVERY_ENGAGEMENT } from '../../../platform/database/scope/tenant-scope.ts'
import { internalError, notFound } from '../../../platform/errors.ts'
import { listDefinitions } from '../../custom-fields/field-definitions.queries.ts'
import { listRedactions } from '../../files/redaction/redactions.queries.ts'
import { listAffectedOf } from '../../findings/affected/affected.queries.ts'
import { findingList, listWholeFindings, type WholeFindingRow } from '../../findings/findings.queries.ts'
import { findReportSettings } from '../../findings/review/report-settings.queries.ts'
import { getTemplateVersion } from '../../report-templates/find-template.ts'
import { findReport, type ReportRow } from '../reports.queries.ts'
import { listSections, type SectionRow } from '../sections/sections.queries.ts'
import { textsOf } from './compose/finding-texts.ts'
import { exchangeOfResult, exchangeOfRun } from './exchanges.ts'
import { readImages } from './images/read-images.ts'
import { readLive } from './live/read-live.ts'
import * as query from './source.queries.ts'

/**
 * What a report is read with. It sees everything of the organization, so that the output does not depend on who
 * renders: the caller has checked that this reader sees the report.
 */
export type ReportReader = Pick<Platform, 'config' | 'clock' | 'scopedTo' | 'storage'> & {
  /** The frozen report-data of an edition of a report, of the latest one for null. */
  findEditionData?: (
    db: Database,
    organizationId: string,
    reportId: string,
    editionId: string | null,
  ) => Promise<ReportDataValue | undefined>
}

/** Everything that a report shows, as it is stored. */
export type ReportSource = Awaited<ReturnType<typeof readSourceOf>>

/** @throws ApiError NOT_FOUND */
export const readSource = async (reader: ReportReader, organizationId: string, reportId: string) => {
  const db = reader.scopedTo(organizationId)
  const report = await findReport(db, organizationId, reportId)
  if (!report) throw notFound()
  const sections = (await listSections(db, organizationId, reportId)).filter(({ hidden }) => !hidden)
  return readSourceOf(reader, organizationId, report, sections)
}

/** Like `readSource`, of a report that need not be stored. @throws ApiError NOT_FOUND */
export const readSourceOf = async (
  reader: ReportReader,
  organizationId: string,
  report: ReportRow,
  sections: readonly SectionRow[],
) => {
  const db = reader.scopedTo(organizationId)
  const { id: reportId, engagement_id: engagementId } = report
  const frame = await query.findFrame(db, organizationId, engagementId)
  if (!frame) throw notFound()
  const template = await getTemplateVersion(
    { db, storage: reader.storage },
    organizationId,
    report.template_id,
    report.template_version,
  )
  if (!template) throw internalError(new Error(`the template ${report.template_id} of ${reportId} is missing`))
  const findings = await readFindings(db, organizationId, report)
  const findingIds = findings.map(({ id }) => id)
  const ownFiles = await query.listFilesOfFindings(db, organizationId, engagementId, findingIds)
  const texts = [...sections.map(({ body }) => body), ...findings.flatMap(textsOf)]
  const named = namedIn(texts)
  const redactions = await listRedactions(db, organizationId, named('fil'))
  const mentioned = new Set(named('fil').flatMap((id) => (redactions.has(id) ? (redactions.get(id) ?? []) : id)))
  const embedded = await query.listFilesById(db, organizationId, engagementId, reportId, [...mentioned])
  const files = new Map([...ownFiles, ...embedded].map((file) => [file.id, file]))
  const shown = [...files.values()].filter(
    ({ id, owner_type: type, media_type: mediaType }) =>
      mentioned.has(id) || (type === 'finding' && mediaType.startsWith('image/')),
  )
  return {
    organizationId,
    report,
    frame,
    template,
    sections,
    settings: await findReportSettings(db, organizationId),
    definitions: await listDefinitions(db, organizationId, undefined),
    team: await query.listTeam(db, organizationId, engagementId),
    findings,
    affected: await listAffectedOf(db, organizationId, findingIds),
    retestItems: await query.listRetestItems(db, organizationId, engagementId, findingIds),
    files,
    redactions,
    ...(await readImages(reader.storage, organizationId, shown)),
    exchanges: await readExchanges(db, organizationId, engagementId, named),
    titles: await query.listTitles(
      db,
      organizationId,
      engagementId,
      ['tgt', 'res', 'tsk', 'wik', 'req', 'scn', 'rts', 'rpt'].flatMap(named),
    ),
    live: await readLive(db, organizationId, report, sections),
    previous: sections.some(({ live_type: type }) => type === 'changes')
      ? await reader.findEditionData?.(db, organizationId, reportId, report.options.since ?? null)
      : undefined,
  }
}

const ID = /(?<![0-9a-z_])([a-z]{3})_[0-9a-z]{26}(?![0-9a-z])/g

/** The ids of objects that texts name, by their prefix. */
const namedIn = (texts: readonly string[]): ((prefix: string) => string[]) => {
  const ids = new Map<string, Set<string>>()
  for (const text of texts) {
    for (const [id, prefix = ''] of text.matchAll(ID)) {
      const known = ids.get(prefix) ?? new Set()
      ids.set(prefix, known.add(id))
    }
  }
  return (prefix) => [...(ids.get(prefix) ?? [])]
}

/** Findings have up to 250 kB of text. */
const BATCH = 50

/** The findings of a report in the order of the engagement: never those in the trash. */
const readFindings = async (db: Database, organizationId: string, report: ReportRow): Promise<WholeFindingRow[]> => {
  const { engagement_id: engagementId, finding_filter: wanted } = report
  const { ids, ...filters } = wanted
  const everything: Actor = {
    kind: 'key',
    id: 'report',
    name: 'report',
    organizationId,
    scopes: new Set(),
    viewer: EVERY_ENGAGEMENT,
    address: '',
  }
  const filter = { ...filters, engagementId, trashed: false }
  const chosen = await findingList.choose(db, everything, { filter })
  const isChosen = new Set(chosen.map(({ id }) => id).filter((id) => !ids || ids.includes(id)))
  const kept: WholeFindingRow[] = []
  for (let position = '', found = BATCH; found === BATCH;) {
    const rows = await listWholeFindings(db, organizationId, engagementId, position, BATCH)
    // Withdrawn ones only where the filter asks for them.
    kept.push(...rows.filter(({ id, status }) => isChosen.has(id) && (status !== 'withdrawn' || ids || filters.status)))
    position = rows.at(-1)?.position ?? ''
    found = rows.length
  }
  return kept
}

const readExchanges = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  named: (prefix: string) => string[],
) => {
  const runs = await query.listRuns(db, organizationId, engagementId, [...named('run'), ...named('req')])
  const results = await query.listResults(db, organizationId, engagementId, named('res'))
  return new Map([
    ...runs.map((row) => [row.name, exchangeOfRun(row)] as const),
    ...results.map((row) => [row.id, exchangeOfResult(row)] as const),
  ])
}
