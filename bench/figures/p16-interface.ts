import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from '@playwright/test'
import { atLeast, atMost, type Figure } from '../lib/figure.ts'
import { seedObjects } from '../lib/seed-objects.ts'
import { signIn, startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const ROWS = 100_000
const SCROLL_MS = 2_000

export const p16: Figure = {
  name: 'P16',
  title: `The interface: weight and first content; a grid of ${ROWS.toLocaleString('en')} rows`,
  measure: async (bench) => {
    if (spawnSync('node', ['scripts/build-web.mjs']).status !== 0) throw new Error('the web interface could not be built')
    const url = await bench.database.createMigrated('p16')
    const sortie = await startSortie(url)
    const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((file) => existsSync(file))
    const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
    try {
      const { organizationId, cookie } = await signIn(sortie.origin)
      const engagementId = await seedObjects(url, { id: organizationId, keyId: '', headers: { authorization: '' } }, ROWS)
      const firsts = { kb: [] as number[], ms: [] as number[] }
      const grids = { ms: [] as number[], frames: [] as number[] }
      for (let round = 0; round < bench.rounds; round++) {
        const page = await openPage(browser, sortie.origin, cookie)
        const { kb, ms } = await openFirstList(page, sortie.origin)
        firsts.kb.push(kb)
        firsts.ms.push(ms)
        await page.goto(`${page.url()}/${engagementId}/targets`)
        await page.getByRole('row').nth(20).waitFor()
        grids.frames.push(await scroll(page))
        grids.ms.push(await filter(page))
        await page.context().close()
      }
      return [
        atMost('JavaScript of shell and first list, gzipped', 200, 'kB', spread(firsts.kb)),
        atMost('first content, nothing cached', 1_000, 'ms', spread(firsts.ms)),
        atMost(`filter ${ROWS.toLocaleString('en')} rows`, 300, 'ms', spread(grids.ms)),
        { ...atLeast('frames while scrolling', 50, spread(grids.frames)), unit: 'a second' },
      ]
    } finally {
      await browser.close()
      await sortie.stop()
    }
  },
}

/** In a browser that has seen nothing yet. */
const openPage = async (browser: Browser, origin: string, cookie: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const cookies = cookie.split('; ').map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1), url: origin }))
  await context.addCookies(cookies)
  return context.newPage()
}

/** From the address bar to the first row. */
const openFirstList = async (page: Page, origin: string): Promise<{ kb: number; ms: number }> => {
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body().then((body) => gzipSync(body).length))
  })
  const started = performance.now()
  await page.goto(origin, { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'Large' }).waitFor()
  const ms = performance.now() - started
  const sizes = await Promise.all(scripts)
  return { kb: sizes.reduce((sum, size) => sum + size, 0) / 1_000, ms }
}

/** From Enter to the rows that match. */
const filter = async (page: Page): Promise<number> => {
  await page.keyboard.press('/')
  await page.keyboard.type('kind:cloud')
  const started = performance.now()
  await page.keyboard.press('Enter')
  await page.getByText(/^\d[\d,]* targets$/).waitFor()
  return performance.now() - started
}

/** Frames a second while the wheel turns. */
const scroll = async (page: Page): Promise<number> => {
  await page.mouse.move(700, 500)
  const counted = page.evaluate<number>(
    `(async () => {
      let frames = 0
      for (const end = performance.now() + ${SCROLL_MS}; performance.now() < end; frames++) await new Promise(requestAnimationFrame)
      return frames
    })()`,
  )
  const started = performance.now()
  while (performance.now() - started < SCROLL_MS) await page.mouse.wheel(0, 120)
  return (await counted) / (SCROLL_MS / 1_000)
}
