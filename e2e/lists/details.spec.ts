import type { Locator } from '@playwright/test'
import { visit } from '../support/pages/visit.ts'
import { expect, test } from '../support/server/sortie.ts'

const styleOf = (element: Locator, ...names: string[]) =>
  element.evaluate(
    (node, wanted) => Object.fromEntries(wanted.map((name) => [name, getComputedStyle(node).getPropertyValue(name)])),
    names,
  )

for (const colorScheme of ['light', 'dark'] as const) {
  test(`details of lists, fields and toasts are as designed, ${colorScheme}`, async ({ page, sortie: { people } }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 1024, height: 768 })
    const organization = await people.organization()
    const call = async (path: string, body: object) =>
      (await people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)).body.data
    const { id: engagementId } = await call('/engagements', { name: 'Contoso' })
    for (const pattern of ['*.contoso.example', '10.0.0.0/8'])
      await call('/scope-rules', { engagementId, effect: 'allow', pattern })
    const long = `${'very-long-name-'.repeat(4)}of.contoso.example`
    for (const value of [long, 'a.contoso.example', '10.0.0.1'])
      await call('/targets', { engagementId, value, tags: ['dmz'] })
    const base = `/o/${organization.slug}/engagements/${engagementId}`
    await people.signIn(page, organization.owner, `${base}/targets`)
    const grid = page.getByRole('grid', { name: 'Targets' })
    const row = grid.getByRole('row').filter({ hasText: long })

    // Text that is cut ends with an ellipsis, in the cell or in what the cell holds.
    const cut = row.getByText(long).first()
    await expect(cut).toBeVisible()
    const overflows = await cut.evaluate((node) => {
      const all: string[] = []
      for (let each: Element | null = node; each && each.getAttribute('role') !== 'row'; each = each.parentElement) {
        if (each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX !== 'visible')
          all.push(getComputedStyle(each).textOverflow)
      }
      return all
    })
    expect(overflows).toContain('ellipsis')

    // Titles are text until the pointer is on them; the id is on one line, with a button that copies it.
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
    const preview = page.getByRole('complementary', { name: 'Preview' })
    const id = preview.locator('code').filter({ hasText: /^tgt_/ })
    await expect(id).toBeVisible()
    expect((await id.boundingBox())?.height).toBeLessThan(24)
    await expect(preview.getByRole('button', { name: 'Copy the id' })).toBeVisible()
    const [name] = await preview
      .locator('dt')
      .first()
      .evaluateAll((all) => all.map((term) => term.getBoundingClientRect().width))
    expect(name).toBeLessThanOrEqual(104)
    await expect(preview.locator('dd a').first()).toHaveCSS('text-decoration-line', 'none')
    await page.keyboard.press('Escape')

    const box = await row.getByRole('checkbox').boundingBox()
    expect(box?.width).toBeLessThanOrEqual(16)

    // The pinned column has an edge once the others scroll below it.
    await grid.evaluate((node) => {
      const scroller = [node, ...node.querySelectorAll('*'), node.parentElement as Element].find(
        (each) => each.scrollWidth > each.clientWidth + 1,
      )
      scroller?.scrollTo({ left: 200 })
    })
    await expect(grid.locator('[data-edge]').last()).toHaveCSS('border-right-width', '1px')

    // One ring of two pixels on the border of a field; its label is six pixels above it.
    await visit(page, `${base}/targets?add=one`)
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('textbox').first()
    await field.focus()
    expect(await styleOf(field, 'outline-width', 'outline-offset')).toEqual({
      'outline-width': '2px',
      'outline-offset': '-1px',
    })
    await expect(dialog.locator('.mantine-InputWrapper-label').first()).toHaveCSS('margin-bottom', '6px')
    await page.keyboard.press('Escape')

    // One toast of at most 320 pixels at the bottom centre.
    await row.getByRole('checkbox').check()
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: /^Delete/ }).click()
    const toast = page.locator('.mantine-Notification-root')
    await expect(toast).toHaveCount(1)
    const place = await toast.boundingBox()
    expect(place?.width).toBeLessThanOrEqual(320)
    expect(Math.abs((place?.x ?? 0) + (place?.width ?? 0) / 2 - 512)).toBeLessThan(130)
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeGreaterThan(600)

    // Tools of the board do not wrap while there is space.
    await call('/tasks', { engagementId, title: 'One' })
    await visit(page, `${base}/tasks`)
    const [filter, views] = [page.getByLabel('Filter', { exact: true }), page.getByRole('button', { name: 'Views' })]
    await expect(views).toBeVisible()
    expect(Math.abs(((await filter.boundingBox())?.y ?? 0) - ((await views.boundingBox())?.y ?? 0))).toBeLessThan(20)
  })
}

/** Relative luminance (WCAG 2.2) of a CSS colour, as the browser draws it. */
const luminanceOf = (element: Locator, property: string) =>
  element.evaluate((node, name) => {
    const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    pen.fillStyle = getComputedStyle(node).getPropertyValue(name)
    pen.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }, property)

test('a notice is tinted as visibly in the dark theme as in the light one', async ({ page, sortie: { people } }) => {
  const organization = await people.organization()
  const call = async (path: string, body: object) =>
    (await people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)).body.data
  const { id: engagementId } = await call('/engagements', { name: 'Contoso' })
  await people.signIn(
    page,
    organization.owner,
    `/o/${organization.slug}/engagements/${engagementId}/findings?create=true`,
  )
  await page.getByLabel('Title').fill('Not saved yet')
  await page.close({ runBeforeUnload: false })
  const again = await page.context().newPage()
  await again.goto(`/o/${organization.slug}/engagements/${engagementId}/findings?create=true`)
  const notice = again.getByRole('dialog').locator('.mantine-Alert-root')
  await expect(notice).toBeVisible()
  const contrasts: number[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await again.emulateMedia({ colorScheme })
    await expect(again.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    const around = await luminanceOf(again.getByRole('dialog').first(), 'background-color')
    const tinted = await luminanceOf(notice, 'background-color')
    contrasts.push((Math.max(around, tinted) + 0.05) / (Math.min(around, tinted) + 0.05))
  }
  for (const contrast of contrasts) expect(contrast).toBeGreaterThan(1.05)
  expect(contrasts[1]).toBeGreaterThanOrEqual((contrasts[0] ?? 2) - 0.02)
})

test('in a narrow window, the controls above a list are in one row of one height, and no breadcrumb is cut', async ({
  page,
  sortie: { people },
}) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  const organization = await people.organization()
  const call = async (path: string, body: object) =>
    (await people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)).body.data
  const { id: engagementId } = await call('/engagements', { name: 'Contoso external perimeter 2026' })
  await call('/targets', { engagementId, value: '10.0.0.1' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${engagementId}/targets`)
  const main = page.getByRole('main')
  await expect(main.getByRole('grid', { name: 'Targets' }).getByText('10.0.0.1')).toBeVisible()
  const controls = [
    main.getByPlaceholder(/^Filter by text/),
    ...['Filter', 'Views', 'Display'].map((name) => main.getByRole('button', { name, exact: true })),
  ]
  const boxes = await Promise.all(controls.map((control) => control.boundingBox()))
  expect(new Set(boxes.map((box) => `${box?.y} ${box?.height}`)).size).toBe(1)
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
  await expect(crumbs).toHaveText(['Contoso external perimeter 2026'])
  expect(await crumbs.first().evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true)

  // The mark of the active row is above the cell of its checkbox.
  await page.keyboard.press('j')
  const active = main.locator('[data-active]')
  const [mark, check] = await active.evaluate((row) => [
    Number(getComputedStyle(row, '::before').zIndex),
    Number(getComputedStyle(row.firstElementChild ?? row).zIndex),
  ])
  expect(mark).toBeGreaterThan(check ?? 0)
})
