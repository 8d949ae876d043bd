import { accessibilityFindings } from './support/accessible.ts'
import { everyPage } from './support/every-page.ts'
import { expect, test } from './support/sortie.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no page has a serious accessibility finding in the ${colorScheme} theme`, async ({ page, sortie }) => {
    test.setTimeout(300_000)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found: string[] = []
    for await (const name of everyPage(page, sortie.people)) found.push(...(await accessibilityFindings(page)).map((finding) => `${name}: ${finding}`))
    expect(found).toEqual([])
  })
}
