import type { Page } from '@playwright/test'
import { engagementWithFindings } from './findings.ts'
import type { People, TestOrganization } from './server/people.ts'
import { expect } from './server/sortie.ts'

/** Fields of a report that tests read. */
export interface TestReport {
  engagementId: string
  id: string
  state: string
  latestEdition: number | null
  sections: { id: string; key: string; title: string; body: string; kind: string; hidden: boolean; revision: number }[]
}

/** An engagement with a client and approved findings. */
export const engagementToReport = async (people: People, organization: TestOrganization) => {
  const engagement = await engagementWithFindings(people, organization)
  const { id, ask, add } = engagement
  await ask('PATCH', '/report-settings', { fourEyes: false })
  await ask('PATCH', `/engagements/${id}/details`, {
    clientName: people.unique('Contoso'),
    startsOn: '2026-11-02',
    endsOn: '2026-11-13',
  })
  for (const [title, severity] of [
    ['Users are listed without sign-in', 'critical'],
    ['Sessions never end', 'medium'],
  ] as const) {
    const finding = await add({
      title,
      severity,
      summary: 'An attacker reads the list of users.',
      description: 'The list is answered without a session.',
      impact: 'Names and addresses are disclosed.',
      reproduction: 'Open the list in a new browser.',
      recommendation: 'Require a session.',
    })
    await ask('POST', `/findings/${finding.id}/affected`, { assets: ['portal.contoso.example'] })
    for (const state of ['in_review', 'approved']) await ask('PATCH', `/findings/${finding.id}`, { state })
  }
  return {
    ...engagement,
    readReport: async (reportId: string): Promise<TestReport> => (await ask('GET', `/reports/${reportId}`)).data,
  }
}

/** The id in the address of the open report. */
export const reportIdOf = (page: Page): string => /rpt_[0-9a-z]{26}/.exec(page.url())?.[0] ?? ''

/** Creates a report by the dialog of the open list, and opens it. @returns its id */
export const createReport = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'New report' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New report' })
  await expect(dialog.getByLabel('Title')).toHaveValue('Report: Contoso')
  await dialog.getByRole('button', { name: 'Create report' }).click()
  await expect(page.getByRole('navigation', { name: 'Sections of the report' })).toBeVisible()
  return reportIdOf(page)
}

export const outlineOf = (page: Page) => page.getByRole('navigation', { name: 'Sections of the report' })
export const previewOf = (page: Page) =>
  page.getByRole('region', { name: 'Preview' }).frameLocator('iframe[data-ready]')
