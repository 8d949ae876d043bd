import { expect, test } from './support/sortie.ts'

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
  expect(link).toMatch(/\/invitations\/accept\?token=/)
  await otherPage.goto(link)
  await expect(otherPage.getByRole('heading', { name: `Join ${organization.name}` })).toBeVisible()
  await expect(otherPage).not.toHaveURL(/token/)
  await otherPage.getByLabel('Your name').fill('Guest One')
  await otherPage.getByLabel('Password', { exact: true }).fill('a password of the guest')
  await otherPage.getByLabel('Password again').fill('a password of the guest')
  await otherPage.getByRole('button', { name: 'Create account and join' }).click()
  await expect(otherPage.getByRole('heading', { name: 'Engagements', exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Members' }).first().click()
  await expect(page.getByRole('row', { name: first })).toContainText('Guest One')
  await otherPage.context().clearCookies()
  await otherPage.goto(link)
  await expect(otherPage.getByRole('heading', { name: 'This invitation was used already' })).toBeVisible()
})

test('an account that exists signs in first, then accepts', async ({ page, sortie }) => {
  const { people } = sortie
  const [home, other] = [await people.organization(), await people.organization('Elsewhere')]
  const person = await people.member(home, 'member')
  await people.call(other.owner, 'POST', '/api/web/organizations/current/members/invite', { email: person.email, role: 'admin' }, other.id)
  await page.goto(await people.mailedLink(person.email, other.name))
  await expect(page.getByText('has an account here')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(page).toHaveURL(new RegExp(`/o/${other.slug}/engagements$`))
  await page.getByRole('button', { name: `Organization: ${other.name}` }).click()
  await page.getByRole('menuitem', { name: home.name }).click()
  await expect(page).toHaveURL(new RegExp(`/o/${home.slug}/engagements$`))
})

test('M4: signed in with another address, the page says which one is invited and how to go on', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const invited = `${people.unique('guest')}@example.com`
  await people.call(organization.owner, 'POST', '/api/web/organizations/current/members/invite', { email: invited, role: 'member' }, organization.id)
  const link = await people.mailedLink(invited)
  await people.signIn(page, organization.owner, link)
  await expect(page.getByRole('heading', { name: 'This invitation is for another address' })).toBeVisible()
  await expect(page.getByText(invited).first()).toBeVisible()
  await page.getByRole('button', { name: 'Sign out and go on' }).click()
  await expect(page.getByLabel('Your name')).toBeVisible()
})

test('M7: a revoked link, a replaced link and an unknown one say what to do', async ({ page, otherPage, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const invited = `${people.unique('guest')}@example.com`
  await people.call(organization.owner, 'POST', '/api/web/organizations/current/members/invite', { email: invited, role: 'member' }, organization.id)
  const first = await people.mailedLink(invited)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/invitations`)
  await page.getByRole('button', { name: `Resend the invitation of ${invited}` }).click()
  await expect.poll(() => people.mailedLink(invited)).not.toBe(first)
  await otherPage.goto(first)
  await expect(otherPage.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await page.getByRole('button', { name: `Revoke the invitation of ${invited}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('heading', { name: 'Nobody is invited at the moment' })).toBeVisible()
  await otherPage.goto(await people.mailedLink(invited))
  await expect(otherPage.getByRole('heading', { name: 'This invitation was withdrawn' })).toBeVisible()
  await otherPage.goto('/invitations/accept')
  await expect(otherPage.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})

test('addresses that cannot be invited stay in the field, each with its reason', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members?invite=true`)
  const good = `${people.unique('guest')}@example.com`
  await page.getByLabel('Email addresses').fill(`${good} ${organization.owner.email} no@t@an-address`)
  await page.getByRole('button', { name: 'Invite 3 people' }).click()
  await expect(page.getByRole('alert')).toContainText(organization.owner.email)
  await expect(page.getByRole('alert')).toContainText('no@t@an-address')
  await expect(page.getByLabel('Email addresses')).toHaveValue(`${organization.owner.email}\nno@t@an-address`)
})
