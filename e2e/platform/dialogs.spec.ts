import { chromium } from '@playwright/test'
import { BROWSER } from '../support/server/browsers.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('Back after creating an engagement leads to the list, and opens no empty dialog', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('button', { name: 'New engagement' }).first().click()
  await page.getByLabel('Name').fill('Just created')
  await page.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { name: 'Just created' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Just created' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/o/${organization.slug}/engagements$`))
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const [name, path, command] of [
  ['New engagement', 'engagements', 'create an engagement'],
  ['Invite people', 'settings/members', 'invite people'],
  ['Claim a domain', 'settings/domains', undefined],
  ['Create API key', 'settings/api-keys', 'create an api key'],
] as const) {
  nightly(
    `the dialog "${name}" is not a step in the history: Back after it leads to the page before`,
    async ({ page, sortie }) => {
      const { people } = sortie
      const organization = await people.organization()
      await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/general`)
      await expect(page.getByRole('heading', { name: 'General', exact: true })).toBeVisible()
      await page.goto(`/o/${organization.slug}/${path}`)
      const dialog = page.getByRole('dialog', { name })
      await page.getByRole('button', { name }).first().click()
      await expect(dialog).toBeVisible()
      await expect(page).toHaveURL(/=true/)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page).not.toHaveURL(/=true/)
      if (command) {
        await page.keyboard.press('Control+k')
        await page.keyboard.type(command)
        await page.keyboard.press('Enter')
        await expect(dialog).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
      }
      await page.goBack()
      await expect(page.getByRole('heading', { name: 'General', exact: true })).toBeVisible()
      await expect(dialog).toHaveCount(0)
    },
  )
}

test('the page behind one dialog and behind two keeps its place, and the gutter of its scrollbar their colour', async ({
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  // Playwright hides scrollbars otherwise, and with them their width.
  const browser = await chromium.launch({ ...BROWSER, ignoreDefaultArgs: ['--hide-scrollbars'] })
  const page = await browser.newPage({
    baseURL: sortie.origin,
    viewport: { width: 1000, height: 500 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/domains`)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
  await page.getByRole('main').evaluate((main) => {
    main.style.minHeight = '2000px'
  })
  const bar = await page.evaluate(() => window.innerWidth - document.documentElement.clientWidth)
  expect(bar).toBeGreaterThan(0)
  const places = [await heading.boundingBox()]
  /** Colours of the page next to the gutter, and of the gutter. */
  const edge = async () => {
    const png = (await page.screenshot()).toString('base64')
    return page.evaluate(
      async ([data, width]) => {
        const image = new Image()
        image.src = `data:image/png;base64,${data}`
        await image.decode()
        const pen = Object.assign(document.createElement('canvas'), {
          width: image.width,
          height: image.height,
        }).getContext('2d') as CanvasRenderingContext2D
        pen.drawImage(image, 0, 0)
        const at = (x: number) => [...pen.getImageData(x, 480, 1, 1).data]
        return [at(image.width - width - 4), at(image.width - 4)]
      },
      [png, bar] as const,
    )
  }
  await page.getByRole('button', { name: 'Claim a domain' }).first().click()
  await page.getByRole('textbox', { name: 'Domain' }).fill('contoso.example')
  places.push(await heading.boundingBox())
  const [one, oneGutter] = await edge()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Discard your changes?' })).toBeVisible()
  places.push(await heading.boundingBox())
  const [two, twoGutter] = await edge()
  await browser.close()
  expect(places[1]).toEqual(places[0])
  expect(places[2]).toEqual(places[0])
  expect(oneGutter).toEqual(one)
  expect(twoGutter).toEqual(two)
})
