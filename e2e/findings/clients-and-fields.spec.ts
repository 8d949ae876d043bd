import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { expect, test } from '../support/server/sortie.ts'

test('a client named in an engagement has a page with its engagements, contacts and open findings', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  await ask('POST', '/clients', { name: 'Contoso Ltd.' })
  const engagement = (await ask('POST', '/engagements', { name: 'Perimeter' })).data as { id: string }
  await ask('POST', '/findings', { engagementId: engagement.id, title: 'Open port', severity: 'high' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${engagement.id}`)
  await page.getByRole('combobox', { name: 'Client' }).fill('Contoso')
  await page.getByRole('option', { name: 'Contoso Ltd.' }).click()
  await expect
    .poll(async () => (await ask('GET', `/engagements/${engagement.id}/details`)).data)
    .toMatchObject({ clientName: 'Contoso Ltd.' })
  expect((await ask('GET', '/clients')).data).toHaveLength(1)

  await page.goto(`/o/${organization.slug}/clients`)
  await expectAccessible(page)
  await page.getByRole('grid', { name: 'Clients' }).getByRole('link', { name: 'Contoso Ltd.' }).click()
  await expect(page.getByRole('table', { name: 'Engagements' })).toContainText('Perimeter')
  await expect(page.getByRole('table', { name: 'Open findings' })).toContainText('Open port')
  const years = page.getByRole('table', { name: 'Findings by year' }).getByRole('row')
  await expect(years.nth(1)).toHaveText(/^20\d\d01000\D*11$/)
  for (const number of [
    years.nth(1).getByRole('cell', { name: '1', exact: true }).first(),
    years.nth(0).getByText('Total'),
  ]) {
    await expect(number).toHaveCSS('text-align', 'right')
    await expect(number).toHaveCSS('font-variant-numeric', 'tabular-nums')
  }
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit client' })
  await dialog.getByLabel('Domains').fill('contoso.example')
  await dialog.getByRole('button', { name: 'Add a contact' }).click()
  await page.keyboard.type('Noa Night')
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Noa Night')).toBeVisible()
  await expect(page.getByText('contoso.example')).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete client' }).click()
  await expect(page.getByRole('dialog')).toContainText('This client has engagements')
})

test('a custom field is defined, filled in with the details of an engagement, and deleted', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const engagement = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Perimeter' }, organization.id)
  ).body.data
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/fields`)
  await page.getByRole('button', { name: 'New field' }).click()
  const dialog = page.getByRole('dialog', { name: 'New field' })
  await dialog.getByLabel('Label').fill('Cost center')
  await chooseFrom(dialog.getByLabel('Type'), 'choice')
  await dialog.getByLabel('Options').fill('Berlin\nParis')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create field' }).click()
  await expect(page.getByRole('table', { name: 'Fields of engagements' })).toContainText('cost_center')
  await expectAccessible(page)

  await page.goto(`/o/${organization.slug}/engagements/${engagement.id}`)
  await page.getByRole('combobox', { name: 'Cost center' }).click()
  await page.getByRole('option', { name: 'Paris' }).click()
  await expect
    .poll(async () => {
      const details = await people.call(
        organization.owner,
        'GET',
        `/api/web/engagements/${engagement.id}/details`,
        undefined,
        organization.id,
      )
      return details.body.data.fields
    })
    .toEqual({ cost_center: 'Paris' })

  await page.goto(`/o/${organization.slug}/settings/fields`)
  await page.getByRole('button', { name: 'Delete Cost center' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete field' }).click()
  await expect(page.getByRole('heading', { name: 'No custom fields yet' })).toBeVisible()
})
