import { MAX_PAGE_BODY } from '@sortie/contract/wiki/wiki.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import { findBase, findRevision, insertRevisions, readText, supersede } from '../history/revisions.queries.ts'
import { claimLinks, saveLinks } from '../links/save-links.service.ts'
import type { PreparedText } from '../text/page-text-task.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { titleKey } from '../text/title-key.ts'
import { lockWritablePage } from './access.service.ts'
import { type LockedPage, type PageRow, saveWords, updatePage } from './pages.queries.ts'
import { readBack, readSummary } from './pages.service.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a replaced text can be the base of an edit. */
export const BASE_LIFETIME_MS = 7 * DAY_MS
/** Saves of one author within this time are one entry of the history. */
const ENTRY_MS = 10 * 60 * 1000
/** Later than any time: the previous revision stays a separate entry. */
const NEVER = 'infinity'

export interface PageChange {
  title?: string | undefined
  body?: string | undefined
  baseRevision?: number | undefined
  isTemplate?: boolean | undefined
  ifUpdatedAt?: string | undefined
}

type Page = LockedPage & { body: string }

/**
 * Saves an edited text and keeps what others saved since its base. Unchanged values have no effect.
 *
 * @returns the page; true if its text differs from the one that was sent
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for a text without its base, CONFLICT if changes overlap, for a base
 *   that is too old, in the trash and in an archived engagement
 */
export const updateWikiPage = (writer: Writer, texts: PageTexts, actor: Actor, pageId: string, wanted: PageChange) =>
  texts.inTurn(pageId, () =>
    writer.change(async (tx) => {
      const before = await lockText(tx, actor, pageId)
      if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) {
        throw conflict('Someone else changed this page in the meantime. Reload it, then repeat the change.')
      }
      const title = wanted.title ?? before.title
      const prepared = await textToSave(tx, writer, texts, actor.organizationId, before, title, wanted)
      await save(tx, writer, actor, before, {
        title,
        isTemplate: wanted.isTemplate ?? before.is_template,
        prepared,
        since: ENTRY_MS,
      })
      const merged = wanted.body !== undefined && wanted.baseRevision !== before.revision && wanted.body !== before.body
      return {
        page: { ...(await readSummary(tx, actor.organizationId, pageId)), body: prepared?.body ?? before.body },
        merged,
      }
    }),
  )

/** Locks a page and reads its text. @throws ApiError NOT_FOUND, CONFLICT in the trash or in an archived engagement */
const lockText = async (tx: Transaction, actor: Actor, pageId: string): Promise<Page> => {
  const page = await lockWritablePage(tx, actor, pageId)
  return { ...page, body: await readText(tx, actor.organizationId, pageId, page.revision) }
}

/** @returns undefined if neither text nor title changes */
const textToSave = async (
  tx: Transaction,
  { clock }: Writer,
  texts: PageTexts,
  organizationId: string,
  before: Page,
  title: string,
  { body, baseRevision }: PageChange,
): Promise<PreparedText | undefined> => {
  if (body === undefined)
    return title === before.title ? undefined : texts.prepare(organizationId, { title, body: before.body })
  if (baseRevision === undefined) throw invalid('baseRevision: is needed with body')
  if (baseRevision > before.revision) throw invalid('baseRevision: must be a revision of this page')
  if (body === before.body && title === before.title) return undefined
  if (baseRevision === before.revision) return texts.prepare(organizationId, { title, body })
  const base = await findBase(tx, organizationId, before.id, baseRevision, isoTime(clock.now() - BASE_LIFETIME_MS))
  if (!base) throw conflict('The text is based on a revision that is too old to be merged. Reload the page.')
  const merged = await texts.prepare(organizationId, { title, body, merge: { base: base.body, theirs: before.body } })
  if (!merged)
    throw conflict(
      'Someone else changed the same lines in the meantime. Nothing was saved: reload the page and choose.',
    )
  if (merged.body.length > MAX_PAGE_BODY && [...merged.body].length > MAX_PAGE_BODY) {
    throw conflict(
      `Merged with the changes of others, the page would have more than ${MAX_PAGE_BODY} characters: reload it and shorten it.`,
    )
  }
  return merged
}

/**
 * Saves an earlier text as a new revision. The previous text stays an entry of the history.
 *
 * @throws ApiError NOT_FOUND, CONFLICT in the trash and in an archived engagement
 */
export const restoreWikiRevision = (
  writer: Writer,
  texts: PageTexts,
  actor: Actor,
  pageId: string,
  revision: number,
): Promise<PageRow & { body: string }> =>
  texts.inTurn(pageId, () =>
    writer.change(async (tx) => {
      const before = await lockText(tx, actor, pageId)
      const earlier = await findRevision(tx, actor.organizationId, pageId, revision)
      if (!earlier) throw notFound()
      const prepared = await texts.prepare(actor.organizationId, { title: before.title, body: earlier.body })
      await save(tx, writer, actor, before, {
        title: before.title,
        isTemplate: before.is_template,
        prepared,
        since: undefined,
      })
      return readBack(tx, actor.organizationId, pageId)
    }),
  )

interface Saved {
  title: string
  isTemplate: boolean
  /** Undefined if only other fields change. */
  prepared: PreparedText | undefined
  /** Maximum age of an entry of the history that this save may continue; undefined starts a new entry. */
  since: number | undefined
}

/** Does nothing if nothing changes. */
const save = async (
  tx: Transaction,
  { clock, config }: Writer,
  actor: Actor,
  before: Page,
  { title, isTemplate, prepared, since }: Saved,
): Promise<void> => {
  const isRenamed = title !== before.title
  const isRewritten = prepared !== undefined && prepared.body !== before.body
  if (!isRenamed && !isRewritten && isTemplate === before.is_template) return
  const { organizationId } = actor
  const { id, engagement_id: engagementId } = before
  const now = clock.now()
  const author = authorOf(actor)
  const revision = before.revision + (isRewritten ? 1 : 0)
  if (isRewritten) {
    await requireStorage(tx, { config }, organizationId, prepared.size)
    const next = { author, now: isoTime(now), since: since === undefined ? NEVER : isoTime(now - since) }
    const entrySince = (await supersede(tx, organizationId, id, before.revision, next)) ?? isoTime(now)
    const place = { organization_id: organizationId, engagement_id: engagementId, page_id: id }
    await insertRevisions(tx, [
      {
        ...place,
        revision,
        body: prepared.body,
        size: prepared.size,
        author,
        created_at: isoTime(now),
        edit_started_at: entrySince,
      },
    ])
  }
  const change = { title, title_key: titleKey(title), is_template: isTemplate, revision, updated_by: author }
  await updatePage(tx, organizationId, id, change, isoTime(now))
  if (prepared)
    await saveWords(tx, organizationId, [
      { pageId: id, tree: engagementId ?? organizationId, words: prepared.words, titleWords: prepared.titleWords },
    ])
  if (isRewritten) await saveLinks(tx, organizationId, engagementId, { pageId: id, references: prepared.references })
  if (isRenamed) await claimLinks(tx, organizationId, engagementId, [{ titleKey: titleKey(title), pageId: id }])
  const fields = {
    before: { title: before.title, isTemplate: before.is_template, revision: before.revision },
    after: { title, isTemplate, revision },
  }
  await recordAudit(tx, actor, clock, {
    action: 'page.changed',
    object: { type: 'page', id },
    ...(engagementId && { engagementId }),
    ...differing(fields),
  })
  await announce(tx, { type: 'page', engagementId, ids: [id], change: 'updated' })
}

/** The fields that differ, as the audit log stores them. */
const differing = <F extends object>({ before, after }: { before: F; after: F }) => {
  const names = Object.keys(after).filter((name) => before[name as keyof F] !== after[name as keyof F])
  const only = (fields: F) => Object.fromEntries(names.map((name) => [name, fields[name as keyof F]]))
  return { before: only(before), after: only(after) }
}
