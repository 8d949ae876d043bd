import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { everyPage } from './support/every-page.ts'
import { expect, test } from './support/sortie.ts'

const findings = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary?.slice(0, 240)}`).join(' | ')}`)
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no page has a serious accessibility finding in the ${colorScheme} theme`, async ({ page, sortie }) => {
    test.setTimeout(300_000)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found: string[] = []
    for await (const name of everyPage(page, sortie.people)) found.push(...(await findings(page)).map((finding) => `${name}: ${finding}`))
    expect(found).toEqual([])
  })
}
