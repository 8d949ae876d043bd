import { updateClient } from '../../../features/clients/clients.service.ts'
import { createComment } from '../../../features/comments/comments.service.ts'
import { createFieldDefinition } from '../../../features/custom-fields/field-definitions.service.ts'
import { listAffectedOf } from '../../../features/findings/affected/affected.queries.ts'
import { addAffected, updateAffected } from '../../../features/findings/affected/affected.service.ts'
import { createFinding } from '../../../features/findings/create-finding.service.ts'
import { publishFinding } from '../../../features/findings/lifecycle/publish.service.ts'
import { listFindingSuggestions, setDismissed } from '../../../features/findings/suggestions/suggestions.service.ts'
import { updateFinding } from '../../../features/findings/update/update-finding.service.ts'
import { BUILT_IN_ENTRIES } from '../../../features/library/built-in/known-entries.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { createSectionTexts } from '../../../platform/text-merge/section-texts.ts'
import type { Reported } from './reported.ts'

/** Custom fields of the organization. */
export const seedFields = async (writer: Writer, owner: Actor): Promise<void> => {
  await createFieldDefinition(writer, owner, {
    objectType: 'finding',
    key: 'owner_at_client',
    type: 'text',
    label: 'Owner at the client',
    help: 'The team that repairs it.',
  })
  await createFieldDefinition(writer, owner, {
    objectType: 'engagement',
    key: 'sold_as',
    type: 'choice',
    label: 'Sold as',
    options: ['Fixed price', 'Time and material', 'Subscription'],
  })
}

/** What the organization knows about the client with several engagements. */
export const seedClient = async (writer: Writer, actor: Actor): Promise<void> => {
  const clients = writer.db
    .selectFrom('clients')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('name', '=', 'Contoso')
  const { id } = await clients.executeTakeFirstOrThrow()
  await updateClient(writer, actor, id, {
    shortName: 'CON',
    domains: ['contoso.example'],
    contacts: [
      { name: 'Mira Lang', role: 'CISO', email: 'mira.lang@contoso.example', phone: '+49 30 5550 101' },
      { name: 'Duty officer', role: 'Operations', email: '', phone: '+49 30 5550 100' },
    ],
    notes: 'Reports in English, with two pages for the management. The booking team answers within a day.',
  })
}

/** Share of the suggestions that the team has dismissed. */
const DISMISSED_EVERY = 3

/**
 * Findings of an engagement with texts of the library, affected assets, evidence, comments and a review, and dismissed
 * suggestions. Each step is dated; the other person approves.
 */
export const seedReported = async (
  daysAgo: (days: number) => Writer,
  [lead, mate]: readonly [Actor, Actor],
  engagementId: string,
  reported: readonly Reported[],
): Promise<void> => {
  const texts = createSectionTexts()
  for (const [index, finding] of reported.entries()) {
    const [author, reviewer] = index % 2 === 0 ? [lead, mate] : [mate, lead]
    const at = (later: number) => daysAgo(Math.max(0.05, finding.daysAgo - later))
    const id = await createReported(at(0), author, engagementId, finding)
    for (const comment of finding.comments ?? [])
      await createComment(at(0.5), reviewer, { type: 'finding', id }, { body: comment })
    if (finding.suggestion) {
      const { quote, by, comment } = finding.suggestion
      await createComment(
        at(0.6),
        reviewer,
        { type: 'finding', id },
        { body: comment, anchor: { section: 'summary', quote }, suggestion: by },
      )
    }
    if (finding.step === 'draft') continue
    await updateFinding(at(1), texts, author, id, { state: 'in_review', reviewerId: reviewer.id })
    if (finding.step === 'in_review') continue
    await updateFinding(at(2), texts, reviewer, id, { state: 'approved', verification: 'human_verified' })
    if (finding.step === 'approved') continue
    await publishFinding(at(2.1), reviewer, id, {})
    if (finding.client)
      await updateFinding(at(4), texts, author, id, { clientStatus: { ...finding.client, until: null } })
  }
  const suggestions = await listFindingSuggestions(daysAgo(0).db, lead, engagementId)
  for (const { key } of suggestions.filter((_, index) => index % DISMISSED_EVERY === 1))
    await setDismissed(daysAgo(1), mate, { engagementId, key }, true)
}

const createReported = async (
  writer: Writer,
  author: Actor,
  engagementId: string,
  finding: Reported,
): Promise<string> => {
  const { entry, title, from, assets = [], proof, owner, tags } = finding
  const { db } = writer
  const find = (table: 'results' | 'api_requests', column: 'title' | 'name', value: string) =>
    db
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', author.organizationId)
      .where('engagement_id', '=', engagementId)
      .where(column as never, '=', value as never)
      .execute()
  const resultIds = from === undefined ? [] : (await find('results', 'title', from)).map(({ id }) => id)
  const [request] = proof === undefined ? [] : await find('api_requests', 'name', proof)
  const run = request && (await lastRunOf(writer, author, request.id))
  const { id } = await createFinding(writer, author, {
    engagementId,
    ...(entry !== undefined && { libraryEntryId: entryId(entry) }),
    ...(title !== undefined && { title }),
    // A person has set the severity of the results: where the vector of the entry means another, a review needs the
    // reason.
    ...(resultIds.length > 0 && { resultIds, severityReason: 'Rated by its impact on this system.' }),
    ...(request && { proofs: [{ type: 'request', id: request.id }] }),
    ...(run && { reproduction: `The request and the response that show it:\n\n![[${run}]]` }),
    ...(tags && { tags: [...tags] }),
    ...(owner !== undefined && { fields: { owner_at_client: owner } }),
  })
  if (assets.length === 0) return id
  await addAffected(writer, author, id, { assets: assets.map(([asset]) => asset) })
  const statuses = new Map(assets.map(([asset, status]) => [asset, status]))
  for (const affected of await listAffectedOf(db, author.organizationId, [id])) {
    const status = statuses.get(affected.asset)
    if (status !== undefined) await updateAffected(writer, author, affected.id, { status })
  }
  return id
}

const lastRunOf = async (writer: Writer, actor: Actor, requestId: string): Promise<string | undefined> => {
  const runs = writer.db
    .selectFrom('request_runs')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('request_id', '=', requestId)
  return (await runs.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id
}

const entryId = (key: string): string => {
  const entry = BUILT_IN_ENTRIES.find((known) => known.key === key)
  if (!entry) throw new Error(`There is no built-in library entry ${key}`)
  return entry.id
}
