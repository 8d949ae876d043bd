import type { WrittenFields } from '@sortie/contract/custom-fields/fields.ts'
import { MAX_SECTION, type RemediationStatus, SECTIONS } from '@sortie/contract/findings/finding-fields.ts'
import { scoreOf, severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { severityOf, weightOf } from '../../platform/lists/severities.ts'
import { setFields } from '../custom-fields/field-values.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { requireStorage } from '../files/storage-quota.service.ts'
import { addAssets, readSources, type Sources } from './affected/add-affected.service.ts'
import type { SeenResult } from './affected/affected.queries.ts'
import { refreshStatus } from './affected/refresh-status.service.ts'
import { clientStatusOf, type WrittenClientStatus } from './client-status.ts'
import { requirePeople } from './finding-locks.service.ts'
import * as query from './findings.queries.ts'
import { readEntry } from './library/read-entry.service.ts'
import { findingOrder } from './lifecycle/finding-order.ts'
import { notifyPeople } from './notify-people.service.ts'
import { recordFinding } from './record-finding.service.ts'
import { findRetested, requireRetested } from './retested-finding.service.ts'
import { insertRevision } from './texts/finding-revisions.queries.ts'
import { sectionsIn, sizeOf, type Texts } from './texts/save-texts.service.ts'
import { columnsOf, type PlainFields, plainFieldsIn } from './update/changed-fields.ts'
import { readBack, requireProofs, requireVerifier } from './update/update-finding.service.ts'

export type NewFinding = PlainFields &
  Partial<Texts> &
  Pick<Sources, 'resultIds' | 'resultFilter'> & {
    engagementId: string
    libraryEntryId?: string
    language?: string
    status?: RemediationStatus
    clientStatus?: WrittenClientStatus
    fields?: WrittenFields
  }

const MAX_TITLE = 300

/**
 * Creates a draft, last in its engagement. Results become its affected assets, and give it what the request does not;
 * the recorded proof of one is embedded in the reproduction.
 *
 * @throws ApiError VALIDATION_ERROR for an invalid value and without a title, FORBIDDEN for results without the scope
 *   that reads them, CONFLICT for an archived or full engagement
 */
export const createFinding = (writer: Writer, actor: Actor, wanted: NewFinding): Promise<query.WholeFindingRow> =>
  writer.change(async (tx) => {
    const { clock, config } = writer
    const { organizationId } = actor
    const { engagementId, resultIds, resultFilter } = wanted
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    if (resultIds && resultFilter) throw invalid('resultIds: only one of resultIds and resultFilter can be given')
    const isFromResults = resultIds !== undefined || resultFilter !== undefined
    const { assets, results } = isFromResults
      ? await readSources(tx, actor, engagementId, { resultIds, resultFilter }, true)
      : { assets: [], results: [] }
    const entry = await readEntry(tx, organizationId, wanted)
    const given = { ...entry?.fields, ...fromResults(results, entry?.fields), ...plainFieldsIn(wanted) }
    if (given.title === undefined) throw invalid('title: is needed')
    if (actor.agent) given.verification ??= 'machine_found'
    requireVerifier(actor, 'none', given.verification)
    const author = authorOf(actor)
    await requireRetested(tx, actor, engagementId, given.retestOf)
    const retestOf =
      given.retestOf === undefined ? ((await findRetested(tx, actor, engagementId, results)) ?? null) : given.retestOf
    const plain = { ...given, retestOf, authorId: given.authorId === undefined ? author : given.authorId }
    await requireProofs(tx, actor, engagementId, plain.proofs, [])
    await requirePeople(tx, actor, engagementId, {
      ...(given.authorId !== undefined && { authorId: given.authorId }),
      reviewerId: plain.reviewerId,
    })
    const found: Texts = { ...textsFrom(results), ...entry?.texts }
    const texts: Texts = { ...found, reproduction: withEvidence(found.reproduction, results), ...sectionsIn(wanted) }
    await requireStorage(tx, { config }, organizationId, sizeOf(texts))
    await findingOrder.lock(tx, { organizationId, engagementId })
    const max = config.FINDING_LIMIT
    if ((await query.countFindings(tx, organizationId, engagementId, max)) >= max)
      throw conflict(`An engagement has at most ${max} findings (FINDING_LIMIT).`)
    const [position] = await findingOrder.lastPositions(tx, { organizationId, engagementId }, 1)
    const now = clock.now()
    const id = newId('fnd', now)
    const times = { created_at: isoTime(now), updated_at: isoTime(now) }
    await query.insertFinding(tx, {
      ...columnsOf(plain),
      severity: weightOf(given.severity ?? 'info'),
      ...texts,
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      number: await query.consumeNumber(tx, organizationId, engagementId),
      title: given.title,
      status: wanted.status ?? 'open',
      client_status: wanted.clientStatus ? JSON.stringify(clientStatusOf(actor, clock, wanted.clientStatus)) : null,
      revision: 1,
      ...(entry && { library_entry_id: entry.id, library_version: entry.version }),
      writers: author === null ? [] : [author],
      position: position as string,
      created_by: author,
      ...times,
    })
    const place = { organization_id: organizationId, engagement_id: engagementId, finding_id: id }
    await insertRevision(tx, {
      ...place,
      revision: 1,
      ...texts,
      size: sizeOf(texts),
      author,
      created_at: times.created_at,
      edit_started_at: times.created_at,
    })
    const set = await setFields(tx, actor, { type: 'finding', id, engagementId }, wanted.fields)
    if (assets.length > 0) {
      await addAssets(tx, clock, actor, { id, engagementId }, assets)
      await refreshStatus(tx, clock, actor, await readBack(tx, organizationId, id), { returns: false })
    }
    const finding = await readBack(tx, organizationId, id)
    const after = {
      title: finding.title,
      number: finding.number,
      severity: severityOf(finding.severity),
      assets: assets.length,
      ...(entry && { libraryEntryId: entry.id }),
      ...(retestOf !== null && { retestOf }),
      ...(set && { fields: set.after }),
    }
    await notifyPeople(tx, writer, actor, [{ after: finding }])
    await recordFinding(tx, actor, clock, {
      action: 'finding.created',
      change: 'created',
      findingId: id,
      engagementId,
      after,
    })
    return finding
  })

/** What results say about a finding: its rating, and the ids and references of all. */
const fromResults = (results: readonly SeenResult[], ofEntry: PlainFields = {}): PlainFields => {
  const [first] = results
  if (!first) return {}
  const cut = (values: readonly string[], isKept: (value: string) => boolean, max: number) =>
    [...new Set(values)].filter(isKept).slice(0, max)
  const found: PlainFields = {
    title: [...first.title].slice(0, MAX_TITLE).join(''),
    ...ratingFrom(results, ofEntry),
    cwe: cut(
      results.flatMap(({ data }) => data.cwe ?? []),
      (id) => /^CWE-[1-9]\d{0,6}$/.test(id),
      50,
    ),
    cve: cut(
      results.flatMap(({ data }) => data.cve ?? []),
      (id) => /^CVE-\d{4}-\d{4,10}$/.test(id),
      50,
    ),
    references: cut(
      results.flatMap(({ data }) => data.references ?? []),
      (line) => line !== '' && line.length <= 2_000 && !/[\r\n]/.test(line),
      100,
    ),
    verification: results.some(({ has_tools }) => has_tools) ? 'machine_found' : 'none',
  }
  // Title, ids and references come from the library entry, if it has them.
  const { severity: _, cvssVector: __, ...others } = ofEntry
  const fromEntry = Object.entries(others).filter(
    ([, value]) => typeof value === 'string' || (Array.isArray(value) && value.length > 0),
  )
  return { ...found, ...Object.fromEntries(fromEntry) }
}

/**
 * Severity and vector that agree: the severity follows the vector of the library entry. Without one it is the highest
 * of the results, with the vector of the worst if that means the same. A severity that a person has set on a result
 * counts more than a vector.
 */
const ratingFrom = (
  results: readonly SeenResult[],
  { cvssVector: ofEntry = null }: PlainFields,
): Pick<PlainFields, 'severity' | 'cvssVector'> => {
  const highest = Math.max(0, ...results.map(({ severity }) => severity ?? 0))
  const meant = (vector: string | null | undefined) => {
    const score = typeof vector === 'string' ? scoreOf(vector) : undefined
    return score === undefined ? undefined : severityOfScore(score)
  }
  const severity = severityOf(highest)
  if (ofEntry === null) {
    const agreeing = results.find((result) => result.severity === highest && meant(result.data.cvssVector) === severity)
    return { severity, ...(agreeing?.data.cvssVector && { cvssVector: agreeing.data.cvssVector }) }
  }
  return {
    severity: results.some((result) => result.is_severity_set) ? severity : (meant(ofEntry) ?? severity),
    cvssVector: ofEntry,
  }
}

/** The first text of each kind that a result has; a tool's reproduction is its recorded proof. */
const textsFrom = (results: readonly SeenResult[]): Texts => {
  const first = (name: 'synopsis' | 'description' | 'impact' | 'solution') =>
    results.map(({ data }) => data[name]).find((text) => typeof text === 'string' && text !== '') ?? ''
  const cut = (text: string) => [...text].slice(0, MAX_SECTION).join('')
  const empty = Object.fromEntries(SECTIONS.map((section) => [section, ''])) as Texts
  return {
    ...empty,
    summary: cut(first('synopsis')),
    description: cut(first('description')),
    impact: cut(first('impact')),
    recommendation: cut(first('solution')),
  }
}

/** The reproduction, with the recorded proof of the most severe result that has one. */
const withEvidence = (reproduction: string, results: readonly SeenResult[]): string => {
  const [worst] = results.filter(({ has_proof }) => has_proof).toSorted((a, b) => (b.severity ?? 0) - (a.severity ?? 0))
  if (!worst) return reproduction
  const text = `${reproduction}${reproduction === '' ? '' : '\n\n'}![[${worst.id}]]`
  return [...text].length > MAX_SECTION ? reproduction : text
}
