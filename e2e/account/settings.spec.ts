import { createStage } from '../../server/test/support/app/server-process.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, startSortie } from '../support/server/sortie.ts'

nightly(
  "the operator's settings decide which buttons a member has, and what a disabled page shows",
  async ({ browser }) => {
    const stage = createStage()
    try {
      const { people, origin } = await startSortie(stage, { ENGAGEMENT_WRITE_SCOPE: 'tasks:write' })
      const organization = await people.organization()
      const member = await people.member(organization, 'member')
      const context = await browser.newContext({ baseURL: origin })
      const page = await context.newPage()
      await people.signIn(page, member, `/o/${organization.slug}/engagements`)
      await page.getByRole('button', { name: 'New engagement' }).first().click()
      await page.getByLabel('Name').fill('Made by a member')
      await page.getByRole('button', { name: 'Create engagement' }).click()
      await expect(page.getByRole('heading', { name: 'Made by a member' })).toBeVisible()
      await page.getByRole('button', { name: 'Complete' }).click()
      await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()

      await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/billing`)
      await expect(page.getByRole('heading', { name: 'Billing is not enabled' })).toBeVisible()
      await expect(page.getByText('BILLING_WEBHOOK_SECRET')).toBeVisible()
      await page.goto(`/o/${organization.slug}/settings/code-hosting`)
      await expect(page.getByRole('heading', { name: 'Code hosting is not enabled' })).toBeVisible()
      await expect(page.getByText('CODE_HOSTING_WEBHOOK_SECRET')).toBeVisible()
      await context.close()
    } finally {
      await stage.close()
    }
  },
)
