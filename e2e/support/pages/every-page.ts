import { expect, type Page } from '@playwright/test'
import { ADMINISTRATOR, type People } from '../server/people.ts'
import { sendIssue, sendSubscription } from '../server/webhooks.ts'
import { Walk } from './controls.ts'

/**
 * Opens one page after another, with data in it, and yields the name of each once it is loaded.
 *
 * @param isWanted selects pages by name, index and address: several tests can share them, or only some are opened
 */
export async function* everyPage(
  page: Page,
  people: People,
  isWanted: (name: string, index: number, path: string) => boolean = () => true,
): AsyncGenerator<string> {
  let seen = 0
  const isMine = (name: string, path: string) => isWanted(name, seen++, path)
  const organization = await people.organization()
  const { owner, id, slug } = organization
  await people.member(organization, 'admin', 'Ada')
  const mia = await people.member(organization, 'member', 'Mia')
  const engagement = await people.call(
    owner,
    'POST',
    '/api/web/engagements',
    {
      name: 'Contoso external perimeter',
      description:
        '## Scope\n\nEverything below `contoso.example`, but not the shop.\n\n- [x] contract signed\n- [ ] kick-off\n\n| From | To |\n|---|---|\n| 1 Dec | 12 Dec |',
    },
    id,
  )
  const engagementId = engagement.body.data.id
  const empty = (await people.call(owner, 'POST', '/api/web/engagements', { name: 'Just begun' }, id)).body.data.id
  const inEngagement = (path: string, body: object) =>
    people.call(owner, 'POST', `/api/web${path}`, { engagementId, ...body }, id)
  await inEngagement('/scope-rules/bulk', { effect: 'allow', text: '*.contoso.example\n10.20.0.0/24' })
  const rule = await inEngagement('/scope-rules', {
    effect: 'deny',
    pattern: 'shop.contoso.example',
    note: 'Run by **someone else**.',
  })
  await inEngagement('/scope-rules', { effect: 'caution', pattern: '10.20.0.128-200', note: 'The plant: call before.' })
  await inEngagement('/targets/bulk', {
    text: 'https://portal.contoso.example/login\nshop.contoso.example\n10.20.0.150\n192.0.2.1',
    tags: ['wave-1'],
  })
  const target = await inEngagement('/targets', {
    value: '10.20.0.7',
    tags: ['dmz', 'wave-1'],
    criticality: 'critical',
    notes: 'The gateway.',
  })
  const ofEngagement = `engagementId=${engagementId}`
  const result = await inEngagement('/results', {
    title: 'Stored cross-site scripting in comments',
    asset: 'https://portal.contoso.example',
    data: {
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N',
      description: 'A comment runs as script.\nIts author chooses what.',
      cve: ['CVE-2021-44228'],
    },
    notes: 'Seen with **curl**.',
  })
  const deleted = await inEngagement('/results', {
    title: 'Old banner of the mail server',
    asset: 'mail.contoso.example',
    severity: 'low',
    data: {},
  })
  await people.call(owner, 'DELETE', `/api/web/results/${deleted.body.data.id}`, undefined, id)
  await people.call(
    owner,
    'POST',
    `/api/web/imports?${ofEngagement}&fileName=ports.json&wait=5`,
    { ip: '192.0.2.10', port: 443, protocol: 'tcp' },
    id,
  )
  const imported = (await people.call(owner, 'GET', `/api/web/imports?${ofEngagement}`, undefined, id)).body.data[0]
  const task = await inEngagement('/tasks', {
    title: 'Ask for the addresses of the VPN',
    description: 'The client **knows** them.',
    priority: 'high',
    dueOn: '2026-01-31',
    labels: ['client'],
    checklist: [{ text: 'Write a mail', done: true }, { text: 'Wait for the answer' }],
  })
  const finding = await inEngagement('/findings', {
    title: 'Stored cross-site scripting in comments',
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N',
    summary: 'A comment runs as **script**.',
    recommendation: 'Encode what is shown.',
    cwe: ['CWE-79'],
    tags: ['portal'],
  })
  const findingId = finding.body.data.id
  await people.call(
    owner,
    'POST',
    `/api/web/findings/${findingId}/affected`,
    { assets: ['https://portal.contoso.example/comments'] },
    id,
  )
  const retestId = (await inEngagement('/retests', { name: 'In spring', findingIds: [findingId] })).body.data.id
  const reportId = (await inEngagement('/reports', { title: 'Penetration test of the portal' })).body.data.id
  const templates = (await people.call(owner, 'GET', '/api/web/report-templates', undefined, id)).body.data
  const builtInTemplateId = templates[0].id
  const reportTemplate = await people.call(owner, 'POST', '/api/web/report-templates', { name: 'Ours' }, id)
  const templateId = reportTemplate.body.data.id
  const contacts = [{ name: 'Noa Night', role: 'CISO', phone: '+49 30 123456', email: 'noa@contoso.example' }]
  const client = await people.call(
    owner,
    'POST',
    '/api/web/clients',
    { name: 'Contoso Ltd.', domains: ['contoso.example'], contacts, notes: 'In **English**.' },
    id,
  )
  const clientId = client.body.data.id
  await people.call(owner, 'PATCH', `/api/web/engagements/${engagementId}/details`, { clientId }, id)
  await people.call(
    owner,
    'POST',
    '/api/web/field-definitions',
    { objectType: 'finding', key: 'owner_team', type: 'text', label: 'Owner team' },
    id,
  )
  await inEngagement('/tasks', { title: 'Scan the perimeter', status: 'in_progress', priority: 'urgent' })
  await people.call(owner, 'POST', `/api/web/tasks/${task.body.data.id}/comments`, { body: 'Sent on **Monday**.' }, id)
  const entryTexts = {
    en: { title: 'Comments run as script', summary: 'A comment runs as **script**.', recommendation: 'Encode it.' },
    de: { title: 'Skripte' },
  }
  const entry = await people.call(
    owner,
    'POST',
    '/api/web/library-entries',
    { key: 'comments', mainLanguage: 'en', texts: entryTexts, guidance: 'Try `<b>`.' },
    id,
  )
  const entryId = entry.body.data.id
  const methodology = await people.call(
    owner,
    'POST',
    '/api/web/methodologies',
    {
      name: 'Our list',
      version: '3',
      description: 'What **every** client gets.',
      items: [
        { key: 'WEB-01', title: 'Password reset', description: 'Tokens *expire*.' },
        { key: 'WEB-02', title: 'Sessions end', appliesTo: ['url', 'ip'] },
      ],
    },
    id,
  )
  const methodologyId = methodology.body.data.id
  const members = (await people.call(owner, 'GET', '/api/web/organizations/current/members', undefined, id)).body
    .data as { id: string; name: string }[]
  const self = members.find(({ name }) => name === owner.name)
  await inEngagement('/tasks', {
    title: 'Call the provider',
    assigneeId: self?.id,
    priority: 'medium',
    dueOn: '2026-02-01',
  })
  await people.call(
    owner,
    'POST',
    `/api/web/methodologies/${methodologyId}/expand`,
    { engagementId, targets: { filter: {} } },
    id,
  )
  await people.call(
    mia,
    'POST',
    `/api/web/tasks/${task.body.data.id}/comments`,
    { body: `@[${owner.name}](${self?.id}) they answered.` },
    id,
  )
  const wikiPage = await inEngagement('/wiki-pages', {
    title: 'Notes of the kick-off',
    body: '## Who\n\n| Name | Role |\n|---|---|\n| Ada | lead |\n\n- [x] signed\n- [ ] see [[Accounts]]\n\n```\nnmap -sV 10.20.0.7\n```',
  })
  const wikiId = wikiPage.body.data.id
  await inEngagement('/wiki-pages', { title: 'Accounts', body: 'From [[Notes of the kick-off]].', parentId: wikiId })
  await people.call(
    owner,
    'PATCH',
    `/api/web/wiki-pages/${wikiId}`,
    { body: `${wikiPage.body.data.body}\n\nOne line more.`, baseRevision: 1 },
    id,
  )
  const folder = await inEngagement('/request-folders', {
    name: 'Sign-in',
    auth: { type: 'bearer', token: '{{token}}' },
  })
  const variables = [
    { name: 'host', value: 'portal.contoso.example', secret: false },
    { name: 'token', value: 'a token of the client', secret: true },
  ]
  const environment = await inEngagement('/environments', { name: 'Staging', variables })
  const request = await inEngagement('/api-requests', {
    folderId: folder.body.data.id,
    name: 'List users',
    url: 'http://127.0.0.1/{{host}}/users',
    query: [{ name: 'page', value: '1', enabled: true }],
    captures: [{ variable: 'first', from: 'json', path: '$.users[0].id' }],
    assertions: [{ subject: 'status', operator: 'equals', value: 200 }],
  })
  // Loopback is refused: a run that is refused, on its own and in a sequence.
  const execution = { environmentId: environment.body.data.id }
  const run = await people.call(owner, 'POST', `/api/web/api-requests/${request.body.data.id}/execute`, execution, id)
  const sequence = await people.call(
    owner,
    'POST',
    `/api/web/request-folders/${folder.body.data.id}/execute`,
    execution,
    id,
  )
  // The operator's policy refuses loopback: the scan touches nothing.
  const nowhere = await inEngagement('/targets', { value: '127.0.0.1' })
  const scanners = [{ id: 'ports', options: { ports: '9' } }]
  const scan = await inEngagement('/scans', {
    scanners,
    targets: { ids: [nowhere.body.data.id] },
    override: { reason: 'Agreed by phone' },
  })
  const scanId = scan.body.data.id
  const filter = { engagementId, tag: ['dmz'] }
  const schedule = await inEngagement('/scan-schedules', {
    name: 'Perimeter',
    cron: '0 2 * * 1-5',
    timeZone: 'Europe/Berlin',
    scanners,
    targets: { filter },
  })
  const operation = await inEngagement('/operations', {
    startedAt: '2026-11-21T14:03:02.120Z',
    address: '10.20.0.7',
    port: 443,
    note: 'By hand',
  })
  await people.call(
    owner,
    'POST',
    '/api/web/api-keys',
    { name: 'ci-pipeline', environment: 'live', scopes: ['targets:read', 'tasks:write'] },
    id,
  )
  await people.call(
    owner,
    'POST',
    '/api/web/code-hosting/repositories',
    { fullName: `northwind/${people.unique('portal')}` },
    id,
  )
  const { id: lastYear } = (await people.call(owner, 'POST', '/api/web/engagements', { name: 'Perimeter 2025' }, id))
    .body.data
  await people.call(owner, 'DELETE', `/api/web/engagements/${lastYear}`, { name: 'Perimeter 2025' }, id)
  await people.call(owner, 'POST', '/api/web/organizations/current/domains', { domain: 'northwind.example' }, id)
  const customer = `cus_${people.unique('every').replaceAll('-', '')}`
  await sendSubscription(people.origin, `${customer}Unknown`, 'Team')
  await sendIssue(people.origin, `fabrikam/${people.unique('portal')}`)
  await people.linkCustomer(organization, customer)
  await sendSubscription(people.origin, customer, 'Team')
  await people.call(
    owner,
    'POST',
    '/api/web/organizations/current/members/invite',
    { email: `${people.unique('guest')}@example.com`, role: 'member' },
    id,
  )

  await people.call(
    owner,
    'POST',
    `/api/web/engagements/${engagementId}/files?fileName=letter.json`,
    { agreed: true },
    id,
  )

  const walk = new Walk(page, owner.password)
  let isLoaded = false
  const open = async (path: string) => {
    await (isLoaded ? walk.follow(path) : walk.open(path))
    isLoaded = true
    // The editor is loaded after its page.
    if ((path.includes('/findings/') || path.includes('/library/')) && path.endsWith('view=edit'))
      await expect(page.getByRole('textbox', { name: 'Summary' })).not.toBeEmpty()
    else if (path.endsWith('view=edit'))
      await expect(page.getByRole('textbox', { name: 'Text of the page' })).not.toBeEmpty()
  }
  for (const [name, path] of [
    ['sign-in', '/sign-in'],
    ['password-reset', '/password-reset'],
    ['browser-confirmation-dead', '/sign-in/confirm'],
    ['invitation-dead', '/invitations/accept'],
    ['not-found', '/nowhere'],
  ] as const) {
    if (!isMine(name, path)) continue
    await open(path)
    yield name
  }
  await people.signIn(page, owner)
  for (const [name, path] of [
    ['home', `/o/${slug}/home`],
    ['engagements', `/o/${slug}/engagements`],
    ['engagement', `/o/${slug}/engagements/${engagement.body.data.id}`],
    ['engagement-peek', `/o/${slug}/engagements?peek=${engagement.body.data.id}`],
    ['engagement-edit', `/o/${slug}/engagements/${engagement.body.data.id}?edit=true`],
    ['engagement-files', `/o/${slug}/engagements/${engagement.body.data.id}/files`],
    ['results', `/o/${slug}/engagements/${engagement.body.data.id}/results`],
    ['result-peek', `/o/${slug}/engagements/${engagement.body.data.id}/results?peek=${result.body.data.id}`],
    ['result-write', `/o/${slug}/engagements/${engagement.body.data.id}/results?write=true`],
    ['tasks', `/o/${slug}/engagements/${engagementId}/tasks`],
    ['tasks-empty', `/o/${slug}/engagements/${engagementId}/tasks?label=none-such`],
    ['tasks-list', `/o/${slug}/engagements/${engagementId}/tasks?view=list`],
    ['task-create', `/o/${slug}/engagements/${engagementId}/tasks?create=true`],
    ['task', `/o/${slug}/engagements/${engagementId}/tasks/${task.body.data.id}`],
    ['task-page', `/o/${slug}/engagements/${engagementId}/tasks/${task.body.data.id}?full=true`],
    ['my-tasks', `/o/${slug}/tasks`],
    ['coverage', `/o/${slug}/engagements/${engagementId}/coverage?methodology=${methodologyId}`],
    ['coverage-empty', `/o/${slug}/engagements/${engagementId}/coverage`],
    ['inbox', `/o/${slug}/inbox`],
    ['inbox-unread', `/o/${slug}/inbox?unread=true`],
    ['methodologies', `/o/${slug}/methodologies`],
    ['methodology-create', `/o/${slug}/methodologies?create=true`],
    ['methodology', `/o/${slug}/methodologies/${methodologyId}`],
    ['methodology-peek', `/o/${slug}/methodologies/${methodologyId}?peek=WEB-01`],
    ['methodology-item', `/o/${slug}/methodologies/${methodologyId}?dialog=item`],
    ['library', `/o/${slug}/library`],
    ['library-create', `/o/${slug}/library?create=true`],
    ['library-import', `/o/${slug}/library?import=true`],
    ['library-peek', `/o/${slug}/library?peek=${entryId}`],
    ['library-entry', `/o/${slug}/library/${entryId}`],
    ['library-entry-edit', `/o/${slug}/library/${entryId}?view=edit`],
    ['library-entry-versions', `/o/${slug}/library/${entryId}?view=versions`],
    ['report-settings', `/o/${slug}/settings/reports`],
    ['report-templates', `/o/${slug}/settings/report-templates`],
    ['report-template-create', `/o/${slug}/settings/report-templates?create=true`],
    ['report-template', `/o/${slug}/settings/report-templates/${templateId}`],
    ['report-template-sections', `/o/${slug}/settings/report-templates/${templateId}?view=sections`],
    ['report-template-files', `/o/${slug}/settings/report-templates/${templateId}?view=files`],
    ['report-template-code', `/o/${slug}/settings/report-templates/${templateId}?view=typst`],
    ['report-template-built-in', `/o/${slug}/settings/report-templates/${builtInTemplateId}`],
    ['wiki', `/o/${slug}/engagements/${engagementId}/wiki`],
    ['wiki-empty', `/o/${slug}/wiki`],
    ['trash', `/o/${slug}/engagements/${engagementId}/trash`],
    ['wiki-trash', `/o/${slug}/engagements/${engagementId}/wiki?view=trash`],
    ['wiki-page', `/o/${slug}/engagements/${engagementId}/wiki/${wikiId}`],
    ['wiki-edit', `/o/${slug}/engagements/${engagementId}/wiki/${wikiId}?view=edit`],
    ['wiki-history', `/o/${slug}/engagements/${engagementId}/wiki/${wikiId}?view=history`],
    ['search', `/o/${slug}/search?q=contoso`],
    ['search-empty', `/o/${slug}/search`],
    ['search-nothing', `/o/${slug}/search?q=nothing-has-this`],
    ['requests', `/o/${slug}/engagements/${engagementId}/requests`],
    ['requests-empty', `/o/${slug}/requests`],
    ['operations-organization', `/o/${slug}/operations`],
    ['request-new', `/o/${slug}/engagements/${engagementId}/requests/new`],
    ['request', `/o/${slug}/engagements/${engagementId}/requests/${request.body.data.id}`],
    ['request-folder', `/o/${slug}/engagements/${engagementId}/requests/${folder.body.data.id}`],
    ['request-environments', `/o/${slug}/engagements/${engagementId}/requests/environments`],
    ['request-environment', `/o/${slug}/engagements/${engagementId}/requests/${environment.body.data.id}`],
    ['request-runs', `/o/${slug}/engagements/${engagementId}/requests/runs`],
    ['request-run', `/o/${slug}/engagements/${engagementId}/requests/${run.body.data.id}`],
    ['request-sequence', `/o/${slug}/engagements/${engagementId}/requests/${sequence.body.data.id}`],
    ['results-diff', `/o/${slug}/engagements/${engagementId}/results/diff?from=monday`],
    ['results-diff-peek', `/o/${slug}/engagements/${engagementId}/results/diff?peek=${result.body.data.id}`],
    ['scans', `/o/${slug}/engagements/${engagementId}/scans`],
    ['scans-peek', `/o/${slug}/engagements/${engagementId}/scans?peek=${scanId}`],
    ['scan-new', `/o/${slug}/engagements/${engagementId}/scans/new`],
    ['scan', `/o/${slug}/engagements/${engagementId}/scans/${scanId}`],
    ['scan-schedules', `/o/${slug}/engagements/${engagementId}/scans/schedules`],
    ['scan-schedule-peek', `/o/${slug}/engagements/${engagementId}/scans/schedules?peek=${schedule.body.data.id}`],
    ['scan-schedule-add', `/o/${slug}/engagements/${engagementId}/scans/schedules?add=true`],
    ['operations', `/o/${slug}/engagements/${engagementId}/operations`],
    ['operation-peek', `/o/${slug}/engagements/${engagementId}/operations?peek=${operation.body.data.id}`],
    ['operations-nothing', `/o/${slug}/engagements/${engagementId}/operations?address=192.0.2.200`],
    ['operation-write', `/o/${slug}/engagements/${engagementId}/operations?write=true`],
    ['imports', `/o/${slug}/engagements/${engagement.body.data.id}/imports`],
    ['import-peek', `/o/${slug}/engagements/${engagement.body.data.id}/imports?peek=${imported.id}`],
    ['engagement-activity', `/o/${slug}/engagements/${engagement.body.data.id}/activity`],
    ['engagement-settings', `/o/${slug}/engagements/${engagement.body.data.id}/settings`],
    ['findings', `/o/${slug}/engagements/${engagementId}/findings`],
    ['finding-peek', `/o/${slug}/engagements/${engagementId}/findings?peek=${findingId}`],
    ['finding-create', `/o/${slug}/engagements/${engagementId}/findings?create=true`],
    ['retests', `/o/${slug}/engagements/${engagementId}/retests`],
    ['retest', `/o/${slug}/engagements/${engagementId}/retests/${retestId}`],
    ['retest-create', `/o/${slug}/engagements/${engagementId}/retests?create=true`],
    ['reports', `/o/${slug}/engagements/${engagementId}/reports`],
    ['report-create', `/o/${slug}/engagements/${engagementId}/reports?create=true`],
    ['report', `/o/${slug}/engagements/${engagementId}/reports/${reportId}`],
    ['report-checks', `/o/${slug}/engagements/${engagementId}/reports/${reportId}?side=checks`],
    ['report-editions', `/o/${slug}/engagements/${engagementId}/reports/${reportId}?view=editions`],
    ['report-own-settings', `/o/${slug}/engagements/${engagementId}/reports/${reportId}?view=settings`],
    ['findings-trash', `/o/${slug}/engagements/${engagementId}/findings?trashed=true`],
    ['finding-suggestions', `/o/${slug}/engagements/${engagementId}/findings/suggestions`],
    ['finding', `/o/${slug}/engagements/${engagementId}/findings/${findingId}`],
    ['finding-edit', `/o/${slug}/engagements/${engagementId}/findings/${findingId}?view=edit`],
    ['finding-assets', `/o/${slug}/engagements/${engagementId}/findings/${findingId}?view=assets`],
    ['finding-history', `/o/${slug}/engagements/${engagementId}/findings/${findingId}?view=history`],
    ['clients', `/o/${slug}/clients`],
    ['client-create', `/o/${slug}/clients?create=true`],
    ['client', `/o/${slug}/clients/${clientId}`],
    ['scope', `/o/${slug}/engagements/${engagementId}/scope`],
    ['scope-rule-peek', `/o/${slug}/engagements/${engagementId}/scope?peek=${rule.body.data.id}`],
    ['scope-paste', `/o/${slug}/engagements/${engagementId}/scope?add=many`],
    ['targets', `/o/${slug}/engagements/${engagementId}/targets`],
    ['targets-empty', `/o/${slug}/engagements/${engagementId}/targets?tag=none-such`],
    ['target-peek', `/o/${slug}/engagements/${engagementId}/targets?peek=${target.body.data.id}`],
    ['target', `/o/${slug}/engagements/${engagementId}/targets/${target.body.data.id}`],
    ['target-add', `/o/${slug}/engagements/${engagementId}/targets?add=one`],
    ['targets-paste', `/o/${slug}/engagements/${engagementId}/targets?add=many`],
    ['overview-empty', `/o/${slug}/engagements/${empty}`],
    ...[
      'scope',
      'targets',
      'results',
      'scans',
      'imports',
      'operations',
      'tasks',
      'requests',
      'findings',
      'reports',
      'activity',
    ].map((part) => {
      const emptyPage: [string, string] = [`${part}-just-begun`, `/o/${slug}/engagements/${empty}/${part}`]
      return emptyPage
    }),
    ['engagements-empty', `/o/${slug}/engagements?status=archived`],
    ['engagement-create', `/o/${slug}/engagements?create=true`],
    ['general', `/o/${slug}/settings/general`],
    ['security', `/o/${slug}/settings/security`],
    ['domains', `/o/${slug}/settings/domains`],
    ['deleted-engagements', `/o/${slug}/settings/deleted-engagements`],
    ['custom-fields', `/o/${slug}/settings/fields`],
    ['domain-claim', `/o/${slug}/settings/domains?claim=true`],
    ['members', `/o/${slug}/settings/members`],
    ['invite', `/o/${slug}/settings/members?invite=true`],
    ['invitations', `/o/${slug}/settings/invitations`],
    ['api-keys', `/o/${slug}/settings/api-keys`],
    ['agents', `/o/${slug}/settings/agents`],
    ['device', '/device'],
    ['oauth-consent', '/oauth/authorize'],
    ['webhooks', `/o/${slug}/settings/webhooks`],
    ['webhook-create', `/o/${slug}/settings/webhooks?create=true`],
    ['api-key-create', `/o/${slug}/settings/api-keys?create=true`],
    ['billing', `/o/${slug}/settings/billing`],
    ['code-hosting', `/o/${slug}/settings/code-hosting`],
    ['ownership', `/o/${slug}/settings/ownership`],
    ['audit', `/o/${slug}/settings/audit`],
    ['profile', '/account/profile'],
    ['password', '/account/password'],
    ['sessions', '/account/sessions'],
    ['second-factor', '/account/second-factor'],
    ['notifications', '/account/notifications'],
    ['no-access', '/o/somebody-else/engagements'],
  ] as const) {
    if (!isMine(name, path)) continue
    await open(path)
    // Some dialogs are loaded only when they are opened.
    if (/[?&](?:create|write|add|claim|invite|paste)=true/.test(path))
      await expect(page.getByRole('dialog').locator('form')).toBeVisible()
    yield name
  }
  if (isMine('palette', '')) {
    await open(`/o/${slug}/engagements`)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('option', { name: /^Ada / })).toBeVisible()
    yield 'palette'
    await page.keyboard.press('Escape')
  }
  if (isMine('menu', '')) {
    await open(`/o/${slug}/settings/api-keys`)
    await page.getByRole('button', { name: 'Actions for ci-pipeline' }).click()
    await expect(page.getByRole('menuitem', { name: 'Create successor' })).toBeVisible()
    yield 'menu'
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    yield 'api-key-delete'
  }
  if (isMine('engagement-clone', '')) {
    await open(`/o/${slug}/engagements/${engagementId}/settings`)
    await page.getByRole('button', { name: /^Clone/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    yield 'engagement-clone'
  }
  await people.signIn(page, ADMINISTRATOR)
  for (const name of [
    'overview',
    'organizations',
    'accounts',
    'billing',
    'code-hosting',
    'mails',
    'jobs',
    'audit',
    'checks',
  ]) {
    if (!isMine(`instance-${name}`, `/instance/${name}`)) continue
    await open(`/instance/${name}`)
    yield `instance-${name}`
  }
}
