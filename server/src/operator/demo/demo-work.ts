import { BUILT_INS } from '../../features/methodologies/built-in/index-of-built-ins.ts'
import { expandMethodology } from '../../features/methodologies/expand.service.ts'
import { createRequestFolder } from '../../features/requests/folders/folders.service.ts'
import { createApiRequest } from '../../features/requests/saved/requests.service.ts'
import { createResult } from '../../features/results/results.service.ts'
import { bulkUpdateTasks } from '../../features/tasks/bulk/bulk.service.ts'
import { createComment } from '../../features/tasks/comments/comments.service.ts'
import { createTask } from '../../features/tasks/tasks.service.ts'
import { pageTitles } from '../../features/wiki/pages/lists/page-titles.ts'
import { createWikiPage } from '../../features/wiki/pages/pages.service.ts'
import { createPageTexts } from '../../features/wiki/text/page-texts.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/http/routes/context.ts'
import { WORK } from './demo-texts.ts'

/** The built-in checklist for networks. */
const CHECKLIST = BUILT_INS.find(({ id }) => id.endsWith('network1'))?.id as string
/** How many of the demonstration's checks passed and failed. */
const OUTCOMES = [
  ['pass', 14],
  ['fail', 3],
] as const

/** Tasks, comments, pages and results for an engagement with this client, if the demonstration has any. */
export const seedTasks = async (
  platform: Writer,
  lead: Actor,
  mate: Actor,
  engagementId: string,
  clientName: string | undefined,
): Promise<void> => {
  const work = WORK[clientName ?? '']
  if (!work) return
  const sources = new Map([[pageTitles.type, pageTitles]])
  const texts = createPageTexts()
  const [home] = await inOrder(work.pages, ([title, body]) =>
    createWikiPage(platform, texts, lead, { engagementId, title, body }),
  )
  const links = home ? [{ type: 'page' as const, id: home.id }] : []
  for (const [index, task] of work.tasks.entries()) {
    const [title, status, priority, comment] = task
    const assigneeId = index % 2 === 0 ? lead.id : mate.id
    const { id } = await createTask(platform, sources, lead, {
      engagementId,
      title,
      status,
      priority,
      assigneeId,
      links: index === 0 ? links : [],
    })
    if (comment) await createComment(platform, mate, id, `@[${lead.name}](${lead.id}) ${comment}`)
  }
  for (const [title, severity, asset, description] of work.results) {
    await createResult(platform, mate, { engagementId, title, severity, asset, data: { description } })
  }
  const [folder, requests] = work.requests
  const { id: folderId } = await createRequestFolder(platform, lead, { engagementId, name: folder })
  for (const [name, method, url] of requests)
    await createApiRequest(platform, mate, { engagementId, folderId, name, method, url })
  await seedChecks(platform, lead, engagementId, work.checked)
}

/** A methodology on the targets with a tag, partly done. */
const seedChecks = async (platform: Writer, actor: Actor, engagementId: string, tag: string): Promise<void> => {
  await expandMethodology(platform, actor, CHECKLIST, { engagementId, targets: { filter: { tag: [tag] } } })
  const checks = await platform.db
    .selectFrom('tasks')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('engagement_id', '=', engagementId)
    .where('methodology_id', '=', CHECKLIST)
    .orderBy('position')
    .execute()
  let first = 0
  for (const [outcome, count] of OUTCOMES) {
    const ids = checks.slice(first, first + count).map(({ id }) => id)
    if (ids.length > 0) await bulkUpdateTasks(platform, actor, { ids }, { outcome, status: 'done' })
    first += count
  }
}

const inOrder = async <From, To>(all: readonly From[], make: (one: From) => Promise<To>): Promise<To[]> => {
  const made: To[] = []
  for (const one of all) made.push(await make(one))
  return made
}
