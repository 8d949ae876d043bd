import type { Body } from '@sortie/contract/core/endpoint.ts'
import { MAX_SECTION_BODY, MAX_SECTIONS, type ReportOptionsValue } from '@sortie/contract/reports/report-fields.ts'
import type * as contract from '@sortie/contract/reports/reports.ts'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { canonicalJson } from '../../../platform/text/json.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import { BASE_LIFETIME_MS } from '../../findings/texts/save-texts.service.ts'
import { lockWritableReport, recordReportChange, requireOptions } from '../report-locks.service.ts'
import * as query from './sections.queries.ts'

const SAME_KEY = 'Another section of this report has this key.'
/** Longest position, in bytes: see `report_sections`. */
const MAX_POSITION_BYTES = 400

/** Adds a section at the end. @throws ApiError NOT_FOUND, CONFLICT for a key in use, beyond the limit and if archived */
export const createReportSection = (
  writer: Writer,
  actor: Actor,
  reportId: string,
  wanted: Body<typeof contract.createReportSection>,
): Promise<query.SectionRow> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const report = await lockWritableReport(tx, actor, reportId)
    const sections = await query.listSections(tx, organizationId, reportId)
    if (sections.length >= MAX_SECTIONS) throw conflict(`A report has at most ${MAX_SECTIONS} sections.`)
    if (sections.some(({ key }) => key === wanted.key)) throw conflict(SAME_KEY)
    if (wanted.live && wanted.body) throw invalid('body: a live section has no text')
    const { title, body = '', live } = wanted
    await requireOptions(tx, { organizationId, reportId }, 'live.options', live?.options)
    const key = wanted.key ?? freeKey(live?.type ?? title, new Set(sections.map((section) => section.key)))
    await requireStorage(tx, writer, organizationId, Buffer.byteLength(body))
    const now = clock.now()
    const id = newId('sec', now)
    await query.insertSections(tx, [
      {
        id,
        organization_id: organizationId,
        engagement_id: report.engagement_id,
        report_id: reportId,
        key,
        title,
        body,
        live_type: live?.type ?? null,
        live_options: JSON.stringify(live?.options ?? {}),
        position: generateKeyBetween(sections.at(-1)?.position ?? null, null),
        updated_at: isoTime(now),
      },
    ])
    await recordReportChange(tx, clock, actor, report, {
      action: 'report.section-created',
      after: { section: key },
      isWritten: body !== '',
    })
    return requireSection(tx, organizationId, reportId, id)
  })

/** A key from a title: letters, digits and underscores. */
const freeKey = (title: string, used: ReadonlySet<string>): string => {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
    .join('_')
  const start = /^[a-z]/.test(words) ? words.slice(0, 50) : `section_${words}`.slice(0, 50)
  for (let count = 1; ; count++) {
    const key = count === 1 ? start : `${start}_${count}`
    if (!used.has(key)) return key
  }
}

export interface UpdatedSection {
  section: query.SectionRow
  /** The text also has what others saved since its base. */
  merged: boolean
  returnedToReview: boolean
}

/**
 * Changes a section, and keeps what others wrote since the base of its text. Unchanged values have no effect.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for a text without its base, CONFLICT for edits that overlap, for a key
 *   in use, and in an archived engagement
 */
export const updateReportSection = (
  writer: Writer,
  texts: SectionTexts,
  actor: Actor,
  reportId: string,
  sectionId: string,
  wanted: Body<typeof contract.updateReportSection>,
): Promise<UpdatedSection> =>
  texts.inTurn(reportId, () =>
    writer.change(async (tx) => {
      const { clock } = writer
      const { organizationId } = actor
      const report = await lockWritableReport(tx, actor, reportId)
      const before = await requireSection(tx, organizationId, reportId, sectionId)
      const { body, merged } = await mergeWithOthers(tx, writer, texts, actor, before, wanted)
      const { live_options: old } = before
      await requireOptions(tx, { organizationId, reportId }, 'live.options', wanted.live?.options, old)
      const { columns, after } = changesIn(before, wanted)
      if (wanted.key !== undefined && wanted.key !== before.key) {
        const others = await query.listSections(tx, organizationId, reportId)
        if (others.some(({ key }) => key === wanted.key)) throw conflict(SAME_KEY)
      }
      const isRewritten = body !== before.body
      if (!isRewritten && Object.keys(columns).length === 0)
        return { section: before, merged: false, returnedToReview: false }
      const now = isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1))
      if (isRewritten) {
        await requireStorage(tx, writer, organizationId, Buffer.byteLength(body))
        await query.addRevision(tx, before, organizationId, body, now)
      }
      await query.updateSection(tx, organizationId, sectionId, {
        ...columns,
        ...(isRewritten && { body, revision: before.revision + 1 }),
        updated_at: now,
      })
      const returnedToReview = await recordReportChange(tx, clock, actor, report, {
        action: 'report.section-changed',
        before: { section: before.key },
        after: { ...after, ...(isRewritten && { revision: before.revision + 1 }) },
        isWritten: isRewritten || columns.title !== undefined,
      })
      return { section: await requireSection(tx, organizationId, reportId, sectionId), merged, returnedToReview }
    }),
  )

const mergeWithOthers = async (
  tx: Transaction,
  { clock }: Pick<Writer, 'clock'>,
  texts: SectionTexts,
  { organizationId }: Actor,
  before: query.SectionRow,
  { body: sent, baseRevision, live }: Body<typeof contract.updateReportSection>,
): Promise<{ body: string; merged: boolean }> => {
  if (sent === undefined) return { body: before.body, merged: false }
  if (baseRevision === undefined) throw invalid('baseRevision: is needed with a text')
  if (baseRevision > before.revision) throw invalid('baseRevision: must be a revision of this section')
  if (sent !== '' && (live ?? before.live_type) !== null) throw invalid('body: a live section has no text')
  if (sent === before.body || baseRevision === before.revision) return { body: sent, merged: false }
  const since = isoTime(clock.now() - BASE_LIFETIME_MS)
  const base = await query.findBase(tx, organizationId, before.id, baseRevision, since)
  if (!base) throw conflict('The text is based on a revision that is too old to be merged. Read the report again.')
  const merged = await texts.merge(organizationId, {
    base: { body: base.body },
    mine: { body: sent },
    theirs: { body: before.body },
  })
  const body = merged?.['body']
  if (body === undefined)
    throw conflict(
      'Another edit changed the same lines in the meantime. Nothing was saved: read the report again and decide.',
    )
  if (body.length > MAX_SECTION_BODY && [...body].length > MAX_SECTION_BODY)
    throw conflict(
      `With the other edits the text would have more than ${MAX_SECTION_BODY} characters: read the report again and shorten it.`,
    )
  return { body, merged: true }
}

const changesIn = (
  before: query.SectionRow,
  { key, title, hidden, live }: Body<typeof contract.updateReportSection>,
) => {
  const options = (value: ReportOptionsValue | undefined) => value ?? {}
  const isLiveChanged =
    live !== undefined &&
    (live.type !== before.live_type || canonicalJson(options(live.options)) !== canonicalJson(before.live_options))
  const columns = {
    ...(key !== undefined && key !== before.key && { key }),
    ...(title !== undefined && title !== before.title && { title }),
    ...(hidden !== undefined && hidden !== before.hidden && { hidden }),
    ...(isLiveChanged && { live_type: live.type, live_options: JSON.stringify(options(live.options)) }),
  }
  const { live_type: type, live_options: _, ...plain } = columns
  return { columns, after: { ...plain, ...(type && { live: type }) } }
}

/** Deletes a section with its text. @throws ApiError NOT_FOUND, CONFLICT in an archived engagement */
export const deleteReportSection = (
  { change, clock }: Writer,
  actor: Actor,
  reportId: string,
  sectionId: string,
): Promise<void> =>
  change(async (tx) => {
    const report = await lockWritableReport(tx, actor, reportId)
    const { key, title } = await requireSection(tx, actor.organizationId, reportId, sectionId)
    await query.deleteSection(tx, actor.organizationId, sectionId)
    await recordReportChange(tx, clock, actor, report, {
      action: 'report.section-deleted',
      before: { section: key, sectionTitle: title },
    })
  })

/**
 * Moves a section directly before or after another.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR unless exactly one other section of the report is given
 */
export const moveReportSection = (
  { change, clock }: Writer,
  actor: Actor,
  reportId: string,
  sectionId: string,
  { beforeId, afterId }: { beforeId?: string; afterId?: string },
): Promise<query.SectionRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const report = await lockWritableReport(tx, actor, reportId)
    const section = await requireSection(tx, organizationId, reportId, sectionId)
    const [side, otherId] = beforeId === undefined ? (['after', afterId] as const) : (['before', beforeId] as const)
    if (otherId === undefined || (beforeId !== undefined && afterId !== undefined))
      throw invalid('beforeId: exactly one of beforeId and afterId is needed')
    if (otherId === sectionId) throw invalid(`${side}Id: is the section itself`)
    const sections = await query.listSections(tx, organizationId, reportId)
    const others = sections.filter(({ id }) => id !== sectionId)
    const at = others.findIndex(({ id }) => id === otherId)
    if (at < 0) throw invalid(`${side}Id: must be another section of this report`)
    const index = side === 'before' ? at : at + 1
    if (sections.findIndex(({ id }) => id === sectionId) === index) return section
    const position = generateKeyBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null)
    if (position.length <= MAX_POSITION_BYTES) await query.updateSection(tx, organizationId, sectionId, { position })
    else await respread(tx, organizationId, [...others.slice(0, index), section, ...others.slice(index)])
    await recordReportChange(tx, clock, actor, report, {
      action: 'report.section-moved',
      after: { section: section.key, [`${side}Id`]: otherId },
    })
    return requireSection(tx, organizationId, reportId, sectionId)
  })

/** Gives every section a short position, in this order. */
const respread = async (tx: Transaction, organizationId: string, order: readonly query.SectionRow[]): Promise<void> => {
  const positions = generateNKeysBetween(null, null, order.length)
  for (const [index, { id }] of order.entries())
    await query.updateSection(tx, organizationId, id, { position: positions[index] })
}

const requireSection = async (
  tx: Transaction,
  organizationId: string,
  reportId: string,
  sectionId: string,
): Promise<query.SectionRow> => {
  const section = await query.findSection(tx, organizationId, reportId, sectionId)
  if (!section) throw notFound()
  return section
}
