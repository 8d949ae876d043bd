import { expect, type Page } from '@playwright/test'
import { ADMINISTRATOR, type People } from './people.ts'

/** Opens one page after the other, with data in it, and yields the name of each once it is there. */
export async function* everyPage(page: Page, people: People): AsyncGenerator<string> {
  const organization = await people.organization()
  const { owner, id, slug } = organization
  await people.member(organization, 'admin', 'Ada')
  await people.member(organization, 'member', 'Mia')
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
  await people.call(owner, 'POST', '/api/web/api-keys', { name: 'ci-pipeline', environment: 'live', scopes: ['targets:read', 'tasks:write'] }, id)
  await people.call(owner, 'POST', '/api/web/organizations/current/members/invite', { email: `${people.unique('guest')}@example.com`, role: 'member' }, id)

  const open = async (path: string) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first()).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  }
  for (const [name, path] of [
    ['sign-in', '/sign-in'],
    ['password-reset', '/password-reset'],
    ['invitation-dead', '/invitations/accept'],
    ['not-found', '/nowhere'],
  ] as const) {
    await open(path)
    yield name
  }
  await people.signIn(page, owner)
  for (const [name, path] of [
    ['engagements', `/o/${slug}/engagements`],
    ['engagement', `/o/${slug}/engagements/${engagement.body.data.id}`],
    ['engagements-empty', `/o/${slug}/engagements?status=archived`],
    ['engagement-create', `/o/${slug}/engagements?create=true`],
    ['api', `/o/${slug}/api`],
    ['general', `/o/${slug}/settings/general`],
    ['members', `/o/${slug}/settings/members`],
    ['invite', `/o/${slug}/settings/members?invite=true`],
    ['invitations', `/o/${slug}/settings/invitations`],
    ['api-keys', `/o/${slug}/settings/api-keys`],
    ['api-key-create', `/o/${slug}/settings/api-keys?create=true`],
    ['ownership', `/o/${slug}/settings/ownership`],
    ['audit', `/o/${slug}/settings/audit`],
    ['profile', '/account/profile'],
    ['password', '/account/password'],
    ['sessions', '/account/sessions'],
    ['second-factor', '/account/second-factor'],
    ['notifications', '/account/notifications'],
    ['no-access', '/o/somebody-else/engagements'],
  ] as const) {
    await open(path)
    yield name
  }
  await open(`/o/${slug}/engagements`)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toBeVisible()
  yield 'palette'
  await people.signIn(page, ADMINISTRATOR)
  for (const name of ['overview', 'organizations', 'accounts', 'mails', 'jobs']) {
    await open(`/instance/${name}`)
    yield `instance-${name}`
  }
}
