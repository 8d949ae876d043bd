import { ENGAGEMENT_WEBHOOK_EVENTS, WEBHOOK_EVENTS } from '@sortie/contract/organization/webhook-events.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { approvedReport } from '../../support/reports/approved-report.ts'
import { deliveriesOf, endpointOf } from '../../support/webhooks/endpoints.ts'
import { engagementIn, findingIn, must } from '../../support/webhooks/objects.ts'
import { openReceiver, type Receiver } from '../../support/webhooks/receiver.ts'

let app: TestApp
let organization: TestOrganization
let owner: TestClient
let receiver: Receiver

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.1' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  receiver = await openReceiver()
  organization = await app.createOrganization()
  owner = await app.signedIn('owner', organization)
})
afterEach(() => receiver.close())

const received = (type: string) => receiver.received.filter(({ message }) => message.type === type)
const expectOne = (type: string, data: object) =>
  eventually(() => {
    expect(received(type).map(({ message }) => message.data)).toMatchObject([data])
  })

describe('events', () => {
  test('each kind of change is an event, with what changed', async () => {
    await endpointOf(owner, '/api/web', { url: receiver.url, events: WEBHOOK_EVENTS })
    const engagementId = await engagementIn(owner)
    await expectOne('engagement.created', { id: engagementId, engagementId })
    await must(
      owner.post('/api/web/scope-rules/bulk', { engagementId, effect: 'allow', text: '10.0.0.0/8\nexample.com' }),
    )
    await eventually(() => expect(received('scope.changed').length).toBeGreaterThan(0))
    const findingId = await findingIn(owner, engagementId)
    const finding = `/api/web/findings/${findingId}`
    await must(owner.patch(finding, { state: 'in_review' }))
    await expectOne('finding.state_changed', { id: findingId, from: 'draft', to: 'in_review' })
    await must(owner.patch(finding, { status: 'fixed' }))
    await expectOne('finding.status_changed', { id: findingId, from: 'open', to: 'fixed' })
    await must(owner.patch(finding, { clientStatus: { state: 'planned' } }))
    await expectOne('finding.client_status_changed', { id: findingId, from: null, to: 'planned' })
    await must(owner.post(`${finding}/publish`, { force: true, reason: 'The client waits' }))
    await expectOne('finding.published', { id: findingId })
    const retest = await must(owner.post('/api/web/retests', { engagementId, name: 'Spring', findingIds: [findingId] }))
    await expectOne('retest.requested', { id: retest.id })
    const task = await must(owner.post('/api/web/tasks', { engagementId, title: 'Scan it' }))
    await expectOne('task.created', { id: task.id })
    await must(owner.patch(`/api/web/tasks/${task.id}`, { assigneeId: organization.owner.id }))
    await expectOne('task.assigned', { id: task.id, assigneeId: organization.owner.id })
    await must(owner.patch(`/api/web/tasks/${task.id}`, { status: 'done' }))
    await expectOne('task.done', { id: task.id })
    const file = '<?xml version="1.0"?><nmaprun scanner="nmap"></nmaprun>'
    const { id: importId } = await must(
      owner.request('POST', `/api/web/imports?engagementId=${engagementId}&fileName=scan.xml`, { rawBody: file }),
    )
    await eventually(() =>
      expect(received('import.finished').map(({ message }) => message.data['id'])).toEqual([importId]),
    )
    const member = await app.createMember('member', organization)
    await expectOne('member.joined', { id: member.id, name: member.name, role: 'member' })
    await must(owner.delete(`/api/web/organizations/current/members/${member.id}`))
    await expectOne('member.removed', { id: member.id })
    const key = await must(owner.post('/api/web/api-keys', { name: 'ci', environment: 'test', scopes: ['wiki:read'] }))
    await expectOne('api_key.created', { id: key.id, name: 'ci', environment: 'test', scopes: ['wiki:read'] })
    await must(owner.delete(`/api/web/api-keys/${key.id}`))
    await expectOne('api_key.deleted', { id: key.id })
    await must(owner.patch(`/api/web/engagements/${engagementId}`, { status: 'completed' }))
    await expectOne('engagement.status_changed', { id: engagementId, from: 'active', to: 'completed' })
    await must(owner.delete(`/api/web/engagements/${engagementId}`, { body: { name: 'Secret client' } }))
    await expectOne('engagement.deleted', { id: engagementId })
    await must(owner.post(`/api/web/trashed-engagements/${engagementId}/restore`))
    await expectOne('engagement.restored', { id: engagementId })
    const agentOf = { name: 'Recon', engagementIds: [engagementId], scopes: ['targets:read'] }
    const { id: agentId } = await must(owner.post('/api/web/agents', agentOf))
    await must(owner.post('/api/web/agents/stop', { agentId, reason: 'Too loud' }))
    await expectOne('agent.stopped', { id: agentId, name: 'Recon', reason: 'Too loud' })
    expect(receiver.received.some(({ body }) => body.includes(key.value))).toBe(false)
  })

  test('a scan that ends is an event', async () => {
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['scan.finished'] })
    const engagementId = await engagementIn(owner)
    await must(owner.post('/api/web/targets', { engagementId, value: '192.0.2.1' }))
    const scan = await must(
      owner.post('/api/web/scans', {
        engagementId,
        name: 'Ports',
        scanners: [{ id: 'ports' }],
        targets: { filter: { engagementId } },
        override: { reason: 'a test' },
      }),
    )
    await must(owner.post(`/api/web/scans/${scan.id}/cancel`))
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect(received('scan.finished')[0]?.message.data).toMatchObject({ id: scan.id, engagementId })
  })

  test('the delivery of a report is an event, with its edition; a full message has the report without its sections', async () => {
    const endpoint = await endpointOf(owner, '/api/web', {
      url: receiver.url,
      events: ['report.delivered'],
      detail: 'full',
    })
    const report = await approvedReport(owner, '/api/web')
    const edition = await must(owner.post(`/api/web/reports/${report.id}/deliver`, { formats: ['markdown'] }))
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    const data = received('report.delivered')[0]?.message.data
    expect(data).toMatchObject({
      id: report.id,
      engagementId: report.engagementId,
      editionId: edition.id,
      number: 1,
      object: { id: report.id, title: 'Penetration test', latestEdition: 1 },
    })
    expect(data?.['url']).toMatch(new RegExp(`/reports/${report.id}$`))
    expect(data?.['object']).not.toHaveProperty('sections')
  })

  test('targets and vulnerabilities of a minute are one message each, at least of the wanted severity', async () => {
    const events = ['target.created', 'result.created']
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events, minSeverity: 'high' })
    const engagementId = await engagementIn(owner)
    const text = Array.from({ length: 310 }, (_, index) => `host-${index}.example.com`).join('\n')
    await must(owner.post('/api/web/targets/bulk', { engagementId, text }))
    await must(owner.post('/api/web/targets', { engagementId, value: 'one-more.example.com' }))
    const ids: string[] = []
    for (const severity of ['low', 'high', 'critical'])
      ids.push(
        (
          await must(
            owner.post('/api/web/results', { engagementId, title: severity, asset: 'a.example.com', severity }),
          )
        ).id,
      )
    expect(receiver.received).toEqual([])
    app.clock.advance(61_000)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 2 })
    const [targets] = received('target.created')
    expect(targets?.message.data).toMatchObject({ engagementId, count: 311 })
    expect(targets?.message.data['ids']).toHaveLength(300)
    expect(received('result.created')[0]?.message.data).toMatchObject({ count: 2, ids: ids.slice(1) })
  })
})

describe('rights', () => {
  test('an endpoint with a list of engagements receives events of these, and none of the organization', async () => {
    const [listed, other] = [await engagementIn(owner), await engagementIn(owner)]
    const endpoint = await endpointOf(owner, '/api/web', {
      url: receiver.url,
      events: ['finding.created', 'member.joined'],
      engagementIds: [listed],
    })
    await app.createMember('member', organization)
    await findingIn(owner, other)
    const findingId = await findingIn(owner, listed)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect(receiver.received.map(({ message }) => message.data['id'])).toEqual([findingId])
    const foreign = await engagementIn(await app.signedIn('owner', await app.createOrganization()))
    const wanted = { name: 'x', url: receiver.url, events: ['task.done'], engagementIds: [foreign] }
    expect((await owner.post('/api/web/webhook-endpoints', wanted)).status).toBe(422)
  })

  test('an open endpoint and a key that sees open engagements learn nothing of an engagement for its team', async () => {
    const created = await must(
      owner.post('/api/web/api-keys', {
        name: 'open',
        environment: 'test',
        scopes: ['organizations:write', 'reports:read', 'organizations:read'],
        engagementIds: 'open',
      }),
    )
    const key = app.anonymous.with({ authorization: `Bearer ${created.value}` })
    const events = ['finding.created', 'engagement.deleted']
    const endpoints = [
      await endpointOf(owner, '/api/web', { url: receiver.url, events, engagementIds: 'open' }),
      await endpointOf(key, '/api/v1', { url: receiver.url, events }),
    ]
    const team = await engagementIn(owner, { access: 'team' })
    await findingIn(owner, team)
    await must(owner.delete(`/api/web/engagements/${team}`, { body: { name: 'Secret client' } }))
    const open = await engagementIn(owner)
    const findingId = await findingIn(owner, open)
    for (const { id } of endpoints) await deliveriesOf(owner, id, { state: 'delivered', count: 1 })
    expect(receiver.received.map(({ message }) => message.data['id'])).toEqual([findingId, findingId])
  })

  test('W11: rights are those at each attempt: what its maker may no longer see is cancelled', async () => {
    receiver.answer = () => ({ status: 500 })
    const endpoint = await endpointOf(owner, '/api/web', {
      url: receiver.url,
      events: ['finding.created'],
      engagementIds: 'open',
    })
    const engagementId = await engagementIn(owner)
    await findingIn(owner, engagementId)
    await eventually(() => expect(receiver.received.length).toBe(1))
    await must(owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'team' }))
    app.clock.advance(60_000)
    await deliveriesOf(owner, endpoint.id, { state: 'cancelled', count: 1 })
    expect(receiver.received.length).toBe(1)
  })

  test('an endpoint whose maker left, lost the role or was deleted stops with a reason', async () => {
    const [left, demoted] = [
      await app.createMember('admin', organization),
      await app.createMember('admin', organization),
    ]
    const key = await app.withKey(['organizations:write', 'reports:read'], organization)
    const wanted = { url: receiver.url, events: ['finding.created'] }
    const endpoints = [
      await endpointOf(await app.signIn(left, organization.id), '/api/web', wanted),
      await endpointOf(await app.signIn(demoted, organization.id), '/api/web', wanted),
      await endpointOf(key, '/api/v1', wanted),
    ]
    await must(owner.delete(`/api/web/organizations/current/members/${left.id}`))
    await must(owner.patch(`/api/web/organizations/current/members/${demoted.id}`, { role: 'member' }))
    await must(owner.delete(`/api/web/api-keys/${key.keyId}`))
    await findingIn(owner, await engagementIn(owner))
    const reasons = ['left the organization', 'may no longer manage webhooks', 'was deleted']
    for (const [index, { id }] of endpoints.entries())
      await eventually(async () => {
        const shown = (await owner.get(`/api/web/webhook-endpoints/${id}`)).body.data
        expect(shown).toMatchObject({
          enabled: false,
          disabledReason: expect.stringContaining(reasons[index] as string),
        })
      })
    expect(receiver.received).toEqual([])
  })

  test('a key without the scope of an object receives no event of it', async () => {
    const key = await app.withKey(['organizations:write', 'tasks:read'], organization)
    const endpoint = await endpointOf(key, '/api/v1', {
      url: receiver.url,
      events: ENGAGEMENT_WEBHOOK_EVENTS,
      detail: 'full',
    })
    const engagementId = await engagementIn(owner)
    await findingIn(owner, engagementId)
    const task = await must(owner.post('/api/web/tasks', { engagementId, title: 'Scan it' }))
    await eventually(() => expect(received('task.created').length).toBe(1))
    expect(received('task.created')[0]?.message.data).toMatchObject({ id: task.id, object: { title: 'Scan it' } })
    expect(received('finding.created')).toEqual([])
    await deliveriesOf(owner, endpoint.id, { state: 'pending', count: 0 })
  })

  test('the messages of a deleted engagement are deleted, apart from that of the deletion', async () => {
    const events = ['finding.created', 'engagement.deleted']
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events, detail: 'full' })
    const engagementId = await engagementIn(owner)
    await findingIn(owner, engagementId)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    await must(owner.delete(`/api/web/engagements/${engagementId}`, { body: { name: 'Secret client' } }))
    const [left] = await eventually(async () => {
      const found = await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
      expect(found[0]?.event).toBe('engagement.deleted')
      return found
    })
    expect(left?.event).toBe('engagement.deleted')
  })
})

describe('chat services', () => {
  const NAME = 'A <b>*title*</b> @channel [x](https://evil.example)'
  const messageOf = async (format: string, detail: string) => {
    const endpoint = await endpointOf(owner, '/api/web', {
      url: receiver.url,
      events: ['finding.created'],
      format,
      detail,
    })
    await findingIn(owner, await engagementIn(owner), { title: NAME })
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    return JSON.parse(receiver.received[0]?.body ?? '')
  }

  test.each(['slack', 'mattermost', 'matrix', 'teams'])(
    '%s: a thin message names neither title nor engagement, and has a link',
    async (format) => {
      const text = JSON.stringify(await messageOf(format, 'thin'))
      expect(text).toContain('A finding was created.')
      expect(text).toContain('/findings/fnd_')
      expect(text).not.toContain('channel')
      expect(text).not.toContain('Secret client')
    },
  )

  test('W15: slack: text with its three control characters escaped, which mentions no one', async () => {
    const body = await messageOf('slack', 'full')
    expect(Object.keys(body)).toEqual(['text'])
    expect(body.text).toContain('A finding was created: A &lt;b&gt;*title*&lt;/b&gt; @\u200bchannel')
    expect(body.text).toContain('high, Secret client')
    expect(body.text).toMatch(/<http[^|]*\/findings\/fnd_\w+\|Open>$/)
  })

  test.each(['mattermost', 'matrix'])('%s: Markdown is escaped, and no one is mentioned', async (format) => {
    const body = await messageOf(format, 'full')
    expect(Object.keys(body)).toEqual(['text'])
    expect(body.text).toContain(String.raw`A \<b\>\*title\*\</b\>`)
    expect(body.text).toContain('@\u200bchannel')
    expect(body.text).toMatch(/\[Open\]\(http\S*\/findings\/fnd_\w+\)$/)
  })

  test('teams: an Adaptive Card in the message of an incoming webhook', async () => {
    const body = await messageOf('teams', 'full')
    expect(body).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', body: [{ type: 'TextBlock', wrap: true }] },
        },
      ],
    })
    const { content } = body.attachments[0]
    expect(content.body[0].text).toContain('Secret client')
    expect(content.actions).toMatchObject([{ type: 'Action.OpenUrl', url: expect.stringContaining('/findings/fnd_') }])
  })
})
