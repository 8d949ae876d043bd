import type { Locator } from '@playwright/test'
import { expect, test } from '../support/server/sortie.ts'

const styleOf = (element: Locator, name: string) =>
  element.evaluate((node, property) => getComputedStyle(node).getPropertyValue(property), name)

for (const colorScheme of ['light', 'dark'] as const) {
  test(`severities are filled pills, states are rings, people have initials, and scope is shown where it is not in, ${colorScheme}`, async ({
    page,
    sortie: { people },
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 1440, height: 900 })
    const organization = await people.organization()
    const call = await people.session(organization.owner, organization.id)
    const { id: engagementId } = (await call('POST', '/api/web/engagements', { name: 'Contoso' })).data
    await call('POST', '/api/web/scope-rules', { engagementId, effect: 'allow', pattern: '10.0.0.0/8' })
    const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
    for (const severity of severities)
      await call('POST', '/api/web/results', { engagementId, title: severity, asset: '10.0.0.1', severity })
    await call('POST', '/api/web/results', { engagementId, title: 'Elsewhere', asset: '192.0.2.1', severity: 'low' })
    const { id: me } = (await call('GET', '/api/web/account')).data
    await call('POST', '/api/web/tasks', { engagementId, title: 'Mine', assigneeId: me })
    const path = `/o/${organization.slug}/engagements/${engagementId}`
    await people.signIn(page, organization.owner, `${path}/results?status=open`)
    const grid = page.getByRole('grid', { name: 'Results' })
    await expect(grid.getByRole('row')).toHaveCount(7)
    const pills = new Set<string>()
    for (const severity of severities) {
      const pill = grid.locator(`[data-severity="${severity}"]`).first()
      await expect(pill).toHaveText((severity[0] ?? '').toUpperCase())
      pills.add(await styleOf(pill, 'background-color'))
    }
    expect(pills.size).toBe(severities.length)
    expect(pills).not.toContain('rgba(0, 0, 0, 0)')
    await expect(
      grid
        .getByRole('row', { name: /critical/ })
        .locator('svg[data-tone]')
        .first(),
    ).toBeVisible()
    // In scope is the usual case: it is read out, and not drawn.
    await expect(
      grid.getByRole('row', { name: /Elsewhere/ }).getByText(/^(?:Scope unknown|Unknown|Out of scope)$/),
    ).toBeVisible()
    const inScope = await grid
      .getByRole('row', { name: /critical/ })
      .getByText('In scope', { exact: true })
      .boundingBox()
    expect(inScope?.width).toBeLessThanOrEqual(1)

    // The frame of the list shows the focus, on all four sides.
    await grid.focus()
    await page.keyboard.press('j')
    const scroller = page.locator(':focus')
    expect(await styleOf(scroller, 'outline-style')).toBe('none')
    const frames = await scroller.evaluate((node) => {
      const shadows: string[] = []
      for (let each: Element | null = node; each && each.tagName !== 'MAIN'; each = each.parentElement)
        shadows.push(getComputedStyle(each).boxShadow)
      return shadows.filter((shadow) => shadow !== 'none')
    })
    expect(frames).toHaveLength(1)

    // What is checked in the menu is not moved by its check.
    await page.getByRole('button', { name: 'Display' }).click()
    const items = page.getByRole('menuitem')
    await expect(items.first()).toBeVisible()
    const [left, ...others] = await items
      .locator('.mantine-Menu-itemLabel')
      .evaluateAll((labels) => labels.map((label) => Math.round(label.getBoundingClientRect().left)))
    expect(new Set(others)).toEqual(new Set([left]))
    await page.keyboard.press('Escape')

    await page.goto(`${path}/tasks?view=list`)
    const assignee = page.getByRole('grid').getByRole('row', { name: /Mine/ })
    const initials = assignee.locator('[data-colour]').first()
    await expect(initials).toBeVisible()
    expect(await initials.boundingBox()).toMatchObject({ width: 18, height: 18 })
    expect(await styleOf(initials, 'background-color')).not.toBe('rgba(0, 0, 0, 0)')
  })
}
