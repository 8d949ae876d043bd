import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { escapeHtml } from '../../../src/platform/text/text.ts'
import { RECOGNITION_CASES } from '../../../src/published/recognition-cases.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { DOCUMENT } from '../../support/document/check-document.ts'

let app: TestApp
let html: string
let policy: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  const response = await app.anonymous.get('/api/docs')
  html = response.text
  policy = response.headers.get('content-security-policy') ?? ''
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
})
afterAll(() => app.close())

test('the reference page shows every operation and every decision', () => {
  const ids = Object.values(DOCUMENT.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  for (const id of [...ids, ...DOCUMENT['x-decisions'].map(({ openPoint }) => `open-point-${openPoint}`)])
    expect(html).toContain(`id="${id}"`)
})

test('the reference page shows the table of recognised values', () => {
  for (const { value } of RECOGNITION_CASES) expect(html).toContain(`<tr><td><code>${escapeHtml(value)}</code></td>`)
})

test('the reference page has no script and loads nothing: its policy allows only its own style', () => {
  const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] as string
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(html).not.toMatch(/<script|<iframe|<img|\son\w+=|\sstyle=|\ssrc=|@import|url\(/i)
  expect([...html.matchAll(/<link [^>]*>/g)].map(([link]) => link)).toEqual(['<link rel="icon" href="data:,">'])
})

test('every operation has a curl command with a complete path and an example body', () => {
  const commands = [...html.matchAll(/<code>(curl [^<]*)<\/code>/g)].map(([, command]) =>
    (command as string).replaceAll('&amp;', '&').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  )
  const operations = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  expect(commands).toHaveLength(operations.length)
  for (const { path, method } of operations) {
    const pattern = new RegExp(
      `^curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"\\$BASE${path.replace(/\{\w+\}/g, '(?:[a-z]{3}_\\w{26}|\\d+|pdf)')}(?:\\?\\w+=[\\w.%-]+(?:&\\w+=[\\w.%-]+)*)?"`,
    )
    expect(
      commands.some((command) => pattern.test(command)),
      `${method} ${path}`,
    ).toBe(true)
  }
})

test('every link of the reference page leads to a place on it, or to the document', () => {
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  const links = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href as string)
  expect(links.length).toBeGreaterThan(30)
  for (const link of links) expect(link === 'v1/openapi.json' || ids.includes(link.slice(1)), link).toBe(true)
})
