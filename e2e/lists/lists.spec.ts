import { nightly } from '../support/server/nightly.ts'
import { ADMINISTRATOR, type People, type TestOrganization } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

interface PagedPage {
  name: string
  path: (organization: TestOrganization) => string
  signInAs: (organization: TestOrganization) => Parameters<People['signIn']>[1]
}

const PAGED: PagedPage[] = [
  { name: 'Members', path: ({ slug }) => `/o/${slug}/settings/members?role=owner`, signInAs: ({ owner }) => owner },
  {
    name: 'Organizations',
    path: ({ name }) => `/instance/organizations?search=${encodeURIComponent(name)}`,
    signInAs: () => ADMINISTRATOR,
  },
  {
    name: 'Accounts',
    path: ({ owner }) => `/instance/accounts?search=${encodeURIComponent(owner.email)}`,
    signInAs: () => ADMINISTRATOR,
  },
]

for (const [index, { name, path, signInAs }] of PAGED.entries()) {
  const declare = index === 0 ? test : nightly
  declare(
    `${name}: a page beyond the last one leads to the last, and Back to the previous address`,
    async ({ page, sortie }) => {
      const { people } = sortie
      const organization = await people.organization()
      await people.signIn(page, signInAs(organization), '/account/profile')
      await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
      for (const beyond of ['99', '9999999']) {
        await page.goto(`${path(organization)}&page=${beyond}`)
        await expect(page.getByRole('row')).toHaveCount(2)
        await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/^1 \w+$/)
        const address = new URL(page.url()).searchParams
        expect(address.get('page')).toBe(null)
        expect(address.size).toBe(1)
      }
      await page.goBack()
      await page.goBack()
      await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
    },
  )
}
