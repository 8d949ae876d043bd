import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { expect, test } from '../support/server/sortie.ts'

test('one form creates an engagement with dates, kinds, hours and people, or from a template; a member may where it is allowed', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const mia = await people.member(organization, 'member', 'Mia')
  const as = (method: string, path: string, body?: unknown) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const detailsOf = async (id: string | undefined) => (await as('GET', `/engagements/${id}/details`)).body.data
  const idOf = () => page.url().split('/').at(-1)
  const list = `/o/${organization.slug}/engagements`
  await people.signIn(page, organization.owner, `${list}?create=true`)
  const dialog = page.getByRole('dialog', { name: 'New engagement' })
  await dialog.getByLabel('Name').fill('Perimeter')
  await dialog.getByLabel('Client').fill('Contoso Ltd.')
  await dialog.getByRole('combobox', { name: 'Kinds' }).click()
  await page.getByRole('option', { name: 'Network' }).click()
  await page.getByRole('option', { name: 'Web application' }).click()
  await dialog.getByLabel('First day').fill('2026-12-01')
  await dialog.getByLabel('Last day').fill('2026-12-12')
  await dialog.getByRole('switch', { name: 'Only at certain hours' }).press('Space')
  await dialog.getByRole('combobox', { name: 'Lead' }).click()
  await page.getByRole('option', { name: mia.name }).click()
  await dialog.getByRole('radio', { name: 'Its lead and team, the owner and admins' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Perimeter' })).toBeVisible()
  const first = idOf()
  expect(await detailsOf(first)).toMatchObject({
    clientName: 'Contoso Ltd.',
    kinds: ['network', 'web'],
    startsOn: '2026-12-01',
    endsOn: '2026-12-12',
    testingHours: { windows: [{ from: '09:00', to: '18:00' }] },
    lead: { name: mia.name },
    access: 'team',
  })

  await as('PATCH', `/engagements/${first}/details`, { isTemplate: true, lead: null })
  await as('POST', '/scope-rules', { engagementId: first, effect: 'allow', pattern: '*.contoso.example' })
  await page.goto(`${list}?create=true`)
  await chooseFrom(dialog.getByLabel('Start from'), 'Perimeter')
  await dialog.getByLabel('Name').fill('From the template')
  await dialog.getByLabel('Client').fill('Fabrikam')
  await dialog.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'From the template' })).toBeVisible()
  expect(await detailsOf(idOf())).toMatchObject({
    clientName: 'Fabrikam',
    kinds: ['network', 'web'],
    isTemplate: false,
    access: 'team',
  })
  expect((await as('GET', `/scope-rules?engagementId=${idOf()}`)).body.data).toHaveLength(1)

  await as('PATCH', '/organizations/current/settings', { membersCreateEngagements: true })
  await page.context().clearCookies()
  await people.signIn(page, mia, `${list}?create=true`)
  await expect(dialog.getByRole('combobox', { name: 'Lead' })).toHaveCount(0)
  await dialog.getByLabel('Name').fill('Of Mia')
  await dialog.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Of Mia' })).toBeVisible()
  expect(await detailsOf(idOf())).toMatchObject({ lead: { name: mia.name } })
})
