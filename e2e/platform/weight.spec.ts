import { gzipSync } from 'node:zlib'
import { expect, test } from '../support/server/sortie.ts'

/** JavaScript of the shell and the first list, compressed. */
const MAX_BYTES = 260_000
const MAX_FILES = 12

test('the first page needs little JavaScript, in few files', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  const scripts = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.set(
        response.url(),
        response.body().then((body) => gzipSync(body).length),
      )
  })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await expect(page.getByRole('link', { name: 'Contoso' })).toBeVisible()
  const sizes = await Promise.all(scripts.values())
  expect(sizes.length).toBeLessThanOrEqual(MAX_FILES)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES)
})
