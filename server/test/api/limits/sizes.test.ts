import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient, TestResponse } from '../../support/app/test-client.ts'
import { countStatements } from '../../support/inputs/count-queries.ts'
import {
  fillReport,
  fillTasks,
  fillWiki,
  longText,
  resultRows,
  type Send,
  senderOf,
  SIZES,
} from '../../support/sizes/fill.ts'

/** The stated sizes at night. With a commit the limits are lower, and so are the sizes, which are at them. */
const SIZE = isNightly ? SIZES : { ...SIZES, pages: 600, tasks: 600, results: 3_000, findings: 20, pictures: 5 }
const [SMALL_PAGES, SMALL_TASKS, SMALL_RESULTS] = [100, 200, 200]

let app: TestApp
let owner: TestClient
let send: Send

beforeAll(async () => {
  app = await testApp({
    workers: false,
    env: {
      WIKI_PAGE_LIMIT: String(SIZE.pages),
      TASK_LIMIT: String(SIZE.tasks),
      RESULT_LIMIT: String(SIZE.results),
    },
  })
  owner = await app.signedIn('owner')
  send = senderOf(app.origin, owner.headers)
})
afterAll(() => app.close())

const engagements = async () =>
  Promise.all(['Small', 'Large'].map(async (name) => (await send('POST', '/engagements', { name })).id as string))

interface Compared {
  small: TestResponse
  large: TestResponse
}

/**
 * Asks the same of a small and of a large engagement.
 *
 * @throws unless both succeed with as many statements, and the larger answer has at most `times` the bytes
 */
const compare = async (
  [small, large]: readonly string[],
  ask: (id: string) => Promise<TestResponse>,
  times = 1.5,
): Promise<Compared> => {
  const answers: TestResponse[] = []
  const counts: number[] = []
  for (const id of [small, large] as string[]) {
    // The first request of an engagement may prepare what later ones use.
    let answer = await ask(id)
    counts.push(
      await countStatements(async () => {
        answer = await ask(id)
      }),
    )
    answers.push(answer)
  }
  const [smaller, larger] = answers as [TestResponse, TestResponse]
  expect([smaller.status, larger.status], larger.text.slice(0, 500)).toEqual([200, 200])
  expect(counts[1]).toBe(counts[0])
  expect(larger.text.length).toBeLessThan(smaller.text.length * times)
  return { small: smaller, large: larger }
}

test('a wiki at its stated size: tree, page, search, save, move and export need as many statements as a small one, a ZIP has every page, and one page more is 409', async () => {
  const ids = await engagements()
  await fillWiki(send, ids[0] as string, SMALL_PAGES)
  await fillWiki(send, ids[1] as string, SIZE.pages)
  const tree = (id: string) => owner.get(`/api/web/wiki-pages?engagementId=${id}&tree=true`)
  const { small, large } = await compare(ids, tree, (1.2 * SIZE.pages) / SMALL_PAGES)
  const pages = { [ids[0] as string]: small.body.data, [ids[1] as string]: large.body.data }
  expect(large.body.data).toHaveLength(SIZE.pages)
  expect(large.text.length / SIZE.pages).toBeLessThan(500)
  const last = (id: string) => pages[id].at(-1).id as string

  await compare(ids, (id) => owner.get(`/api/web/wiki-pages?engagementId=${id}&perPage=100&sort=title&order=desc`))
  await compare(ids, (id) => owner.get(`/api/web/wiki-pages/${last(id)}`))
  const found = await compare(ids, (id) => owner.get(`/api/web/search?q=word77&engagementId=${id}&type=page`), 100)
  expect(found.large.body.data[0]).toMatchObject({ title: 'Page 00077' })
  await compare(ids, async (id) => {
    const { data } = (await owner.get(`/api/web/wiki-pages/${last(id)}`)).body
    const body = `${data.body}Line ${data.revision}.\n`
    return owner.patch(`/api/web/wiki-pages/${last(id)}`, { body, baseRevision: data.revision })
  })
  let turn = 0
  await compare(ids, (id) =>
    owner.post(`/api/web/wiki-pages/${last(id)}/move`, {
      parentId: null,
      beforeId: pages[id][turn++ % 2 === 0 ? 0 : 50].id,
    }),
  )
  const zip = await fetch(`${app.origin}/api/web/wiki-pages/export?engagementId=${ids[1]}`, { headers: owner.headers })
  expect(zip.status).toBe(200)
  const names = Buffer.from(await zip.arrayBuffer())
    .toString('latin1')
    .matchAll(/PK\x01\x02.{42}([^\x00]*?\.md)/gs)
  expect([...names]).toHaveLength(SIZE.pages)

  const further = await owner.post('/api/web/wiki-pages', { engagementId: ids[1], title: 'One more' })
  expect([further.status, further.body.error.message]).toEqual([409, expect.stringContaining('WIKI_PAGE_LIMIT')])
})

test('a page of the stated length is saved, read, merged, found and compared, and one character more is refused', async () => {
  const engagementId = (await send('POST', '/engagements', { name: 'Long' })).id
  const body = longText(SIZE.pageCharacters)
  const created = await owner.post('/api/web/wiki-pages', { engagementId, title: 'Long', body })
  expect(created.status, created.text.slice(0, 500)).toBe(201)
  const path = `/api/web/wiki-pages/${created.body.data.id}`
  expect((await owner.get(path)).body.data.body).toBe(body)
  const first = await owner.patch(path, { body: body.replace('host 1*', 'node 1*'), baseRevision: 1 })
  expect(first.status, first.text.slice(0, 500)).toBe(200)
  const merged = await owner.patch(path, { body: body.replace('host 99*', 'node 99*'), baseRevision: 1 })
  expect(merged.body.meta).toEqual({ merged: true })
  expect(merged.body.data.body).toBe(body.replace('host 1*', 'node 1*').replace('host 99*', 'node 99*'))
  const compared = await owner.get(`${path}/revisions/3?against=1`)
  expect(compared.status, compared.text.slice(0, 500)).toBe(200)
  expect((await owner.get(`/api/web/search?q=service&engagementId=${engagementId}&type=page`)).body.data).toHaveLength(
    1,
  )
  const longer = await owner.post('/api/web/wiki-pages', { engagementId, title: 'Longer', body: `${body}x` })
  expect([longer.status, longer.body.error.message]).toEqual([422, expect.stringContaining('body')])
})

test('a board at its stated size: columns, cards, moves, changes and export need as many statements as a small one, and one task more is 409', async () => {
  const ids = await engagements()
  await fillTasks(send, ids[0] as string, SMALL_TASKS)
  await fillTasks(send, ids[1] as string, SIZE.tasks)
  const column = (query: string) => (id: string) =>
    owner.get(`/api/web/tasks?engagementId=${id}&status=open&sort=position&perPage=100${query}`)
  const { small, large } = await compare(ids, column('&order=asc'))
  expect(large.body.meta.total).toBe(SIZE.tasks)
  const bottom = await compare(ids, column('&order=desc'))
  const top = { [ids[0] as string]: small.body.data, [ids[1] as string]: large.body.data }
  const end = { [ids[0] as string]: bottom.small.body.data, [ids[1] as string]: bottom.large.body.data }
  await compare(ids, (id) => owner.get(`/api/web/tasks/${end[id][0].id}`))
  await compare(ids, column('&q=Check+77'), 60)
  await compare(ids, (id) => owner.get(`/api/web/tasks/facets?engagementId=${id}&by=status`))
  let turn = 0
  await compare(ids, (id) =>
    owner.post(`/api/web/tasks/${end[id][0].id}/move`, { beforeId: top[id][turn++ % 2].id, status: 'in_progress' }),
  )
  await compare(ids, (id) => owner.patch(`/api/web/tasks/${end[id][1].id}`, { title: `Checked ${turn++}` }))
  const exported = await owner.get(`/api/web/tasks/export?engagementId=${ids[1]}&format=json`)
  expect(exported.body.data ?? exported.body).toHaveLength(SIZE.tasks)
  const further = await owner.post('/api/web/tasks', { engagementId: ids[1], title: 'One more' })
  expect([further.status, further.body.error.message]).toEqual([409, expect.stringContaining('TASK_LIMIT')])
})

test('a list of results at its stated size: pages, filters, orders, searches and changes need as many statements as a short one, and one result more is 409', async () => {
  const ids = await engagements()
  const organizationId = app.organization.id
  await app.asSuperuser(resultRows(organizationId, ids[0] as string, SMALL_RESULTS))
  await app.asSuperuser(resultRows(organizationId, ids[1] as string, SIZE.results))
  const list = (query: string) => (id: string) => owner.get(`/api/web/results?engagementId=${id}&perPage=100${query}`)
  for (const query of [
    '',
    '&severity=high',
    '&kind=vulnerability',
    '&port=443',
    '&sort=asset',
    '&sort=lastSeenAt',
    '&q=host-77',
  ])
    await compare(ids, list(query), query.startsWith('&q') ? 150 : 6)
  const { large } = await compare(ids, list('&sort=asset&order=desc'))
  expect(large.body.data[0].title).toBe(`Result ${SIZE.results}`)
  const next = await owner.get(
    `/api/web/results?engagementId=${ids[1]}&perPage=100&sort=asset&order=desc&cursor=${large.body.meta.nextCursor}`,
  )
  expect(next.body.data[0].title).toBe(`Result ${SIZE.results - 100}`)
  // Of more than 10,000 rows, each severity is counted by a statement of its own.
  const facets = () => owner.get(`/api/web/results/facets?engagementId=${ids[1]}&by=severity`)
  expect(await countStatements(async () => expect((await facets()).status).toBe(200))).toBeLessThanOrEqual(10)
  const first = (id: string) => `res_${id.slice(-8)}${'10'.padStart(18, '0')}`
  await compare(ids, (id) => owner.get(`/api/web/results/${first(id)}`))
  let turn = 0
  await compare(ids, (id) => owner.patch(`/api/web/results/${first(id)}`, { notes: `Seen ${turn++}` }))
  const further = await owner.post('/api/web/results', {
    engagementId: ids[1],
    title: 'One more',
    asset: 'https://vpn.example',
    severity: 'high',
    data: {},
  })
  expect([further.status, further.body.error.message]).toEqual([409, expect.stringContaining('RESULT_LIMIT')])
})

test('a report at its stated size: sections, checks, preview and data need as many statements as a small one, and the preview without pictures has none', async () => {
  const reports = await Promise.all(
    (await engagements()).map((id, index) =>
      index === 0 ? fillReport(send, id, 3, 1) : fillReport(send, id, SIZE.findings, SIZE.pictures),
    ),
  )
  const times = (2 * SIZE.findings) / 3 + 2
  for (const read of ['', '/checks', '/html', '/data'])
    await compare(reports, (id) => owner.get(`/api/web/reports/${id}${read}`), times)
  const { large } = await compare(reports, (id) => owner.get(`/api/web/reports/${id}/html?pictures=omitted`), times)
  expect(large.text.match(/<img data-picture="[0-9a-f]{64}" width/g)).toHaveLength(SIZE.pictures)
  expect(large.text).not.toContain('src="data:')
})
