import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createStage, SESSION_SECRET } from '../../server/test/support/app/server-process.ts'
import { rawRequest, sendRaw } from '../../server/test/support/network/raw-http.ts'
import { nightly } from '../support/server/nightly.ts'
import { ADMINISTRATOR } from '../support/server/people.ts'
import { expect, startSortie, test } from '../support/server/sortie.ts'

const DIST = new URL('../../web/dist/', import.meta.url)
const assets = () => readdirSync(new URL('assets/', DIST))

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-src 'self'; frame-ancestors 'none'"

test('C2, C4, C5, C6: a page has its policy, no caching, and the rate headers', async ({ request }) => {
  for (const path of ['/', '/sign-in', '/o/anything/engagements', '/nowhere']) {
    const response = await request.get(path, { headers: { accept: 'text/html' } })
    expect(response.status()).toBe(200)
    const headers = response.headers()
    expect(headers['content-security-policy']).toBe(PAGE_POLICY)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['x-ratelimit-limit']).toMatch(/^\d+$/)
  }
})

test('every address outside of the API and files answers with the page, for browsers, for curl and for clients without an Accept type', async ({
  sortie,
}) => {
  const ask = async (line: string, accept: string | undefined) => {
    const headers = ['Connection: close', ...(accept === undefined ? [] : [`Accept: ${accept}`])]
    const { responses } = await sendRaw(sortie.origin, rawRequest(`${line} HTTP/1.1`, headers), { headOnly: true })
    return [responses[0]?.status, responses[0]?.headers['content-type']]
  }
  const page = [200, 'text/html; charset=utf-8']
  const json = [404, 'application/json; charset=utf-8']
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  for (const path of ['/', '/sign-in', '/o/anything/engagements?page=2', '/nowhere', '/apiary', '//nowhere']) {
    for (const method of ['GET', 'HEAD']) {
      for (const accept of [undefined, '', '*/*', browser, 'text/plain', 'application/json, text/html']) {
        expect([path, accept, ...(await ask(`${method} ${path}`, accept))]).toEqual([path, accept, ...page])
      }
      for (const accept of ['application/json', 'application/json, */*', 'application/problem+json']) {
        expect([path, accept, ...(await ask(`${method} ${path}`, accept))]).toEqual([path, accept, ...json])
      }
    }
    expect(await ask(`POST ${path}`, browser)).toEqual(json)
  }
  for (const path of [
    '/api',
    '/api/nowhere',
    '/api/v1/nowhere',
    '/API/v1/members',
    '//api/v1',
    `${sortie.origin}/api/nowhere`,
  ]) {
    for (const accept of [undefined, '*/*', browser])
      expect([path, ...(await ask(`GET ${path}`, accept))]).toEqual([path, ...json])
  }
})

test('C5: hashed files never change, and a missing one is 404, not the page', async ({ request }) => {
  const script = assets().find((name) => name.endsWith('.js')) as string
  const there = await request.get(`/assets/${script}`)
  expect(there.status()).toBe(200)
  expect(there.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(there.headers()['x-ratelimit-limit']).toMatch(/^\d+$/)
  for (const path of [
    '/assets/gone-12345678.js',
    '/assets/%2e%2e%2findex.html',
    '/assets/',
    '/assets',
    `/assets/${script}.br`,
  ]) {
    const gone = await request.get(path, { headers: { accept: 'text/html' } })
    expect(gone.status(), path).toBe(404)
    expect(gone.headers()['content-type']).toContain('application/json')
  }
  const api = await request.get('/api/nowhere', { headers: { accept: 'text/html' } })
  expect(api.status()).toBe(404)
  expect(api.headers()['content-type']).toContain('application/json')
})

test('a file has the smallest of its encodings that the client accepts, and the same content in each', async ({
  request,
}) => {
  const script = assets().find((name) => name.endsWith('.js') && assets().includes(`${name}.br`)) as string
  const plain = readFileSync(new URL(`assets/${script}`, DIST), 'utf8')
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ]) {
    const answer = await request.get(`/assets/${script}`, { headers: { 'accept-encoding': accepted as string } })
    expect(answer.headers()['content-encoding'], accepted).toBe(encoding)
    expect(answer.headers()['vary']?.toLowerCase()).toBe('accept-encoding')
    expect(answer.headers()['content-type']).toBe('text/javascript; charset=utf-8')
    expect(await answer.text()).toBe(plain)
  }
  const head = await request.head(`/assets/${script}`, { headers: { 'accept-encoding': 'identity' } })
  expect(head.headers()['content-length']).toBe(String(Buffer.byteLength(plain)))
})

nightly('pages and files are not counted against the rate limit', async ({ request }) => {
  const stage = createStage()
  try {
    const { origin } = await startSortie(stage, {})
    const page = () => request.get(`${origin}/sign-in`, { headers: { accept: 'text/html' } })
    const remaining = async () => Number((await page()).headers()['x-ratelimit-remaining'])
    const before = await remaining()
    for (let index = 0; index < 5; index++) await page()
    expect(await remaining()).toBe(before)
    await request.get(`${origin}/api/auth/mode`)
    expect(await remaining()).toBe(before - 1)
  } finally {
    await stage.close()
  }
})

test('C8: the build contains no secret, no source map and no address of another host to load from', () => {
  const names = assets()
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => name.endsWith('.map'))).toEqual([])
  for (const name of names.filter((candidate) => /\.(?:js|css)$/.test(candidate))) {
    const text = readFileSync(new URL(`assets/${name}`, DIST), 'utf8')
    expect(text, name).not.toContain('sourceMappingURL=')
    for (const secret of [SESSION_SECRET, ADMINISTRATOR.password, 'SESSION_SECRET'])
      expect(text, name).not.toContain(secret)
  }
  expect(readFileSync(new URL('index.html', DIST), 'utf8')).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
})

test('the sign-in page loads less than 215 kB of compressed JavaScript', async ({ page }) => {
  const scripts = new Set<string>()
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.add(new URL(response.url()).pathname)
  })
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(scripts.size).toBeGreaterThan(0)
  const bytes = [...scripts].reduce(
    (sum, path) => sum + gzipSync(readFileSync(new URL(`.${path}`, DIST)), { level: 9 }).length,
    0,
  )
  expect(bytes).toBeLessThan(215_000)
})

test('C5: after signing out, the back button shows no earlier content', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization('Confidential')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/general`)
  await expect(page.getByLabel('Name')).toHaveValue(organization.name)
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
  expect(await page.content()).not.toContain(organization.name)
})

test('C1, C2, C3: another site can neither write with the cookie, nor read, nor frame a page', async ({
  browser,
  sortie,
}) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  const other = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>elsewhere</title>'),
  )
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve)
  })
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await people.signIn(page, organization.owner, origin)
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    const outcome = await page.evaluate(
      async ({ origin, id }) => {
        const attempt = async (init: RequestInit) => {
          try {
            return (await fetch(`${origin}/api/web/organizations/current`, { credentials: 'include', ...init })).status
          } catch {
            return 'refused'
          }
        }
        const headers = { 'content-type': 'application/json', 'x-organization': id }
        const frame = document.createElement('iframe')
        frame.src = `${origin}/sign-in`
        document.body.append(frame)
        await new Promise((resolve) => {
          frame.addEventListener('load', resolve)
        })
        return [
          await attempt({ headers: { 'x-organization': id } }),
          await attempt({ method: 'PATCH', headers, body: '{"name":"taken over"}' }),
          await attempt({ method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"name":"taken over"}' }),
          frame.contentDocument?.querySelector('form') ? 'framed' : 'not framed',
        ]
      },
      { origin, id: organization.id },
    )
    expect(outcome).toEqual(['refused', 'refused', 'refused', 'not framed'])
    const after = await people.call(
      organization.owner,
      'GET',
      '/api/web/organizations/current',
      undefined,
      organization.id,
    )
    expect(after.body.data.name).toBe(organization.name)
  } finally {
    await context.close()
    await new Promise((resolve) => other.close(resolve))
  }
})

test('S1: scripts cannot read the session cookie, and each sign-in makes another one', async ({
  page,
  context,
  sortie,
}) => {
  const { people } = sortie
  const { owner } = await people.organization()
  await people.signIn(page, owner)
  const [first] = await context.cookies()
  expect(first).toMatchObject({ name: 'sid', httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await people.signIn(page, owner)
  const [second] = await context.cookies()
  expect(second?.value).not.toBe(first?.value)
})
