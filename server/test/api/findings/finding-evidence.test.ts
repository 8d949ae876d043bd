import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { upload } from '../../support/document/files.ts'

let app: TestApp
let owner: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Contoso' })).body.data.id
})
afterAll(() => app.close())

interface Evidence {
  id: string
  fileName: string
  caption: string
  position: number | null
}

const findingWith = async (names: readonly string[]) => {
  const { id } = (await owner.post('/api/web/findings', { engagementId, title: 'Orders leak' })).body.data
  const path = `/api/web/findings/${id}/files`
  const files: Evidence[] = []
  for (const name of names) files.push((await upload(owner, path, name, name)).body.data)
  const read = async (): Promise<Evidence[]> => (await owner.get(path)).body.data
  const order = async () =>
    (await read())
      .toSorted((a, b) => (a.position ?? 99) - (b.position ?? 99) || (a.id < b.id ? -1 : 1))
      .map(({ fileName }) => fileName)
  return {
    id,
    path,
    files,
    read,
    order,
    change: (index: number, body: object) => owner.patch(`${path}/${files[index]?.id}`, body),
  }
}

test('a caption is stored as one line, and removed by an empty one; a longer one is refused', async () => {
  const { files, change, read } = await findingWith(['a.txt'])
  expect(files[0]).toMatchObject({ caption: '', position: null })
  expect((await change(0, { caption: '  The answer names another customer. ' })).body.data.caption).toBe(
    'The answer names another customer.',
  )
  expect((await read())[0]?.caption).toBe('The answer names another customer.')
  for (const caption of ['two\nlines', 'x'.repeat(301)])
    expect((await change(0, { caption })).status, caption.slice(0, 10)).toBe(422)
  expect((await change(0, { caption: '' })).body.data.caption).toBe('')
})

test('moving a file gives all files of the finding a place; one that is added later comes last', async () => {
  const { path, change, order, read } = await findingWith(['a', 'b', 'c'])
  expect(await order()).toEqual(['a', 'b', 'c'])
  expect((await change(2, { position: 0 })).body.data.position).toBe(0)
  expect(await order()).toEqual(['c', 'a', 'b'])
  await upload(owner, path, 'd', 'd')
  expect(await order()).toEqual(['c', 'a', 'b', 'd'])
  expect((await change(0, { position: 100 })).body.data.position).toBe(3)
  expect(await order()).toEqual(['c', 'b', 'd', 'a'])
  expect((await read()).map(({ position }) => position).toSorted()).toEqual([0, 1, 2, 3])
})

test('ten moves at once leave each file one place', async () => {
  const { change, read } = await findingWith(['a', 'b', 'c', 'd'])
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => change(index % 4, { position: (index * 3) % 4 })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await read()).map(({ position }) => position).toSorted()).toEqual([0, 1, 2, 3])
})

test("a file of another finding, and one of a finding in the trash, can't be changed; each change is in the audit log once", async () => {
  const { id, path, files, change } = await findingWith(['a'])
  const other = await findingWith(['b'])
  expect((await owner.patch(`${other.path}/${files[0]?.id}`, { caption: 'x' })).status).toBe(404)
  await change(0, { caption: 'Before' })
  await change(0, { caption: 'Before' })
  const { body } = await owner.get(`/api/web/engagements/${engagementId}/activity?perPage=100`)
  expect(
    body.data.filter(
      ({ action, object }: { action: string; object: { id: string } }) =>
        action === 'file.changed' && object.id === files[0]?.id,
    ),
  ).toHaveLength(1)
  await owner.delete(`/api/web/findings/${id}`)
  expect((await owner.patch(`${path}/${files[0]?.id}`, { caption: 'x' })).status).toBe(409)
})
