import { visit } from '../support/pages/visit.ts'
import { openRequests, test } from '../support/requests.ts'
import { expect } from '../support/server/sortie.ts'

test('a deleted folder comes back with Undo in its toast, a deleted request with Ctrl+Z, and a large folder is asked about', async ({
  page,
  sortie,
  side,
}) => {
  const { home, engagementId, call, create } = await openRequests(page, sortie, side)
  const outer = await create('/request-folders', { name: 'Orders' })
  const inner = await create('/request-folders', { name: 'Payments', parentId: outer.id })
  const request = await create('/api-requests', { name: 'Pay', folderId: inner.id, url: `${side.origin}/pay` })
  const names = async () =>
    (await call('GET', `/api-requests?engagementId=${engagementId}&perPage=100`)).map(
      ({ name }: { name: string }) => name,
    )
  const tree = page.getByRole('navigation', { name: 'Saved requests' })
  const toast = (text: string) => page.getByRole('status').filter({ hasText: text })
  const deleteFrom = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }

  await visit(page, `${home}/${outer.id}`)
  await deleteFrom('Orders')
  await expect(toast('Orders deleted.')).toBeVisible()
  await expect(page).toHaveURL(home)
  await expect(tree.getByRole('link', { name: 'Orders' })).toHaveCount(0)
  expect(await names()).toEqual([])
  await toast('Orders deleted.').getByRole('button', { name: 'Undo' }).click()
  await expect(toast('Orders restored.')).toBeVisible()
  await tree.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  expect(await names()).toEqual(['Pay'])

  await visit(page, `${home}/${request.id}`)
  await deleteFrom('Pay')
  await expect(toast('Pay deleted.')).toBeVisible()
  await expect(page).toHaveURL(home)
  expect(await names()).toEqual([])
  await page.keyboard.press('Control+z')
  await expect(toast('Pay restored.')).toBeVisible()
  expect((await call('GET', `/api-requests/${request.id}`)).folderId).toBe(inner.id)

  for (let number = 2; number <= 10; number++)
    await create('/api-requests', { name: `Pay ${number}`, folderId: inner.id, url: `${side.origin}/pay` })
  await visit(page, `${home}/${outer.id}`)
  await deleteFrom('Orders')
  await expect(page.getByRole('dialog', { name: 'Delete Orders with 10 requests?' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete folder' }).click()
  await expect(toast('Orders deleted.')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(toast('Orders restored.')).toBeVisible()
  await expect.poll(async () => (await names()).length).toBe(10)
})
