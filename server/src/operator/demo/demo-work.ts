import type { CheckOutcome } from '@sortie/contract/tasks/tasks.ts'
import { createComment } from '../../features/comments/comments.service.ts'
import { BUILT_INS } from '../../features/methodologies/built-in/index-of-built-ins.ts'
import { expandMethodology } from '../../features/methodologies/expand.service.ts'
import { createRequestFolder } from '../../features/requests/folders/folders.service.ts'
import { createApiRequest } from '../../features/requests/saved/requests.service.ts'
import { bulkUpdateTasks } from '../../features/tasks/bulk/bulk.service.ts'
import { createTask } from '../../features/tasks/tasks.service.ts'
import { pageTitles } from '../../features/wiki/pages/lists/page-titles.ts'
import { createWikiPage } from '../../features/wiki/pages/pages.service.ts'
import { createPageTexts } from '../../features/wiki/text/page-texts.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { seedRun } from './demo-runs.ts'
import { WORK } from './demo-texts.ts'

/** The built-in checklist for networks. */
const CHECKLIST = BUILT_INS.find(({ id }) => id.endsWith('network1'))?.id as string
/** The built-in guide for web applications. */
const GUIDE = BUILT_INS.find(({ id }) => id.endsWith('wstg42'))?.id as string
/** How many of the demonstration's checks passed and failed. */
const OUTCOMES = [
  ['pass', 14],
  ['fail', 3],
] as const

const DAY_MS = 24 * 60 * 60 * 1000

/** Tasks, comments, pages and requests for an engagement with this client, if the demonstration has any. */
export const seedTasks = async (
  daysAgo: (days: number) => Writer,
  begunDaysAgo: number,
  [lead, mate]: readonly [Actor, Actor],
  engagementId: string,
  clientName: string | undefined,
): Promise<void> => {
  const work = WORK[clientName ?? '']
  if (!work) return
  /** The i-th of so many, spread from the beginning to now. */
  const spread = (index: number, count: number): Writer => daysAgo(begunDaysAgo * (1 - (index + 1) / (count + 1)))
  const sources = new Map([[pageTitles.type, pageTitles]])
  const texts = createPageTexts()
  const pages: { id: string }[] = []
  for (const [index, [title, body, below]] of work.pages.entries()) {
    const parentId = below === undefined ? undefined : pages[below]?.id
    pages.push(
      await createWikiPage(spread(index, work.pages.length), texts, lead, {
        engagementId,
        title,
        body,
        ...(parentId && { parentId }),
      }),
    )
  }
  const [home] = pages
  const links = home ? [{ type: 'page' as const, id: home.id }] : []
  for (const [index, [title, status, priority, due, comment]] of work.tasks.entries()) {
    const then = spread(index, work.tasks.length)
    const assigneeId = index % 2 === 0 ? lead.id : mate.id
    const dueOn = due === null ? null : isoTime(daysAgo(0).clock.now() + due * DAY_MS).slice(0, 10)
    const wanted = { engagementId, title, status, priority, assigneeId, dueOn, links: index === 0 ? links : [] }
    const { id } = await createTask(then, sources, lead, wanted)
    if (comment)
      await createComment(then, mate, { type: 'task', id }, { body: `@[${lead.name}](${lead.id}) ${comment}` })
  }
  const [folder, requests] = work.requests
  const { id: folderId } = await createRequestFolder(spread(0, 2), lead, { engagementId, name: folder })
  for (const [index, [name, method, url, answers = []]] of requests.entries()) {
    const then = spread(index, requests.length)
    const { id } = await createApiRequest(then, mate, { engagementId, folderId, name, method, url })
    for (const [run, answer] of answers.entries()) {
      const ran = daysAgo(Math.max(0.1, 9 - index - 3 * run))
      await seedRun(ran, run % 2 === 0 ? mate : lead, engagementId, { id, method, url }, answer)
    }
  }
  await seedChecks(spread(1, 4), lead, engagementId, work.checked)
  if (clientName === 'Contoso') await seedCoverage(daysAgo, lead, mate, engagementId)
}

/** Days before the start of the server on which a part of the checks was done. */
const CHECKED_ON = [24, 19, 15, 11, 8, 4, 1]

/** How a check of the guide ended: four in five are done, and a few of them failed. */
const outcomeOf = (index: number): CheckOutcome => {
  const draw = (index * 37 + (index >> 3) * 11) % 100
  if (draw < 56) return 'pass'
  if (draw < 64) return 'fail'
  return draw < 82 ? 'not_applicable' : 'untested'
}

/** The web guide on four applications, checked over some weeks. */
const seedCoverage = async (
  daysAgo: (days: number) => Writer,
  lead: Actor,
  mate: Actor,
  engagementId: string,
): Promise<void> => {
  const made = daysAgo(26)
  const { ids } = await expandMethodology(made, lead, GUIDE, { engagementId, targets: { filter: { tag: ['portal'] } } })
  const portion = Math.ceil(ids.length / CHECKED_ON.length)
  for (const [week, days] of CHECKED_ON.entries()) {
    const some = ids
      .slice(week * portion, (week + 1) * portion)
      .map((id, index) => ({ id, outcome: outcomeOf(week * portion + index) }))
    for (const [outcome, checks] of Map.groupBy(some, (check) => check.outcome)) {
      if (outcome === 'untested') continue
      const actor = outcome === 'fail' ? mate : lead
      await bulkUpdateTasks(
        daysAgo(days),
        actor,
        { ids: checks.map(({ id }) => id) },
        { outcome, status: 'done', assigneeId: actor.id },
      )
    }
  }
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
