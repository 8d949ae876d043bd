import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { HOSTILE_TEXTS, hostileBodies, hostileText } from '../../support/inputs/hostile-texts.ts'
import {
  type CostlyRequest,
  CostMeter,
  hostileClient,
  isNoFailure,
  isRefused,
} from '../../support/inputs/request-cost.ts'
import { BILLING, signed, subscriptionEvent } from '../../support/providers/billing-provider.ts'
import { directoryUser, groupMember, membership, userEvent } from '../../support/providers/workos-events.ts'
import { signature, WorkosCounterpart } from '../../support/providers/workos.ts'

const LIMIT_MS = 50
const BODY_LIMIT = 262_144
const GITHUB_SECRET = 'the secret of the code-hosting notifications'
/** One for each expensive operation, all at night: normalising, trimming, splitting and matching. */
const KINDS = isNightly
  ? Object.keys(HOSTILE_TEXTS)
  : ['combining marks out of order', 'spaces', 'labels in a domain', 'slashes']
/** Quadratic code already takes too long with this length. */
const FILLED = isNightly ? BODY_LIMIT : 49_152
const MARK = 'the text that is replaced'

interface Sender {
  url: string
  sign(body: string): Record<string, string>
  /** Genuine notifications, of every kind that is read. */
  notifications: object[]
}

const workos = new WorkosCounterpart()
let app: TestApp
let meter: CostMeter
let senders: Sender[]

beforeAll(async () => {
  await workos.up()
  app = await testApp({
    workers: false,
    env: { ...workos.settings, ...BILLING, CODE_HOSTING_WEBHOOK_SECRET: GITHUB_SECRET, LOG_LEVEL: 'error' },
  })
  meter = new CostMeter(app)
  const organization = { providerId: 'org_01HXYZ0000' }
  senders = [
    {
      url: '/api/billing/webhook',
      sign: (body) => ({ 'stripe-signature': signed(app, body) }),
      notifications: [
        subscriptionEvent({ customer: 'cus_1', product: { id: 'prod_1', name: 'Team' }, nickname: 'Monthly' }),
        {
          id: 'evt_product',
          type: 'product.updated',
          created: 1_790_000_000,
          data: { object: { id: 'prod_1', name: 'Team' } },
        },
      ],
    },
    {
      url: '/api/code-hosting/webhook',
      sign: (body) => ({
        'x-hub-signature-256': `sha256=${createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')}`,
        'x-github-event': 'issues',
      }),
      notifications: [{ action: 'opened', repository: { full_name: 'northwind/portal' } }],
    },
    {
      url: '/api/workos/webhook',
      sign: (body) => ({ 'workos-signature': signature(app, body) }),
      notifications: [
        membership('created', organization, 'user_1'),
        directoryUser('created', organization, 'directory_user_1', 'ada@example.com', 'directory_1'),
        groupMember('added', organization, 'directory_user_1', 'ada@example.com', 'directory_1'),
        userEvent('updated', { id: 'user_1', email: 'ada@example.com' }),
      ],
    },
  ]
})
afterAll(async () => {
  meter.close()
  await app.close()
  await workos.down()
})

const post = ({ url, sign }: Sender, body: string): CostlyRequest => ({
  method: 'POST',
  path: url,
  headers: { 'content-type': 'application/json', ...sign(body) },
  body: Buffer.from(body),
})
const hostile = (sender: Sender, isRight = isNoFailure) =>
  hostileClient(
    meter,
    LIMIT_MS,
    post({ ...sender, sign: () => ({}) }, JSON.stringify({ unknown: 'x'.repeat(BODY_LIMIT - 100) })),
    isRight,
  )

/** JSON texts of a value, each with another of its texts marked. */
const marked = (value: object): string[] => {
  const texts: string[] = []
  JSON.stringify(value, (_name, part) => {
    if (typeof part === 'string') texts.push(part)
    return part
  })
  return texts.map((_text, index) => {
    let seen = 0
    return JSON.stringify(value, (_name, part) => (typeof part === 'string' && seen++ === index ? MARK : part))
  })
}

test(`I15: every text of every genuine notification, filled up to ${FILLED} bytes with the worst of each kind`, async () => {
  for (const sender of senders) {
    const { send, findings } = await hostile(sender)
    for (const text of sender.notifications.flatMap(marked)) {
      const free = FILLED - Buffer.byteLength(text)
      for (const kind of KINDS) {
        const filled = JSON.stringify(hostileText(kind, free, Buffer.byteLength))
        await send(
          `${sender.url} ${text} ${kind}`,
          post(
            sender,
            text.replace(JSON.stringify(MARK), () => filled),
          ),
        )
      }
    }
    expect(findings).toEqual([])
  }
}, 600_000)

nightly(
  'I15: every body that is hostile as a whole: 400 without a signature, and no failure with one',
  async () => {
    for (const sender of senders) {
      const genuine = await hostile(sender)
      const forged = await hostile(sender, isRefused)
      for (const [what, body] of Object.entries(hostileBodies(BODY_LIMIT))) {
        await genuine.send(`${sender.url} ${what}`, post(sender, body))
        await forged.send(`${sender.url} ${what}`, post({ ...sender, sign: () => ({}) }, body))
      }
      const tooLong = await meter.send(post(sender, 'x'.repeat(BODY_LIMIT + 1)))
      expect(tooLong.status).toBe(400)
      expect([...genuine.findings, ...forged.findings]).toEqual([])
    }
  },
  600_000,
)

test('I15: every mounted webhook is covered here', () => {
  // Not the routes of outgoing webhooks, such as `webhook-endpoints`.
  const mounted = app.http.printRoutes({ commonPrefix: false }).match(/webhook (?=\()/g)
  expect(mounted?.length).toBe(senders.length)
})
