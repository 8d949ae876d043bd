import type { Page } from '@playwright/test'
import { visit } from '../support/pages/visit.ts'
import { expect, test } from '../support/server/sortie.ts'

const LONG = 'W'.repeat(200)
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/**
 * Puts 200 characters into every text of every other row of the open grid.
 *
 * @returns left edges of the cells, row by row; how far cells stick out of their row; and the lines of the cells of a row
 */
const measured = (page: Page, long: string) =>
  page.getByRole('grid').evaluate((grid, text) => {
    const rows = [...grid.querySelectorAll<HTMLElement>('[role="row"]')].filter((row) => row.offsetParent !== null)
    for (const row of rows.filter(({ ariaRowIndex }) => Number(ariaRowIndex) % 2 === 0)) {
      for (const cell of row.querySelectorAll('[role="gridcell"]')) {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode()) node.nodeValue = text
      }
    }
    return rows.map((row) => {
      const cells = [...row.querySelectorAll<HTMLElement>('[role="gridcell"], [role="columnheader"]')].filter(
        (cell) => cell.offsetParent !== null,
      )
      const box = row.getBoundingClientRect()
      const boxes = cells.map((cell) => cell.getBoundingClientRect())
      return {
        edges: boxes.map(({ left }) => Math.round(left - box.left)),
        height: Math.round(box.height),
        outside: Math.max(
          0,
          ...boxes.map(({ right, bottom }) => Math.round(Math.max(right - box.right, bottom - box.bottom))),
        ),
      }
    })
  }, long)

test('D4: no list shifts a column, nor a line on a phone, with any content', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { slug } = organization
  const call = await people.session(organization.owner, organization.id)
  const { id: engagementId } = (
    await call('POST', '/api/web/engagements', { name: 'Contoso', details: { clientName: 'Contoso', kind: 'web' } })
  ).data
  await call('POST', '/api/web/engagements', { name: 'Fabrikam' })
  for (const value of ['10.0.0.1', 'a.contoso.example'])
    await call('POST', '/api/web/targets', { engagementId, value, tags: ['dmz'] })
  for (const pattern of ['10.0.0.0/24', '*.contoso.example'])
    await call('POST', '/api/web/scope-rules', { engagementId, effect: 'allow', pattern, note: 'Frankfurt' })
  for (const title of ['Injection', 'Weak cipher'])
    await call('POST', '/api/web/results', { engagementId, title, asset: '10.0.0.1', severity: 'high' })
  const { id: userId } = (await call('GET', '/api/web/account')).data
  for (const title of ['Ask', 'Look']) await call('POST', '/api/web/tasks', { engagementId, title, assigneeId: userId })
  const items = ['A-1', 'A-2'].map((key) => ({ key, title: `Check ${key}`, appliesTo: ['url'] }))
  const { id: methodologyId } = (await call('POST', '/api/web/methodologies', { name: 'Own checks', items })).data
  const engagement = `/o/${slug}/engagements/${engagementId}`
  await people.signIn(page, organization.owner, `/o/${slug}/engagements`)
  const lists = [
    `/o/${slug}/engagements`,
    `${engagement}/targets`,
    `${engagement}/scope`,
    `${engagement}/results`,
    `${engagement}/tasks?view=list`,
    `/o/${slug}/tasks`,
    `/o/${slug}/methodologies`,
    `/o/${slug}/methodologies/${methodologyId}`,
  ]
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    for (const path of lists) {
      await visit(page, path)
      await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible()
      const [first, ...others] = await measured(page, LONG)
      expect(others.length, path).toBeGreaterThan(0)
      for (const row of [first, ...others]) {
        expect(row?.outside, `${path} at ${size.width} px: a cell sticks out of its row`).toBeLessThanOrEqual(1)
        if (size === WIDE) expect(row?.edges, `${path}: edges of columns`).toEqual(first?.edges)
        else expect(row?.height, path).toBe(56)
      }
    }
  }
})
