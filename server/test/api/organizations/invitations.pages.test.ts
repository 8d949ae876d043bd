import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INVITATION_LIFETIME_MS } from '../../../src/features/organizations/invitations/invitations.service.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

const INVITATIONS = '/api/web/invitations'

let app: TestApp

beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

test('I18: each of 1,100 pending invitations is on exactly one page while others are added and removed', async () => {
  const organization = await app.createOrganization()
  const client = await app.signedIn('owner', organization)
  const ids = await insertPending(organization.id, organization.owner, 1_100)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { status, body } = await client.get(
      `${INVITATIONS}?status=pending&perPage=100${cursor ? `&cursor=${cursor}` : ''}`,
    )
    expect(status).toBe(200)
    expect(body.meta.perPage).toBe(100)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.meta.nextCursor
    if (seen.length === 100) await insertPending(organization.id, organization.owner, 30)
    if (seen.length === 200) expect((await client.delete(`${INVITATIONS}/${seen[150]}`)).status).toBe(200)
  } while (cursor)
  expect(seen).toEqual(ids.toReversed())
  expect((await client.get(INVITATIONS)).body.data).toHaveLength(20)
})

/** Inserts directly, because the hourly limit is lower. @returns their ids, oldest first */
const insertPending = async (
  organizationId: string,
  by: { id: string; name: string },
  count: number,
): Promise<string[]> => {
  const start = app.clock.now()
  const rows = Array.from({ length: count }, (_, index) => {
    const [email, moment] = [`guest.${randomBytes(6).toString('hex')}@example.com`, start + index]
    return {
      id: newId('inv', moment),
      organization_id: organizationId,
      email,
      email_key: email,
      role: 'member' as const,
      status: 'pending' as const,
      token_hash: randomBytes(32),
      invited_by: by.id,
      invited_by_name: by.name,
      created_at: new Date(moment).toISOString(),
      expires_at: new Date(moment + INVITATION_LIFETIME_MS).toISOString(),
    }
  })
  await app.db.insertInto('invitations').values(rows).execute()
  app.clock.advance(count)
  return rows.map(({ id }) => id)
}
