import type { Page } from '@playwright/test'
import type { ReportPlaces } from './report-data.ts'

/** Where the demonstration's organization, its fullest engagement, and an object of each kind are. */
export interface Places extends ReportPlaces {
  organization: string
  engagement: string
}

export interface Picture {
  name: string
  /** The address, or what leads to it. */
  open: (places: Places) => string
  /** Done once the page is shown. */
  act?: (page: Page) => Promise<void>
  /** One of the pictures of README.md. */
  isInReadme?: true
}

const inOrganization = (name: string, rest: string, more: Omit<Picture, 'name' | 'open'> = {}): Picture => ({
  name,
  open: ({ organization }) => `${organization}${rest}`,
  ...more,
})
const inEngagement = (name: string, rest: string, more: Omit<Picture, 'name' | 'open'> = {}): Picture => ({
  name,
  open: ({ engagement }) => `${engagement}${rest}`,
  ...more,
})

const ofReport = (
  name: string,
  search: string,
  act?: Picture['act'],
  more: Pick<Picture, 'isInReadme'> = {},
): Picture => ({
  name,
  open: ({ engagement, reportId, editionId }) =>
    `${engagement}/reports/${reportId}${search.replace('EDITION', editionId)}`,
  ...(act && { act }),
  ...more,
})
const ofTemplate = (name: string, search: string, act?: Picture['act']): Picture => ({
  name,
  open: ({ organization, templateId }) => `${organization}/settings/report-templates/${templateId}${search}`,
  ...(act && { act }),
})

/** Waits until the preview of a report is shown, in a window that has one next to the text. */
const previewShown = async (page: Page): Promise<void> => {
  if ((page.viewportSize()?.width ?? 0) > 1200) await page.locator('iframe[data-ready]').waitFor()
}

/** Opens the preview of the first row. */
const preview = async (page: Page): Promise<void> => {
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
}

const follow =
  (role: 'link' | 'treeitem' | 'gridcell') =>
  async (page: Page): Promise<void> =>
    page.getByRole('main').getByRole(role).first().click()

/** The object of the first row, in its preview if it has one. */
const followFirst = async (page: Page): Promise<void> => {
  const link = page.getByRole('grid').getByRole('link').first()
  const name = (await link.textContent()) ?? ''
  await link.click()
  await page.getByRole('heading', { name, exact: true }).first().waitFor()
}

/** The page of the first row's object. */
const openFirst = async (page: Page): Promise<void> => {
  const preview = (await page.getByRole('grid').getByRole('link').first().getAttribute('href')) ?? ''
  const { pathname, searchParams } = new URL(preview, page.url())
  await page.goto(`${pathname}/${searchParams.get('peek')}`)
}

/** A view of the first finding. */
const openFinding = async (page: Page, search: string): Promise<void> => {
  const address = await page.getByRole('grid', { name: 'Findings' }).getByRole('link').first().getAttribute('href')
  await page.goto(`${address}${search}`)
  await page.getByRole('complementary', { name: 'Comments' }).waitFor()
}

/** The list of retests of the engagement that has one. */
const openRetests = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Contoso booking portal 2025' }).click()
  await page.getByRole('heading', { name: 'Contoso booking portal 2025' }).waitFor()
  await page.goto(`${page.url()}/retests`)
  await page.getByRole('grid', { name: 'Retests' }).waitFor()
}

export const PICTURES: readonly Picture[] = [
  { name: 'home', open: () => '/' },
  inOrganization('engagements', '/engagements'),
  inOrganization('my-tasks', '/tasks'),
  inOrganization('inbox', '/inbox'),
  inOrganization('search', '/search?q=contoso'),
  inOrganization('methodologies', '/methodologies'),
  inOrganization('library', '/library'),
  inOrganization('library-entry', '/library', { act: followFirst }),
  inOrganization('clients', '/clients'),
  inOrganization('client', '/clients', { act: followFirst }),
  inOrganization('operations-all', '/operations'),
  inEngagement('overview', ''),
  inEngagement('scope', '/scope'),
  inEngagement('targets', '/targets'),
  inEngagement('target-preview', '/targets', { act: preview }),
  inEngagement('target', '/targets', { act: openFirst }),
  inEngagement('results', '/results'),
  inEngagement('findings', '/results?kind=vulnerability', { act: preview, isInReadme: true }),
  inEngagement('reported', '/findings'),
  inEngagement('reported-finding', '/findings', {
    act: async (page) => {
      await page.getByRole('grid', { name: 'Findings' }).getByRole('link').first().click()
      await page.getByRole('navigation', { name: 'Views of the finding' }).waitFor()
    },
  }),
  inEngagement('finding-comments', '/findings', { act: (page) => openFinding(page, '?side=comments') }),
  inEngagement('finding-edit', '/findings', {
    act: async (page) => {
      await openFinding(page, '?view=edit&side=comments')
      await page.getByRole('textbox', { name: 'Summary' }).waitFor()
    },
  }),
  inEngagement('suggestions', '/findings/suggestions'),
  { name: 'retests', open: ({ organization }) => `${organization}/engagements`, act: openRetests },
  {
    name: 'retest',
    open: ({ organization }) => `${organization}/engagements`,
    act: async (page) => {
      await openRetests(page)
      await page.getByRole('grid', { name: 'Retests' }).getByRole('link').click()
      await page.getByRole('list', { name: 'Items' }).waitFor()
    },
  },
  inEngagement('reports', '/reports'),
  inEngagement('report-create', '/reports?create=true', {
    act: (page) => page.getByRole('button', { name: 'Create report' }).waitFor(),
  }),
  ofReport('report', '', previewShown, { isInReadme: true }),
  ofReport('report-preview', '?side=preview', (page) => page.locator('iframe[data-ready]').waitFor()),
  ofReport('report-section', '', async (page) => {
    if (await page.getByText('Outline', { exact: true }).isVisible()) await page.getByText('Outline').click()
    await page.getByRole('navigation', { name: 'Sections of the report' }).getByText('Scope', { exact: true }).click()
    await previewShown(page)
  }),
  ofReport('report-outline', '', async (page) => {
    if (await page.getByText('Outline', { exact: true }).isVisible()) await page.getByText('Outline').click()
    else await page.getByRole('button', { name: 'Add a section' }).click()
  }),
  ofReport('report-checks', '?side=checks'),
  ofReport('report-waive', '?side=checks', (page) =>
    page
      .getByRole('button', { name: /^Waive: / })
      .first()
      .click(),
  ),
  ofReport('report-deliver', '', async (page) => {
    await page.getByRole('button', { name: 'Deliver' }).click()
    await page.getByRole('dialog').getByLabel('Note').waitFor()
  }),
  ofReport('report-render', '', (page) => page.getByRole('button', { name: 'Render' }).click()),
  ofReport('report-editions', '?view=editions'),
  ofReport('report-compare', '?view=compare&from=EDITION&to=draft'),
  ofReport('report-settings', '?view=settings'),
  inOrganization('report-rules', '/settings/reports'),
  inOrganization('templates', '/settings/report-templates'),
  ofTemplate('template', ''),
  ofTemplate('template-sections', '?view=sections'),
  ofTemplate('template-files', '?view=files'),
  ofTemplate('template-code', '?view=typst&file=page-header.typ'),
  inEngagement('changes', '/results/diff?from=monday'),
  inEngagement('scans', '/scans'),
  inEngagement('scan-new', '/scans/new'),
  inEngagement('scan-preview', '/scans', { act: followFirst }),
  inEngagement('scan', '/scans', { act: openFirst }),
  inEngagement('scan-schedules', '/scans/schedules'),
  inEngagement('imports', '/imports'),
  inEngagement('board', '/tasks', { isInReadme: true }),
  inEngagement('task', '/tasks', {
    act: async (page) => {
      await page.locator('[data-task]').first().click()
      await page.getByRole('complementary', { name: 'Task' }).getByRole('heading').first().waitFor()
    },
  }),
  inEngagement('tasks', '/tasks?view=list'),
  inEngagement('coverage', '/coverage', { isInReadme: true }),
  inEngagement('wiki', '/wiki', { act: follow('link'), isInReadme: true }),
  inEngagement('requests', '/requests', {
    act: async (page) => {
      await follow('link')(page)
      await page.getByRole('main').getByRole('link', { name: 'Booking of another guest' }).click()
    },
    isInReadme: true,
  }),
  inEngagement('operations', '/operations'),
  inEngagement('files', '/files'),
  inEngagement('activity', '/activity'),
  inEngagement('engagement-settings', '/settings'),
  inEngagement('trash', '/trash'),
  inEngagement('display-menu', '/targets', {
    act: async (page) => {
      await page.getByRole('button', { name: 'Display' }).click()
      await page.getByRole('menuitem', { name: 'Target' }).first().waitFor()
    },
  }),
  inEngagement('selection', '/results', {
    act: async (page) => {
      await page.keyboard.press('j')
      await page.keyboard.press('x')
    },
  }),
  inEngagement('nothing-matches', '/targets?q=nothing-has-this'),
  inOrganization('general', '/settings/general'),
  inOrganization('members', '/settings/members'),
  inOrganization('security', '/settings/security'),
  inOrganization('api-keys', '/settings/api-keys'),
  inOrganization('audit', '/settings/audit'),
  inOrganization('custom-fields', '/settings/fields'),
  inOrganization('report-settings', '/settings/reports'),
  inOrganization('code-hosting', '/settings/code-hosting'),
  inOrganization('domains', '/settings/domains'),
  inOrganization('ownership', '/settings/ownership'),
  { name: 'profile', open: () => '/account/profile' },
  { name: 'password', open: () => '/account/password' },
  { name: 'second-factor', open: () => '/account/second-factor' },
  { name: 'sessions', open: () => '/account/sessions' },
  { name: 'notifications', open: () => '/account/notifications' },
]
