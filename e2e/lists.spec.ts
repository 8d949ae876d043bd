import { ADMINISTRATOR, type People, type TestOrganization } from './support/people.ts'
import { expect, test } from './support/sortie.ts'

interface PagedPage {
  name: string
  path: (organization: TestOrganization) => string
  signInAs: (organization: TestOrganization) => Parameters<People['signIn']>[1]
  /** How many rows make a second page. */
  fill?: number
}

const PAGED: PagedPage[] = [
  { name: 'Engagements', path: ({ slug }) => `/o/${slug}/engagements?sort=name`, signInAs: ({ owner }) => owner, fill: 26 },
  { name: 'Members', path: ({ slug }) => `/o/${slug}/settings/members?role=owner`, signInAs: ({ owner }) => owner },
  { name: 'Organizations', path: ({ name }) => `/instance/organizations?search=${encodeURIComponent(name)}`, signInAs: () => ADMINISTRATOR },
  { name: 'Accounts', path: ({ owner }) => `/instance/accounts?search=${encodeURIComponent(owner.email)}`, signInAs: () => ADMINISTRATOR },
]

for (const { name, path, signInAs, fill = 1 } of PAGED) {
  test(`${name}: a page beyond the last one leads to the last, and Back to where one came from`, async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    for (let index = 0; name === 'Engagements' && index < fill; index++) {
      await people.call(organization.owner, 'POST', '/api/web/engagements', { name: `Engagement ${index}` }, organization.id)
    }
    await people.signIn(page, signInAs(organization), '/account/profile')
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
    for (const beyond of ['99', '9999999']) {
      await page.goto(`${path(organization)}&page=${beyond}`)
      await expect(page.getByRole('row')).toHaveCount(2)
      await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(fill === 1 ? /^1 \w+$/ : '26 engagements, page 2 of 2')
      const address = new URL(page.url()).searchParams
      expect(address.get('page')).toBe(fill === 1 ? null : '2')
      expect(address.size).toBe(fill === 1 ? 1 : 2)
    }
    await page.goBack()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  })
}

test('a page beyond the end of an empty list is the empty list', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements?page=7`)
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/o/${organization.slug}/engagements$`))
})
