// P16: the interface in a browser with an empty cache: bytes loaded, time to its first list, and a grid of many rows.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from '@playwright/test'
import { DEFAULT_ADMIN_EMAIL } from '../../../server/src/platform/config/auth.ts'
import { ADMIN_PASSWORD } from '../../../server/test/support/app/server-process.ts'
import { signInAsOwner } from '../../../server/test/support/clients/server-clients.ts'
import { atLeast, atMost, type Bench, inRounds, type Measured, msOf, sum } from '../../lib/figure.ts'
import { EVERY_CORE, seedEngagements, seedObjects, startServer } from '../../lib/sortie.ts'

const [ROWS, SCROLL_MS] = [100_000, 2_000]

export const title = `The interface: weight and first content; a grid of ${ROWS.toLocaleString('en')} rows`
export const benchCores = EVERY_CORE

export const measure = async (bench: Bench): Promise<Measured[]> => {
  if (spawnSync('node', ['scripts/build/build-web.mjs']).status !== 0)
    throw new Error('the web interface could not be built')
  const DATABASE_URL = await bench.database()
  const { origin } = await startServer(bench, { env: { DATABASE_URL } })
  const organizationId = (await signInAsOwner(origin)).headers['x-organization'] as string
  const engagementId = await seedEngagements(DATABASE_URL, organizationId, 1)
  await seedObjects(DATABASE_URL, organizationId, engagementId, ROWS)
  const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((file) => existsSync(file))
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  bench.stage.add(() => browser.close())
  const signIn = { data: { email: DEFAULT_ADMIN_EMAIL, password: ADMIN_PASSWORD }, headers: { origin } }
  const taken = await inRounds(bench.rounds, async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.request.post(`${origin}/api/auth/sign-in/email`, signIn)
    const page = await context.newPage()
    const scripts: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script')
        scripts.push(response.body().then((body) => gzipSync(body).length))
    })
    const firstMs = await msOf(async () => {
      await page.goto(origin, { waitUntil: 'commit' })
      await page.getByRole('link', { name: 'Engagement 1' }).waitFor()
    })
    const kb = sum(await Promise.all(scripts)) / 1_000
    await page.goto(`${page.url()}/${engagementId}/targets`)
    await page.getByRole('row').nth(20).waitFor()
    const frames = await scroll(page)
    await page.keyboard.press('/')
    await page.keyboard.type('kind:cloud')
    const filterMs = await msOf(async () => {
      await page.keyboard.press('Enter')
      await page.getByText(/^\d[\d,]* targets$/).waitFor()
    })
    await context.close()
    return { kb, firstMs, frames, filterMs }
  })
  return [
    atMost('JavaScript of shell and first list, gzipped', 200, 'kB', taken.kb),
    atMost('first content, nothing cached', 1_000, 'ms', taken.firstMs),
    atMost(`filter ${ROWS.toLocaleString('en')} rows`, 300, 'ms', taken.filterMs),
    atLeast('frames while scrolling', 50, 'a second', taken.frames),
  ]
}

/** Frames per second while scrolling. */
const scroll = async (page: Page): Promise<number> => {
  await page.mouse.move(700, 500)
  const counted = page.evaluate<number>(`(async () => {
    let frames = 0
    for (const end = performance.now() + ${SCROLL_MS}; performance.now() < end; frames++) await new Promise(requestAnimationFrame)
    return frames
  })()`)
  for (const end = performance.now() + SCROLL_MS; performance.now() < end;) await page.mouse.wheel(0, 120)
  return (await counted) / (SCROLL_MS / 1_000)
}
