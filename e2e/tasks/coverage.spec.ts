import { hereMs } from '../../server/test/support/app/machine.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect } from '../support/server/sortie.ts'

const ITEMS = 100
const TARGETS = 100
/** An idle machine takes less than a second. */
const MAX_MS = 5_000

nightly(
  'a matrix of 100 items by 100 targets appears at once, with fixed sums of every row and column while it scrolls',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer.body
    }
    const engagementId = (await ask('POST', '/engagements', { name: 'Large' })).data.id
    const text = Array.from({ length: TARGETS }, (_, index) => `10.0.0.${index + 1}`).join('\n')
    await ask('POST', '/targets/bulk', { engagementId, text })
    const items = Array.from({ length: ITEMS }, (_, index) => ({
      key: `K-${index}`,
      title: `Check ${index}`,
      appliesTo: ['ip'],
    }))
    const { id } = (await ask('POST', '/methodologies', { name: 'Everything', items })).data
    await ask('POST', `/methodologies/${id}/expand`, { engagementId, targets: { filter: {} } })
    const { cells } = (await ask('GET', `/engagements/${engagementId}/coverage?methodologyId=${id}`)).data as {
      cells: { itemKey: string; targetId: string; taskId: string }[]
    }
    const [cell] = cells.filter(({ itemKey }) => itemKey === 'K-0')
    await ask('PATCH', `/tasks/${cell?.taskId}`, { outcome: 'fail' })

    await people.signIn(
      page,
      organization.owner,
      `/o/${organization.slug}/engagements/${engagementId}/tasks?checks=true`,
    )
    await expect(page.getByRole('region', { name: 'Open' }).locator('[data-task]').first()).toBeVisible()
    const matrix = page.getByRole('grid', { name: 'Coverage' })
    const shown = async () => {
      await expect(matrix.getByRole('gridcell', { name: 'Untested', exact: true }).first()).toBeVisible()
      return Date.now()
    }
    const started = Date.now()
    await page.goto(`/o/${organization.slug}/engagements/${engagementId}/coverage?methodology=${id}`)
    const ms = (await shown()) - started
    expect(ms).toBeLessThan(hereMs(MAX_MS))

    await expect(matrix.getByRole('row', { name: /^K-0 / })).toContainText('99 untested, 1 fail')
    await expect(matrix.getByRole('row', { name: /^Total / })).toContainText('9999 untested, 1 fail')
    await expectAccessible(page)
    await matrix.evaluate((element) => element.scrollTo(element.scrollWidth, element.scrollHeight))
    const last = matrix.getByRole('row', { name: /^K-99 / })
    await expect(last).toBeVisible()
    await expect(last.getByRole('gridcell', { name: '100 untested' })).toBeInViewport()
    await expect(matrix.getByRole('columnheader', { name: '10.0.0.99' })).toBeInViewport()
    await expect(
      matrix
        .getByRole('row', { name: /^Total / })
        .getByRole('gridcell', { name: '100 untested' })
        .last(),
    ).toBeInViewport()
  },
)

nightly('pages that show items of the OWASP guide name their source and licence', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const engagementId = (await ask('POST', '/engagements', { name: 'Web' })).body.data.id
  await ask('POST', '/scope-rules', { engagementId, effect: 'allow', pattern: '*.contoso.example' })
  await ask('POST', '/targets', { engagementId, value: 'https://portal.contoso.example/' })
  const known = (await ask('GET', '/methodologies?perPage=100')).body.data as { id: string; name: string }[]
  const guide = known.find(({ name }) => name.startsWith('OWASP'))
  await people.signIn(
    page,
    organization.owner,
    `/o/${organization.slug}/engagements/${engagementId}/coverage?methodology=${guide?.id}`,
  )
  const licence = page.getByRole('link', { name: 'CC BY-SA 4.0' })
  await expect(licence).toBeVisible()
  await page.getByRole('button', { name: 'Create tasks' }).click()
  await page.getByRole('button', { name: 'Create 97 tasks' }).click()
  await expect(page.getByText('97 untested, 0 passed')).toBeVisible()
  await expect(licence).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('gridcell', { name: 'Untested', exact: true }).first().dblclick()
  await expect(page.getByRole('link', { name: 'Read the test in the OWASP guide' })).toHaveAttribute(
    'href',
    /01-Conduct_Search_Engine_Discovery/,
  )
  await page.getByRole('link', { name: 'Open the task' }).click()
  await expect(page.getByText(/^Checks WSTG-INFO-01 of/)).toBeVisible()
  await expect(licence).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'OWASP Web Security Testing Guide 4.2' }).click()
  await expect(page.getByRole('grid', { name: 'Items' })).toBeVisible()
  await expect(licence).toBeVisible()
})
