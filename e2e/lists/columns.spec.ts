import type { Page } from '@playwright/test'
import { everyPage } from '../support/pages/every-page.ts'
import { expect, test } from '../support/server/sortie.ts'
import { everyList, PAGES } from './every-list.ts'

const LONG = 'W'.repeat(200)
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/**
 * Puts 200 characters into every text of every other row of the open grid.
 *
 * @returns left edges of the cells, row by row; how far cells stick out of their row; and the lines of the cells of a
 *   row
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

test('D4: no list shifts a column, nor a line on a phone, with any content; every list of the sources is opened', async ({
  page,
  sortie,
}) => {
  const seen = new Set<string>()
  await page.setViewportSize(WIDE)
  for await (const name of everyPage(page, sortie.people, (candidate) => PAGES.has(candidate))) {
    const grid = page.getByRole('grid')
    await expect(grid.getByRole('row').nth(1), name).toBeVisible()
    seen.add((await grid.getAttribute('aria-label')) ?? '')
    for (const size of [WIDE, PHONE]) {
      await page.setViewportSize(size)
      // The layout follows the width of the window.
      await expect(grid.getByRole('columnheader').filter({ visible: true }), name).toHaveCount(
        size === WIDE ? await grid.getByRole('columnheader').count() : 0,
      )
      await expect
        .poll(async () => (await grid.getByRole('row').last().boundingBox())?.height, name)
        .toBe(size === WIDE ? 32 : 56)
      const [first, ...others] = await measured(page, LONG)
      // A phone shows no headings.
      expect(others.length, name).toBeGreaterThanOrEqual(size === WIDE ? 1 : 0)
      expect(first, name).toBeDefined()
      for (const row of [first, ...others]) {
        expect.soft(row?.outside, `${name} at ${size.width} px: a cell sticks out of its row`).toBeLessThanOrEqual(1)
        if (size === WIDE) expect.soft(row?.edges, `${name}: edges of columns`).toEqual(first?.edges)
        else expect.soft(row?.height, name).toBe(56)
      }
    }
    await page.setViewportSize(WIDE)
  }
  expect(everyList().filter((label) => !seen.has(label))).toEqual([])
})
