import { MAX_SECTION, SECTIONS, type Section } from '@sortie/contract/findings/finding-fields.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import type { WholeFindingRow } from '../findings.queries.ts'
import { findBase, insertRevision, supersede } from './finding-revisions.queries.ts'

export type Texts = Record<Section, string>

const DAY_MS = 24 * 60 * 60 * 1000
/** How long replaced texts can be the base of an edit. */
export const BASE_LIFETIME_MS = 7 * DAY_MS
/** Saves of one author within this time are one entry of the history. */
const ENTRY_MS = 10 * 60 * 1000
/** Later than any time: the previous revision stays a separate entry. */
const NEVER = 'infinity'

/** The sections that a request contains. */
export const sectionsIn = (wanted: Partial<Texts>): Partial<Texts> =>
  Object.fromEntries(SECTIONS.flatMap((section) => (wanted[section] === undefined ? [] : [[section, wanted[section]]])))

export const textsOf = (row: Texts): Texts =>
  Object.fromEntries(SECTIONS.map((section) => [section, row[section]])) as Texts

/**
 * The texts to save: the sent ones, merged with what others saved since their base.
 *
 * @returns the sections that change; whether others saved since the base
 * @throws ApiError VALIDATION_ERROR for a text without its base, CONFLICT if changes overlap and for a base that is too
 *   old
 */
export const mergeWithOthers = async (
  tx: Transaction,
  { clock }: Pick<Writer, 'clock'>,
  texts: SectionTexts,
  organizationId: string,
  before: WholeFindingRow,
  sent: Partial<Texts>,
  baseRevision: number | undefined,
): Promise<{ changed: Partial<Texts>; merged: boolean }> => {
  if (Object.keys(sent).length === 0) return { changed: {}, merged: false }
  if (baseRevision === undefined) throw invalid('baseRevision: is needed with a text')
  if (baseRevision > before.revision) throw invalid('baseRevision: must be a revision of this finding')
  const differing = differingFrom(before, sent)
  if (Object.keys(differing).length === 0 || baseRevision === before.revision)
    return { changed: differing, merged: false }
  const base = await findBase(tx, organizationId, before.id, baseRevision, isoTime(clock.now() - BASE_LIFETIME_MS))
  if (!base) throw conflict('The text is based on a revision that is too old to be merged. Read the finding again.')
  const merged = await texts.merge(organizationId, { base, mine: differing, theirs: textsOf(before) })
  if (!merged)
    throw conflict(
      'Another edit changed the same lines in the meantime. Nothing was saved: read the finding again and decide.',
    )
  for (const text of Object.values(merged)) {
    if (text.length > MAX_SECTION && [...text].length > MAX_SECTION) {
      throw conflict(
        `With the other edits a text would have more than ${MAX_SECTION} characters: read the finding again and shorten it.`,
      )
    }
  }
  return { changed: differingFrom(before, merged), merged: true }
}

const differingFrom = (before: Texts, sent: Partial<Texts>): Partial<Texts> =>
  Object.fromEntries(Object.entries(sent).filter(([section, text]) => text !== before[section as Section]))

/**
 * Adds a revision with the new texts of a locked finding.
 *
 * @param isNewEntry never continues the last entry of the history
 * @returns the new columns of the finding
 */
export const saveTexts = async (
  tx: Transaction,
  { clock, config }: Writer,
  actor: Actor,
  before: WholeFindingRow,
  changed: Partial<Texts>,
  isNewEntry = false,
): Promise<Partial<Texts> & { revision: number; writers: string[] }> => {
  const { organizationId } = actor
  const texts = { ...textsOf(before), ...changed }
  const size = sizeOf(texts)
  await requireStorage(tx, { config }, organizationId, size)
  const now = clock.now()
  const author = authorOf(actor)
  const revision = before.revision + 1
  const next = { author, now: isoTime(now), since: isNewEntry ? NEVER : isoTime(now - ENTRY_MS) }
  const startedAt = (await supersede(tx, organizationId, before.id, before.revision, next)) ?? isoTime(now)
  const place = { organization_id: organizationId, engagement_id: before.engagement_id, finding_id: before.id }
  await insertRevision(tx, {
    ...place,
    revision,
    ...texts,
    size,
    author,
    created_at: isoTime(now),
    edit_started_at: startedAt,
  })
  return { ...changed, revision, writers: withWriter(before.writers, author) }
}

/** Bytes in UTF-8. */
export const sizeOf = (texts: Texts): number =>
  Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0)

export const withWriter = (writers: readonly string[], author: string | null): string[] => [
  ...new Set([...writers, ...(author ? [author] : [])]),
]
