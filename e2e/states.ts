import { everyPage } from './support/pages/every-page.ts'
import { test } from './support/server/sortie.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

for (const viewport of SIZES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${viewport.width} ${colorScheme}`, async ({ page, sortie }) => {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      for await (const name of everyPage(page, sortie.people)) {
        await page.screenshot({
          path: `test-results/states/${viewport.width}-${colorScheme}/${name}.png`,
          fullPage: viewport.width < 500,
        })
      }
    })
  }
}
