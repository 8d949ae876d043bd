import { generateKeyBetween } from 'fractional-indexing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

let app: TestApp
let key: TestClient
const TASKS = '/api/v1/tasks'

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['tasks:read', 'tasks:write', 'organizations:write'])
})
afterAll(() => app.close())

/** An engagement with tasks of these titles. @returns its id and theirs */
const board = async (...titles: string[]) => {
  const engagementId = (await key.post('/api/v1/engagements', { name: 'Board' })).body.data.id as string
  const ids: string[] = []
  for (const title of titles) ids.push((await key.post(TASKS, { engagementId, title })).body.data.id)
  return { engagementId, ids }
}

const titlesOf = async (engagementId: string): Promise<string[]> => {
  const { body } = await key.get(`${TASKS}?engagementId=${engagementId}&perPage=100`)
  return body.data.map(({ title }: { title: string }) => title)
}

const rowsOf = (engagementId: string) =>
  app.db.selectFrom('tasks').select(['id', 'position', 'status']).where('engagement_id', '=', engagementId).execute()

const move = (id: string | undefined, where: object) => key.post(`${TASKS}/${id}/move`, where)

describe('moving', () => {
  test('puts a task directly before or after another, and leaves all others unchanged', async () => {
    const { engagementId, ids } = await board('a', 'b', 'c', 'd')
    expect(await titlesOf(engagementId)).toEqual(['a', 'b', 'c', 'd'])
    const before = await app.db
      .selectFrom('tasks')
      .select(['id', 'position', 'updated_at'])
      .where('engagement_id', '=', engagementId)
      .orderBy('id')
      .execute()
    expect((await move(ids[3], { beforeId: ids[1] })).status).toBe(200)
    expect(await titlesOf(engagementId)).toEqual(['a', 'd', 'b', 'c'])
    const after = await app.db
      .selectFrom('tasks')
      .select(['id', 'position', 'updated_at'])
      .where('engagement_id', '=', engagementId)
      .orderBy('id')
      .execute()
    expect(
      after.filter((row, index) => JSON.stringify(row) !== JSON.stringify(before[index])).map(({ id }) => id),
    ).toEqual([ids[3]])
    await move(ids[0], { afterId: ids[2] })
    expect(await titlesOf(engagementId)).toEqual(['d', 'b', 'c', 'a'])
    await move(ids[0], { beforeId: ids[3] })
    expect(await titlesOf(engagementId)).toEqual(['a', 'd', 'b', 'c'])
    const { body } = await move(ids[1], { status: 'in_progress', afterId: ids[2] })
    expect(body.data.status).toBe('in_progress')
    expect(await titlesOf(engagementId)).toEqual(['a', 'd', 'c', 'b'])
  })

  test('a status without a position keeps the position; a move to the current position changes nothing', async () => {
    const { ids } = await board('a', 'b')
    const { position } = (await key.get(`${TASKS}/${ids[0]}`)).body.data
    expect((await move(ids[0], { status: 'done' })).body.data).toMatchObject({ status: 'done', position })
    const again = await move(ids[0], { beforeId: ids[1], status: 'done' })
    expect(again.body.data).toMatchObject({
      position,
      updatedAt: (await key.get(`${TASKS}/${ids[0]}`)).body.data.updatedAt,
    })
  })

  test('both neighbours, itself, a task of another engagement, an unknown one, and nothing at all are 422', async () => {
    const { ids } = await board('a', 'b', 'c')
    const other = await board('x')
    const wrong = [
      { beforeId: ids[1], afterId: ids[2] },
      { beforeId: ids[0] },
      { afterId: other.ids[0] },
      { beforeId: unknownId('tsk') },
      {},
    ]
    for (const where of wrong) expect((await move(ids[0], where)).status, JSON.stringify(where)).toBe(422)
  })

  test('twenty simultaneous moves end in one order for all, in which every move was applied', async () => {
    const titles = Array.from({ length: 20 }, (_, i) => `t${i}`)
    const { engagementId, ids } = await board(...titles)
    const people: TestClient[] = []
    for (let i = 0; i < 20; i++) people.push(await app.signedIn('member'))
    const wishes = new Map(
      ids.map((id, i) => [id, i % 2 ? { beforeId: ids[(i * 7 + 3) % 20] } : { afterId: ids[(i * 11 + 1) % 20] }]),
    )
    const moved = await Promise.all(
      people.map((person, i) =>
        person.post(`/api/web/tasks/${ids[i]}/move`, {
          ...wishes.get(ids[i] as string),
          ...(i % 3 === 0 && { status: 'in_progress' }),
        }),
      ),
    )
    const answered = ids.filter((_, i) => moved[i]?.status === 200)
    expect(answered.length).toBeGreaterThan(15)
    for (const response of moved) expect([200, 422]).toContain(response?.status)

    // The log has the moves in their order: repeated one by one, they end in the same order.
    const log = await app.db
      .selectFrom('audit_entries')
      .select(['object_id', 'after'])
      .where('action', '=', 'task.moved')
      .orderBy('id')
      .execute()
    let order = ids
    for (const { object_id: id, after } of log.filter(({ object_id }) => ids.includes(object_id as string))) {
      const { beforeId, afterId } = after as { beforeId?: string; afterId?: string }
      if (!beforeId && !afterId) continue
      const others = order.filter((other) => other !== id)
      order = others.toSpliced(others.indexOf((beforeId ?? afterId) as string) + (afterId ? 1 : 0), 0, id as string)
    }
    const ordered = order.map((id) => titles[ids.indexOf(id)])
    expect(ordered).not.toEqual(titles)
    const seen = await titlesOf(engagementId)
    expect(seen).toEqual(ordered)
    const rows = await rowsOf(engagementId)
    expect(new Set(rows.map(({ position }) => position)).size).toBe(20)
    for (const [i, id] of ids.entries()) {
      if (i % 3 === 0 && answered.includes(id)) expect(rows.find((row) => row.id === id)?.status).toBe('in_progress')
    }
    for (const person of people.slice(0, 3)) {
      const { body } = await person.get(`/api/web/tasks?engagementId=${engagementId}&perPage=100`)
      expect(body.data.map(({ title }: { title: string }) => title)).toEqual(seen)
    }
  })

  test('twenty created at once are behind all others, each at its own position', async () => {
    const { engagementId } = await board('first')
    await Promise.all(Array.from({ length: 20 }, (_, i) => key.post(TASKS, { engagementId, title: `new ${i}` })))
    const rows = await app.db.selectFrom('tasks').select('position').where('engagement_id', '=', engagementId).execute()
    expect(new Set(rows.map(({ position }) => position)).size).toBe(21)
    expect((await titlesOf(engagementId))[0]).toBe('first')
  })

  test('if a position would exceed 400 bytes all get short ones, in the same order', async () => {
    const { engagementId, ids } = await board('low', 'high', 'moved')
    const low = generateKeyBetween(null, null)
    let high = generateKeyBetween(low, null)
    // Halving towards the lower one makes the longest keys.
    while (generateKeyBetween(low, high).length <= 400) high = generateKeyBetween(low, high)
    for (const [id, position] of [
      [ids[0], low],
      [ids[1], high],
    ] as const) {
      await app.db
        .updateTable('tasks')
        .set({ position })
        .where('id', '=', id as string)
        .execute()
    }
    expect((await move(ids[2], { afterId: ids[0] })).status).toBe(200)
    expect(await titlesOf(engagementId)).toEqual(['low', 'moved', 'high'])
    const rows = await app.db.selectFrom('tasks').select('position').where('engagement_id', '=', engagementId).execute()
    expect(Math.max(...rows.map(({ position }) => position.length))).toBeLessThan(10)
  })
})
