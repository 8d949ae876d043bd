import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/connection/open.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { checksumsOfOrganization } from '../../support/inputs/snapshot.ts'
import { EXTERNAL_ID, type TwoTenants, twoTenants } from '../../support/walks/two-tenants.ts'

let app: TestApp
let tenants: TwoTenants

beforeAll(async () => {
  app = await testApp({ workers: false })
  tenants = await twoTenants(app)
})
afterAll(() => app.close())

interface Query {
  name: string
  parameters: string[]
  run: (...values: unknown[]) => unknown
}

const FEATURES = path.resolve('server/src/features')

/**
 * Every exported function of the queries that has an organization id as a parameter, with the names of its parameters.
 */
const tenantQueries = async (): Promise<Query[]> => {
  const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.queries.ts'),
  )
  expect(files.length).toBeGreaterThanOrEqual(9)
  const found: Query[] = []
  for (const file of files) {
    const text = readFileSync(path.join(FEATURES, file), 'utf8')
    const module = (await import(path.join(FEATURES, file))) as Record<string, (...values: unknown[]) => unknown>
    for (const [, name, list] of text.matchAll(/export const (\w+) = (?:async )?\(([^)]*)\)/g)) {
      const parameters = (list as string)
        .replace(/\{[^}]*\}/g, 'object')
        .split(',')
        .map((parameter) => parameter.split(/[:?=]/)[0]?.trim() ?? '')
        .filter(Boolean)
      const run = module[name as string]
      if (parameters.includes('organizationId') && run) found.push({ name: `${file} ${name}`, parameters, run })
    }
  }
  return found
}

const NOW = '2026-01-01T00:00:00.000Z'

/** A value for a parameter by its name: ids are the victim's. An unknown name fails the test. */
const valueOf = (name: string, tx: unknown, organizationId: string): unknown => {
  const first = (prefix: string) => tenants.victimIds.get(prefix)?.[0]
  const values: Record<string, unknown> = {
    db: tx,
    tx,
    organizationId,
    userId: first('usr'),
    invitationId: first('inv'),
    engagementId: first('eng'),
    engagementIds: [first('eng')],
    userIds: [first('usr')],
    teamOnly: true,
    part: 'team',
    deleting_at: NOW,
    is_held: true,
    trashedAfter: { deletedAt: NOW, id: first('eng') },
    fileId: first('fil'),
    scopeRuleId: first('scp'),
    ruleColumns: { note: 'Taken over' },
    reportId: first('rpt'),
    reportIds: [first('rpt')],
    reportColumns: { title: 'Taken over' },
    sectionId: first('sec'),
    sectionColumns: { title: 'Taken over' },
    section: { id: first('sec'), engagement_id: first('eng'), revision: 1 },
    body: 'Taken over',
    editionId: first('edn'),
    token: 'Taken over',
    settings: { fourEyes: true },
    renderColumns: { file_name: 'Taken over' },
    templateId: first('rtp'),
    templateColumns: { name: 'Taken over' },
    versionColumns: { settings: '{}' },
    fileIds: [first('fil')],
    targetId: first('tgt'),
    targetIds: [first('tgt')],
    ancestorId: first('tgt'),
    targetColumns: { notes: 'Taken over' },
    bulk: { criticality: 4, addTags: ['taken-over'], removeTags: [] },
    identities: ['00'],
    verdicts: [{ id: first('tgt'), verdict: 'in', ruleId: '' }],
    pairs: [{ child: first('tgt'), parent: first('tgt') }],
    seenAt: NOW,
    after: '',
    targets: [
      {
        id: 'tgt_00000000000000000000000000',
        kind: 'domain',
        value: 'x',
        canonical: 'x',
        identity: '00',
        order_key: 'x',
        tags: [],
        criticality: 0,
        notes: '',
        source: 'manual',
        parent_id: null,
        first_seen_at: null,
        last_seen_at: null,
        verdict: 'in',
        scope_rule_id: null,
      },
    ],
    importId: first('imp'),
    onlyIds: [first('aff')],
    hosts: ['192.0.2.1'],
    importIds: [first('imp')],
    importColumns: { file_name: 'Taken over' },
    resultId: first('res'),
    resultColumns: { notes: 'Taken over' },
    resultRows: [],
    bulkSet: { notes: 'Taken over', addTags: [], removeTags: [] },
    sourceId: first('imp'),
    passedOn: [
      {
        result_id: first('res'),
        source_id: first('imp'),
        change: 'created',
        before: null,
        after: { title: 'Taken over' },
        previous_seen_at: null,
        previous_evidence_at: null,
      },
    ],
    moment: first('scn'),
    scanId: first('scn'),
    scanIds: [first('scn')],
    scanColumns: { name: 'Taken over' },
    skipped: 1,
    scheduleId: first('sch'),
    scheduleColumns: { name: 'Taken over' },
    sha256: '0'.repeat(64),
    network: '0.0.0.0/0',
    afterNumber: 0,
    owner: { type: 'engagement', id: first('eng') },
    ownerIds: [first('eng')],
    type: 'engagement',
    max: 100,
    pageId: first('wik'),
    pageIds: [first('wik')],
    titleKeys: ['canary page'],
    titles: [{ titleKey: 'canary page', pageId: first('wik') }],
    references: ['canary handbook'],
    copied: { ids: [first('wik')], newIds: ['wik_00000000000000000000000000'], author: null, now: NOW },
    clone: { ids: [first('wik')], newIds: ['wik_00000000000000000000000000'], author: null, now: NOW },
    fields: { title: 'Taken over' },
    revision: 1,
    next: { author: null, now: NOW, since: NOW },
    positions: ['a1'],
    trashedWith: null,
    how: 'shared',
    words: ['canary'],
    viewer: 'all',
    parentId: first('wik'),
    keyId: first('key'),
    sessionId: first('ses'),
    domainId: first('dom'),
    check: { proved_at: NOW, checked_at: NOW, check_result: 'found' },
    mailId: first('mal'),
    tokenHash: Buffer.alloc(32),
    emailKey: tenants.victim.owner.email,
    email: tenants.victim.owner.email,
    recipient: tenants.victim.owner.email,
    resultIds: [first('res')],
    taskId: first('tsk'),
    taskIds: [first('tsk')],
    commentId: first('cmt'),
    methodologyId: first('mth'),
    auditId: first('aud'),
    issueId: '1',
    side: 'before',
    position: 'a0',
    places: [{ id: first('tsk'), position: 'zz' }],
    links: [],
    lines: [first('cmt')],
    values: {
      status: 'done',
      priority: 4,
      assigneeId: null,
      dueOn: null,
      addLabels: ['x'],
      removeLabels: [],
      outcome: undefined,
    },
    role: 'member',
    status: 'pending',
    name: 'Taken over',
    caption: 'Taken over',
    now: NOW,
    hourAgo: NOW,
    dayAgo: NOW,
    nowMs: 4_000_000_000_000,
    limit: 100,
    offset: 0,
    page: {
      status: undefined,
      kind: undefined,
      leadId: undefined,
      q: undefined,
      sort: 'createdAt',
      order: 'asc',
      limit: 100,
      offset: 0,
    },
    filter: {
      action: undefined,
      actorId: undefined,
      objectId: undefined,
      from: undefined,
      to: undefined,
      before: undefined,
    },
    change: { name: 'Taken over', updated_at: NOW },
    scopeRuleIds: [first('scp')],
    effect: 'allow',
    clientId: first('cli'),
    preferred: null,
    clientColumns: { name: 'Taken over' },
    definitionId: first('fdn'),
    definitionIds: [first('fdn')],
    definitionColumns: { label: 'Taken over' },
    objectType: 'task',
    objectId: first('tsk'),
    fieldType: 'text',
    key: 'canary',
    fieldOwner: { engagementId: first('eng'), id: first('tsk') },
    fieldValues: { [first('fdn') as string]: 'Taken over' },
    copyIds: ['tsk_00000000000000000000000000'],
    findingId: first('fnd'),
    findingIds: [first('fnd')],
    findingColumns: { title: 'Taken over' },
    affectedId: first('aff'),
    affectedIds: [first('aff')],
    affectedColumns: { note: 'Taken over' },
    alike: { status: 'fixed', note: undefined, clientStatus: null },
    fingerprint: '0'.repeat(64),
    assets: [{ id: 'aff_00000000000000000000000000', asset: 'x', fingerprint: '0'.repeat(64), target_id: null }],
    seen: [{ fingerprint: '0'.repeat(64), result_id: first('res') }],
    beforeRevision: undefined,
    afterPosition: '',
    proofIds: [first('req')],
    reportSettings: { fourEyes: true, language: 'tk' },
    parent: { type: 'task', id: first('tsk') },
    object: { type: 'task', id: first('tsk') },
    viewed: { type: 'page', id: first('wik') },
    maxIds: 100,
    by: null,
    entryId: first('lib'),
    entryColumns: { title: 'Taken over' },
    exceptId: '',
    afterKey: '',
    keys: ['canary'],
    version: 1,
    retestId: first('rts'),
    retestColumns: { name: 'Taken over' },
    itemId: first('rti'),
    itemColumns: { note: 'Taken over' },
    proofId: first('req'),
    viewId: first('viw'),
    at: NOW,
    agentId: first('agt'),
    agentIds: [first('agt')],
    keyIds: [first('key')],
    userCodeHash: Buffer.alloc(32),
    deviceCodeHash: Buffer.alloc(32),
    endpointId: first('whe'),
    endpointColumns: { name: 'Taken over' },
    deliveryId: first('whd'),
    deliveryColumns: { event: 'taken over' },
    event: 'finding.created',
    batched: [],
    dueBefore: NOW,
    listName: 'targets',
    viewColumns: { name: 'Taken over' },
    sequenceId: first('seq') ?? 'seq_00000000000000000000000000',
    runId: first('run'),
    requestId: first('req'),
    folderId: first('fld'),
    environmentId: first('env'),
    folderIds: [first('fld')],
    done: 1,
    end: { reason: 'taken over' },
    copies: [{ from: first('res'), id: 'res_00000000000000000000000000', target_id: null }],
    rest: { parts: ['targets'], after: null, pieces: 1 },
    taskChange: { title: 'Taken over', updated_at: NOW },
    runChange: { reason: 'taken over' },
    sequenceChange: { reason: 'taken over' },
    edit: { body: 'Taken over', updated_at: NOW },
    invitationColumns: { token_hash: Buffer.alloc(32), token_version: 9, expires_at: NOW },
    byProvider: true,
    id: first('rep') ?? first('eng'),
    ids: [first('eng')],
    outcome: 'ignored',
    plan: 'taken over',
    before: undefined,
    preference: 'notify_api_keys',
    kind: 'invitation',
    recipients: [tenants.victim.owner.email],
    since: '2000-01-01T00:00:00.000Z',
    value: true,
    today: '2026-01-01',
    count: 1,
    tasks: [
      {
        id: first('tsk'),
        status: 'done',
        priority: 4,
        assignee_id: null,
        due_on: null,
        labels: ['taken-over'],
        outcome: null,
      },
    ],
    results: [
      {
        id: first('res'),
        status: 'fixed',
        severity: 0,
        is_severity_set: true,
        assignee_id: null,
        notes: 'Taken over',
        accepted_until: null,
        tags: ['taken-over'],
      },
    ],
    externalId: EXTERNAL_ID,
    table: 'request_folders',
    trash: { at: NOW, rootId: first('fld') },
    sealed: Buffer.from('sealed'),
    renewed: { secret: Buffer.from('sealed'), former_secret: null },
    column: 'api_requests.auth_secret',
    of: { id: first('req'), organizationId },
  }
  if (!(name in values)) throw new Error(`queries.test.ts does not know what to give for the parameter ${name}`)
  return values[name]
}

/**
 * Runs every query as this organization, on this view of the database: it neither shows nor changes rows of the victim.
 */
const expectNothingOfVictim = async (organizationId: string, db: Database) => {
  const queries = await tenantQueries()
  expect(queries.length).toBeGreaterThanOrEqual(18)
  const before = await checksumsOfOrganization(app.db, tenants.victim.id)
  const outcomes = { empty: 0, refused: 0 }
  for (const { name, parameters, run } of queries) {
    let seen: unknown
    try {
      await transaction(db, async (tx) => {
        seen = await run(...parameters.map((parameter) => valueOf(parameter, tx, organizationId)))
      })
      outcomes.empty++
    } catch (error) {
      if (!/no result|row-level security|violates foreign key/i.test((error as Error).message)) throw error
      outcomes.refused++
    }
    const text = JSON.stringify(seen ?? null).toLowerCase()
    expect(text, name).not.toContain('canary')
    for (const id of [...tenants.victimIds.values()].flat()) expect(text, name).not.toContain(id)
  }
  expect(await checksumsOfOrganization(app.db, tenants.victim.id)).toEqual(before)
  return outcomes
}

test('A14, A1: each query with another organization’s id sees nothing of the victim and changes nothing, also where row ids are the victim’s', async () => {
  await expectNothingOfVictim(tenants.attacker.id, app.db)
})

test('A14: the database shows nothing to each query with the victim’s organization id in the scope of another, and lets it change nothing', async () => {
  const { platform } = app
  const attacker = tenants.attacker.id
  const { refused } = await expectNothingOfVictim(tenants.victim.id, platform.scopedTo(attacker))
  expect(refused).toBeGreaterThan(0)
})
