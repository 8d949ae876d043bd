import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { newEngagement } from '../../support/document/files.ts'

const COUNT = 100_000
const PASTED_AT_ONCE = 10_000
const TARGETS = '/api/v1/targets'
let app: TestApp

beforeAll(async () => {
  app = await testApp({ env: { TARGET_LIMIT: String(COUNT * 2), LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`

test.each(['createdAt', 'canonical', 'lastSeenAt'])(
  'a walk by cursor over 100,000 targets, sorted by %s, shows each permanent one once, while others are added and deleted before and after it',
  async (sort) => {
    const key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
    const engagementId = await newEngagement(key)
    for (let from = 0; from < COUNT; from += PASTED_AT_ONCE) {
      // Every second address, so that others fit between any two.
      const text = Array.from({ length: PASTED_AT_ONCE }, (_, index) => addressOf((from + index) * 2)).join('\n')
      expect((await key.post(`${TARGETS}/bulk`, { engagementId, text })).body.data.created).toBe(PASTED_AT_ONCE)
    }
    /** Targets that are added and deleted during the walk. */
    const passing = new Set<string>()
    const goingAt: string[] = []
    let isWalking = true
    const change = async () => {
      for (let turn = 0; isWalking; turn++) {
        const value = addressOf(((turn * 7_919) % COUNT) * 2 + 1)
        const { id } = (await key.post(TARGETS, { engagementId, value })).body.data
        passing.add(id)
        goingAt.push(id)
        if (goingAt.length > 20) expect((await key.delete(`${TARGETS}/${goingAt.shift()}`)).status).toBe(200)
      }
      return passing.size
    }
    const changing = change()
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body } = await key.get(
        `${TARGETS}?engagementId=${engagementId}&perPage=100&sort=${sort}&order=asc${cursor && `&cursor=${cursor}`}`,
      )
      expect(status).toBe(200)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.meta.nextCursor
    }
    isWalking = false
    expect(await changing).toBeGreaterThan(100)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => !passing.has(id))).toHaveLength(COUNT)
  },
)
