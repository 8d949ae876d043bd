import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('an invitation by mail is accepted in a second browser, and works once', async ({ page, otherPage, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
  const [first, second] = [`${people.unique('guest')}@example.com`, `${people.unique('guest')}@example.com`]
  await page.getByRole('button', { name: 'Invite people' }).click()
  await page.getByLabel('Email addresses').fill(`Guest One <${first}>, ${second}\n${first}`)
  await page.getByRole('button', { name: 'Invite 2 people' }).click()
  await expect(page.getByText('2 invitations are on their way.')).toBeVisible()
  await page.getByRole('link', { name: 'Invitations' }).click()
  await expect(page.getByRole('row', { name: first })).toContainText('Sent')

  const link = await people.mailedLink(first)
  expect(link).toMatch(/\/invitations\/accept#token=/)
  await otherPage.goto(link)
  await expect(otherPage.getByRole('heading', { name: `Join ${organization.name}` })).toBeVisible()
  await expect(otherPage).not.toHaveURL(/token/)
  await otherPage.getByLabel('Your name').fill('Guest One')
  await otherPage.getByLabel('Password', { exact: true }).fill('a password of the guest')
  await otherPage.getByLabel('Password again').fill('a password of the guest')
  await otherPage.getByRole('button', { name: 'Create account and join' }).click()
  await expect(otherPage.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Members' }).first().click()
  await expect(page.getByRole('row', { name: first })).toContainText('Guest One')
  await otherPage.context().clearCookies()
  await otherPage.goto(link)
  await expect(otherPage.getByRole('heading', { name: 'This invitation has already been used' })).toBeVisible()
})

nightly('an existing account signs in first, then accepts', async ({ page, sortie }) => {
  const { people } = sortie
  const [home, other] = [await people.organization(), await people.organization('Elsewhere')]
  const person = await people.member(home, 'member')
  await people.call(
    other.owner,
    'POST',
    '/api/web/organizations/current/members/invite',
    { email: person.email, role: 'admin' },
    other.id,
  )
  await page.goto(await people.mailedLink(person.email, other.name))
  await expect(page.getByText('has an account here')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(page).toHaveURL(new RegExp(`/o/${other.slug}/home$`))
  await page.getByRole('button', { name: `Organization: ${other.name}` }).click()
  await page.getByRole('menuitem', { name: home.name }).click()
  await expect(page).toHaveURL(new RegExp(`/o/${home.slug}/home$`))
})

test('M4: signed in with another address, the page shows the invited one and how to continue', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const invited = `${people.unique('guest')}@example.com`
  await people.call(
    organization.owner,
    'POST',
    '/api/web/organizations/current/members/invite',
    { email: invited, role: 'member' },
    organization.id,
  )
  const link = await people.mailedLink(invited)
  await people.signIn(page, organization.owner, link)
  await expect(page.getByRole('heading', { name: 'This invitation is for another address' })).toBeVisible()
  await expect(page.getByText(invited).first()).toBeVisible()
  await page.getByRole('button', { name: 'Sign out and continue' }).click()
  await expect(page.getByLabel('Your name')).toBeVisible()
})

test('M7: a revoked link, a replaced link and an unknown one show what to do', async ({ page, otherPage, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const invited = `${people.unique('guest')}@example.com`
  await people.call(
    organization.owner,
    'POST',
    '/api/web/organizations/current/members/invite',
    { email: invited, role: 'member' },
    organization.id,
  )
  const first = await people.mailedLink(invited)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/invitations`)
  await page.getByRole('button', { name: `Resend the invitation of ${invited}` }).click()
  await expect.poll(() => people.mailedLink(invited)).not.toBe(first)
  await otherPage.goto(first)
  await expect(otherPage.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await page.getByRole('button', { name: `Revoke the invitation of ${invited}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('heading', { name: 'No pending invitations' })).toBeVisible()
  await otherPage.goto(await people.mailedLink(invited))
  await expect(otherPage.getByRole('heading', { name: 'This invitation was withdrawn' })).toBeVisible()
  await otherPage.goto('/invitations/accept')
  await expect(otherPage.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})

nightly(
  'every address is invited or stays in the field with its reason: refused, mistyped, repeated, by name',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members?invite=true`)
    const [good, named, third] = [people.unique('guest'), people.unique('guest'), people.unique('guest')].map(
      (word) => `${word}@example.com`,
    )
    const field = page.getByLabel('Email addresses')
    await field.fill(
      `${good} ${organization.owner.email} no@t@an-address, mistyped.example.com;\n"Guest, The" <${named}>\n${good?.toUpperCase()}, <${third}`,
    )
    await page.getByRole('button', { name: 'Invite 5 people' }).click()
    await expect(page.getByText('3 invitations are on their way. One address was listed more than once.')).toBeVisible()
    const refusals = page.getByRole('alert').filter({ hasText: 'Not invited' })
    await expect(refusals).toContainText(`${organization.owner.email}: This address already belongs to a member.`)
    await expect(refusals).toContainText('no@t@an-address: Email must be')
    await expect(refusals).toContainText('mistyped.example.com: This is not an email address.')
    await expect(field).toHaveValue(`${organization.owner.email}\nno@t@an-address\nmistyped.example.com`)

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect(field).toHaveValue(`${organization.owner.email}\nno@t@an-address\nmistyped.example.com`)
    await field.fill('nothing that is one')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Not invited' })).toContainText(
      'nothing that is one: This is not an email address.',
    )
    await page.goto(`/o/${organization.slug}/settings/invitations`)
    for (const email of [good, named, third])
      await expect(page.getByRole('row', { name: email as string })).toBeVisible()
  },
)

nightly(
  'addresses that are not sent because the connection or the session ends stay in the field',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members?invite=true`)
    const addresses = [1, 2, 3].map(() => `${people.unique('guest')}@example.com`)
    const [first, second, third] = addresses as [string, string, string]
    const field = page.getByLabel('Email addresses')
    await page.route('**/members/invite', (route) =>
      route.request().postData()?.includes(second) ? route.abort('connectionreset') : route.continue(),
    )
    await field.fill(addresses.join(', '))
    await field.press('Tab')
    await page.getByRole('button', { name: 'Invite 3 people' }).click()
    const refusals = page.getByRole('alert').filter({ hasText: 'Not invited' })
    await expect(refusals).toContainText(`${second}: No response, so it may have been sent.`)
    await expect(refusals).toContainText(`${third}: Not sent: the server cannot be reached.`)
    await expect(field).toHaveValue(`${second}\n${third}`)
    await page.unroute('**/members/invite')

    await context.clearCookies()
    await page.getByRole('button', { name: 'Invite 2 people' }).click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByLabel('Password', { exact: true }).fill(organization.owner.password)
    await ended.getByRole('button', { name: 'Sign in' }).click()
    await expect(ended).toBeHidden()
    await expect(field).toHaveValue(`${second}\n${third}`)
    await page.getByRole('button', { name: 'Invite 2 people' }).click()
    await expect(page.getByText('2 invitations are on their way.')).toBeVisible()
    await page.goto(`/o/${organization.slug}/settings/invitations`)
    for (const email of [first, second, third]) await expect(page.getByRole('row', { name: email })).toBeVisible()
  },
)

nightly('Escape, Back and a click outside the dialog wait until the invitations are sent', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Members' }).click()
  let answer = () => undefined as void
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/members/invite', async (route) => {
    await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Invite people' }).click()
  await page.getByLabel('Email addresses').fill(`${people.unique('guest')}@example.com, ${organization.owner.email}`)
  await page.getByRole('button', { name: 'Invite 2 people' }).click()
  await expect(page.getByText('Sending 1 of 2')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.history.back())
  await expect(page.getByRole('alert').filter({ hasText: 'The invitations are being sent.' })).toBeVisible()
  answer()
  await expect(page.getByRole('alert').filter({ hasText: 'Not invited' })).toContainText(organization.owner.email)
  await expect(page.getByLabel('Email addresses')).toHaveValue(organization.owner.email)
})

test('I18: the list of invitations continues after its first page', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const emails = Array.from({ length: 3 }, () => `${people.unique('guest')}@example.com`)
  for (const email of emails) {
    await people.call(
      organization.owner,
      'POST',
      '/api/web/organizations/current/members/invite',
      { email, role: 'member' },
      organization.id,
    )
  }
  // Pages of two replace pages of fifty; the server treats them alike.
  await page.route('**/invitations?*', (route) =>
    route.continue({ url: route.request().url().replace('perPage=50', 'perPage=2') }),
  )
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/invitations`)
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: 'Show older invitations' }).click()
  await expect(page.getByRole('row')).toHaveCount(4)
  await expect(page.getByRole('button', { name: 'Show older invitations' })).toHaveCount(0)
  const oldest = emails[0] as string
  await page.getByRole('button', { name: `Revoke the invitation of ${oldest}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('row', { name: oldest })).toHaveCount(0)
})
