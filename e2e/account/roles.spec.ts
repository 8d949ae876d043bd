import { paths } from '../../web/src/paths.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { everyAddress, Walk } from '../support/pages/controls.ts'
import { visit } from '../support/pages/visit.ts'
import { isNightly, nightly, sampled } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('a member sees no button that the server would refuse', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.signIn(page, member, `/o/${organization.slug}/engagements`)
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New engagement' })).toHaveCount(0)
  await visit(page, `/o/${organization.slug}/settings/members`)
  await expect(page.getByRole('row', { name: member.email })).toBeVisible()
  await expect(page.getByRole('button', { name: /Invite|Actions for/ })).toHaveCount(0)
  await expect(page.getByRole('combobox')).toHaveCount(0)
  for (const name of [
    'Security',
    'Domains',
    'Invitations',
    'API keys',
    'Webhooks',
    'Billing',
    'Code hosting',
    'Audit log',
    'Ownership',
    'Jobs',
  ])
    await expect(page.getByRole('link', { name })).toHaveCount(0)
  await visit(page, `/o/${organization.slug}/settings/general`)
  await expect(page.getByLabel('Name')).toHaveAttribute('readonly')
  for (const part of [
    'security',
    'domains',
    'invitations',
    'api-keys',
    'webhooks',
    'billing',
    'code-hosting',
    'audit',
    'ownership',
  ]) {
    await visit(page, `/o/${organization.slug}/settings/${part}`)
    await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
  }
  await visit(page, '/instance/overview')
  await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
})

test('no page sends a request that a member may not make, and no control on it does when it is used', async ({
  page,
  sortie,
}) => {
  test.setTimeout(900_000)
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.member(organization, 'admin')
  const as = (path: string, body: unknown) =>
    people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
  const engagement = await as('/engagements', { name: 'Contoso', description: '- [ ] kick-off' })
  await as('/api-keys', { name: 'ci', environment: 'live', scopes: ['tasks:read'] })
  await as('/organizations/current/domains', { domain: 'northwind.example' })
  await as('/organizations/current/members/invite', { email: `${people.unique('guest')}@example.com`, role: 'member' })
  const walk = new Walk(page, member.password)
  await people.signIn(page, member)
  let used = 0
  for (const address of sampled(everyAddress(organization.slug, engagement.body.data.id), 20)) {
    await walk.open(`${address}?create=true&invite=true&claim=true`)
    // A member writes tasks and methodologies, and a link may open these forms; other forms do not open.
    const mayCreate = [
      paths.engagementTasks(organization.slug, engagement.body.data.id),
      paths.methodologies(organization.slug),
    ].includes(address)
    await expect(page.getByRole('dialog'), address).toHaveCount(mayCreate ? 1 : 0)
    expect(walk.drainRefusals(), `opening ${address}`).toEqual([])
    if (mayCreate) await walk.open(address)
    used += await walk.useEveryControl(address)
    expect(walk.drainRefusals(), `a control of ${address}`).toEqual([])
  }
  expect(used).toBeGreaterThan(isNightly ? 25 : 1)
})

/** Dialogs that commands open instead of a page, by label. */
const DIALOGS: Partial<Record<string, string>> = {
  'Create an engagement': 'New engagement',
  'Keyboard shortcuts': 'Keyboard shortcuts',
}

for (const role of ['member', 'admin'] as const) {
  const declare = role === 'member' ? test : nightly
  declare(
    `no link and no command leads a person with the role ${role} to a page without access`,
    async ({ page, sortie }) => {
      const { people } = sortie
      const organization = await people.organization()
      const person = await people.member(organization, role)
      await people.signIn(page, person, `/o/${organization.slug}/engagements`)
      const walk = new Walk(page, person.password)
      const [waiting, seen] = [[`/o/${organization.slug}/engagements`], new Set<string>()]
      // A commit tests one page of each kind.
      const kindOf = (path: string) => (isNightly ? path : path.replace(/\b[a-z]{3}_\w+/, 'id'))
      for (let path = waiting.pop(); path; path = waiting.pop()) {
        if (seen.has(kindOf(path))) continue
        seen.add(kindOf(path))
        await walk.follow(path)
        await expect(page.getByRole('heading', { name: 'You have no access' }), path).toHaveCount(0)
        const links = await page
          .locator('a[href^="/"]:not([target])')
          .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).pathname))
        waiting.push(...links.filter((pathname) => !pathname.startsWith('/api/')))
      }
      expect(seen.size).toBeGreaterThan(7)
      await walk.follow(`/o/${organization.slug}/engagements`)
      await page.keyboard.press('Control+k')
      // The palette is loaded when it is first opened.
      await expect(page.getByRole('option').first()).toBeVisible()
      const labels = await page
        .getByRole('option')
        .evaluateAll((options) =>
          options.map((option) => option.firstElementChild?.nextElementSibling?.textContent ?? ''),
        )
      expect(labels.length).toBeGreaterThan(8)
      await page.keyboard.press('Escape')
      for (const label of sampled(
        labels.filter((text) => !/Sign out|theme/.test(text)),
        3,
      )) {
        await page.keyboard.press('Control+k')
        await page.keyboard.insertText(label)
        await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toContainText(label)
        await page.keyboard.press('Enter')
        await walk.settled()
        await expect(page.getByRole('heading', { name: 'You have no access' }), label).toHaveCount(0)
        // A later dialog would receive the keys for the next one.
        const dialog = DIALOGS[label]
        if (dialog !== undefined) await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      expect(walk.drainRefusals()).toEqual([])
    },
  )
}

test('A1: an organization without membership looks like an unknown one', async ({ page, sortie }) => {
  const { people } = sortie
  const [mine, foreign] = [await people.organization(), await people.organization('Foreign')]
  await people.signIn(page, mine.owner, `/o/${foreign.slug}/engagements`)
  await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
  const text = await page.locator('body').innerText()
  expect(text).not.toContain(foreign.name)
  await page.goto('/o/there-is-no-such-organization/engagements')
  await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
  expect(await page.locator('body').innerText()).toBe(text)
})

test('a role changes at once in the list, and a removal explains its effect and ends access', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.signIn(otherPage, member, `/o/${organization.slug}/engagements`)
  await expect(otherPage.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
  const role = page.getByRole('combobox', { name: `Role of ${member.name}` })
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await chooseFrom(role, 'admin')
  expect((await saved).status()).toBe(200)
  await expect(role).toHaveValue('Admin')
  await otherPage.reload()
  await expect(otherPage.getByRole('button', { name: 'New engagement' }).first()).toBeVisible()
  await page.getByRole('button', { name: `Actions for ${member.name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove from the organization' }).click()
  await expect(page.getByRole('dialog')).toContainText('The account is kept')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('row', { name: member.email })).toHaveCount(0)
  await otherPage.reload()
  await expect(otherPage.getByRole('heading', { name: 'You have no access' })).toBeVisible()
})

test('the owner transfers the organization with the password, and is an admin afterwards', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const successor = await people.member(organization, 'member')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/ownership`)
  await page.getByRole('combobox', { name: 'New owner' }).click()
  await page.getByRole('option', { name: successor.email }).click()
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByRole('button', { name: 'Make them the owner' }).click()
  await expect(page.getByText('Is not right.')).toBeVisible()
  await page.getByLabel('Your password').fill(organization.owner.password)
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByRole('button', { name: 'Make them the owner' }).click()
  await expect(page.getByRole('row', { name: successor.email })).toContainText('Owner')
  await expect(page.getByRole('combobox', { name: `Role of ${organization.owner.name}` })).toHaveValue('Admin')
  await expect(page.getByRole('link', { name: 'Ownership' })).toHaveCount(0)
})

nightly('an admin does not lose the role by one click', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const admin = await people.member(organization, 'admin')
  await people.signIn(page, admin, `/o/${organization.slug}/settings/members`)
  const role = page.getByRole('combobox', { name: `Role of ${admin.name}` })
  await chooseFrom(role, 'member')
  const dialog = page.getByRole('dialog', { name: 'Stop being an admin?' })
  await expect(dialog).toContainText("You can't undo this yourself")
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await expect(role).toHaveValue('Admin')
  await chooseFrom(role, 'member')
  await dialog.getByRole('button', { name: 'Become a member' }).click()
  await expect(role).toHaveCount(0)
  await expect(page.getByRole('row', { name: admin.email })).toContainText('Member')
})

nightly('the organization can be transferred to a member on any page of the list', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const members = [
    await people.member(organization, 'member'),
    await people.member(organization, 'member'),
    await people.member(organization, 'admin'),
  ]
  // Pages of two replace pages of a hundred; the server treats them alike.
  await page.route('**/members?*', (route) =>
    route.continue({ url: route.request().url().replace('perPage=100', 'perPage=2') }),
  )
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/ownership`)
  await page.getByRole('combobox', { name: 'New owner' }).click()
  for (const { email } of members) await expect(page.getByRole('option', { name: email })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(3)
})
