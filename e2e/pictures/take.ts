// Takes the pictures; run by scripts/screenshots.mjs. --readme: only those of README.md, into docs/pictures.
// --1024-dark: only that width and theme. Names of pages: only those.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { BROWSER } from '../support/server/browsers.ts'
import { PICTURES, type Picture, type Places } from './pages.ts'
import { prepareReports } from './report-data.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const ORIGIN = process.env['SORTIE_ORIGIN'] ?? ''
/** Accounts of the demonstration: the first one owns the organization. */
const EMAIL = 'ada@northwind.example'
const ENGAGEMENT = 'Contoso external perimeter 2026'
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]
/** Quality of WebP, in percent: README.md's pictures stay below 200 kB. */
const QUALITY = 85

const signIn = async (
  browser: Browser,
): Promise<{ state: Awaited<ReturnType<BrowserContext['storageState']>>; places: Places }> => {
  const context = await browser.newContext({ baseURL: ORIGIN, viewport: SIZES[0] ?? null })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(process.env['SORTIE_PASSWORD'] ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/o\//)
  const organization = /\/o\/[^/?]+/.exec(page.url())?.[0] ?? ''
  await page.goto(`${organization}/engagements`)
  const engagement = (await page.getByRole('link', { name: ENGAGEMENT }).first().getAttribute('href')) ?? ''
  const reports = await prepareReports(context.request, organization.slice(3), engagement.split('/').at(-1) ?? '')
  const state = await context.storageState()
  await context.close()
  return { state, places: { organization, engagement, ...reports } }
}

/** Opens the page of a picture, and waits until it has read everything and stopped moving. */
const show = async (page: Page, { open, act }: Picture, places: Places): Promise<void> => {
  await page.goto(open(places))
  await page.getByRole('main').waitFor()
  await settled(page)
  if (!act) return
  await act(page)
  await settled(page)
}

const settled = async (page: Page): Promise<void> => {
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.mantine-Skeleton-root, [aria-busy="true"]')).toHaveCount(0, { timeout: 20_000 })
  await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))
  })
}

const webp = async (page: Page): Promise<Buffer> => {
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await devtools.detach()
  return Buffer.from(data, 'base64')
}

const isReadme = process.argv.includes('--readme')
const looks = process.argv.filter((argument) => /^--\d+-(light|dark)$/.test(argument))
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = names.filter((wantedName) => !PICTURES.some(({ name }) => name === wantedName))
if (unknown.length > 0) {
  console.error(`There is no page ${unknown.join(', ')}. There are: ${PICTURES.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const wanted = PICTURES.filter(({ name, isInReadme }) =>
  names.length > 0 ? names.includes(name) : !isReadme || isInReadme,
)
for (let wait = 0; wait < 300 && !(await fetch(`${ORIGIN}/api/health`).catch(() => undefined))?.ok; wait++)
  await new Promise((resolve) => setTimeout(resolve, 200))
const browser = await chromium.launch(BROWSER)
const { state, places } = await signIn(browser)
const failed: string[] = []
for (const viewport of isReadme ? SIZES.slice(0, 1) : SIZES) {
  for (const colorScheme of isReadme ? (['light'] as const) : (['light', 'dark'] as const)) {
    if (looks.length > 0 && !looks.includes(`--${viewport.width}-${colorScheme}`)) continue
    const directory = isReadme
      ? path.join(ROOT, 'docs/pictures')
      : path.join(ROOT, 'screenshots', `${viewport.width}-${colorScheme}`)
    mkdirSync(directory, { recursive: true })
    const context = await browser.newContext({
      baseURL: ORIGIN,
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
      storageState: state,
      deviceScaleFactor: isReadme ? 2 : 1,
    })
    const page = await context.newPage()
    for (const picture of wanted) {
      await show(page, picture, places).catch((error: unknown) =>
        failed.push(`${viewport.width} ${colorScheme} ${picture.name}: ${String(error).split('\n')[0]}`),
      )
      if (isReadme) writeFileSync(path.join(directory, `${picture.name}.webp`), await webp(page))
      else await page.screenshot({ path: path.join(directory, `${picture.name}.png`) })
    }
    await context.close()
  }
}
await browser.close()
for (const line of failed) console.error(`Not as wanted: ${line}`)
process.exitCode = failed.length > 0 ? 1 : 0
