import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import type { People } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

/** The open editor of an engagement, what the user types into it, and then another user's change of the engagement. */
const contested = async (
  page: Page,
  people: People,
  mine: Record<string, string>,
  theirs: Record<string, string> = {},
) => {
  const { owner, id, slug } = await people.organization()
  const as = (method: string, path: string, body?: unknown) => people.call(owner, method, `/api/web${path}`, body, id)
  const { id: engagementId } = (await as('POST', '/engagements', { name: 'Contested', description: 'first' })).body.data
  const path = `/engagements/${engagementId}`
  await people.signIn(page, owner, `/o/${slug}${path}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByLabel('Description')).toHaveValue('first')
  for (const [label, text] of Object.entries(mine)) await page.getByLabel(label).fill(text)
  await as('PATCH', path, theirs)
  return { change: (body: unknown) => as('PATCH', path, body), read: async () => (await as('GET', path)).body.data }
}

test('a conflict shows every field that differs, saves nothing before each has a choice, and then saves the choices', async ({
  page,
  sortie,
}) => {
  const { read } = await contested(
    page,
    sortie.people,
    { Name: 'My name', Description: 'my text' },
    { name: 'Their name', description: 'their text' },
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Someone else has saved this' })
  await expect(alert).toContainText('Their name')
  await expect(alert).toContainText('their text')
  await expect(alert).toContainText('My name')
  await expect(alert).toContainText('my text')
  await expectAccessible(page)
  const save = alert.getByRole('button', { name: 'Save what I chose' })
  await expect(save).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Name' }).press('Control+Enter')
  expect(await read()).toMatchObject({ name: 'Their name', description: 'their text' })

  await alert.getByRole('radiogroup', { name: 'Name' }).getByRole('radio', { name: 'Yours' }).check()
  await expect(save).toBeDisabled()
  await alert.getByRole('radiogroup', { name: 'Description' }).getByRole('radio', { name: 'Theirs' }).check()
  await save.click()
  await expect(page.getByRole('heading', { name: 'My name', exact: true })).toBeVisible()
  expect(await read()).toMatchObject({ name: 'My name', description: 'their text' })
})

nightly(
  "a field that only one of the two has changed starts with that change, and the user's text can be edited further",
  async ({ page, sortie }) => {
    const { read } = await contested(page, sortie.people, { Description: 'my text' }, { name: 'Their name' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Someone else has saved this' })
    await expect(alert.getByRole('radiogroup', { name: 'Name' }).getByRole('radio', { name: 'Theirs' })).toBeChecked()
    await expect(
      alert.getByRole('radiogroup', { name: 'Description' }).getByRole('radio', { name: 'Yours' }),
    ).toBeChecked()
    await page.getByRole('textbox', { name: 'Description' }).fill('my longer text')
    await expect(alert).toContainText('my longer text')
    await alert.getByRole('button', { name: 'Save what I chose' }).click()
    await expect(page.getByRole('heading', { name: 'Their name', exact: true })).toBeVisible()
    expect(await read()).toMatchObject({ name: 'Their name', description: 'my longer text' })
  },
)

nightly(
  "a concurrent change outside of the form's fields is not a conflict: the form is saved without a question",
  async ({ page, sortie }) => {
    const { read } = await contested(page, sortie.people, { Description: 'my text' }, { status: 'completed' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByLabel('Description')).toBeHidden()
    await expect(page.getByText('my text')).toBeVisible()
    expect(await read()).toMatchObject({ status: 'completed', description: 'my text' })
  },
)

nightly('another save by someone else during the choice is not overwritten either', async ({ page, sortie }) => {
  const { change, read } = await contested(
    page,
    sortie.people,
    { Description: 'my text' },
    { description: 'their text' },
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Someone else has saved this' })
  await alert.getByRole('radio', { name: 'Yours' }).check()
  await change({ description: 'their second text' })
  await alert.getByRole('button', { name: 'Save what I chose' }).click()
  await expect(alert).toContainText('their second text')
  expect(await read()).toMatchObject({ description: 'their second text' })
  await expect(alert.getByRole('button', { name: 'Save what I chose' })).toBeDisabled()
  await alert.getByRole('radio', { name: 'Yours' }).check()
  await alert.getByRole('button', { name: 'Save what I chose' }).click()
  await expect(page.getByRole('heading', { name: 'Contested', exact: true })).toBeVisible()
  expect(await read()).toMatchObject({ description: 'my text' })
})

nightly('a draft from an older version is restored as such: saving it shows the conflict', async ({ page, sortie }) => {
  const { change, read } = await contested(page, sortie.people, { Description: 'my text' })
  await page.close({ runBeforeUnload: false })
  await change({ description: 'their text' })
  const again = await page.context().newPage()
  const { id } = await read()
  await again.goto(page.url().replace(/\?.*$/, ''))
  await again.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(again.getByText('Your unsaved changes are back.')).toBeVisible()
  await again.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(again.getByRole('alert').filter({ hasText: 'Someone else has saved this' })).toContainText('their text')
  expect(await read()).toMatchObject({ id, description: 'their text' })
})
