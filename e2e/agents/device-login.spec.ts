import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from '../support/server/sortie.ts'

let home: string

test.beforeAll(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'sortie-terminal-'))
})
test.afterAll(() => rmSync(home, { recursive: true }))

/** The command line on a terminal of its own. */
const onTerminal = (args: readonly string[]) => {
  const command = [process.execPath, path.join(home, 'sortie.mjs'), ...args].map((word) => `"${word}"`).join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
  })
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve)
  })
  return { ended, shown: () => shown }
}

test('a person downloads the command line, signs it in with the link that it shows, uses it, and signs it out', async ({
  page,
  sortie,
}) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Perimeter' }, organization.id)
  writeFileSync(path.join(home, 'sortie.mjs'), Buffer.from(await (await fetch(`${origin}/api/cli`)).arrayBuffer()))
  const login = onTerminal(['login', origin])
  await expect.poll(login.shown).toMatch(/enter the code [A-Z]{4}-[A-Z]{4}/)
  const [, link = ''] = /(https?:\/\/\S*\/device\S*)/.exec(login.shown()) ?? []
  const [, code = ''] = /enter the code ([A-Z]{4}-[A-Z]{4})/.exec(login.shown()) ?? []

  await people.signIn(page, organization.owner, new URL(link).pathname)
  await page.getByLabel('Code').fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Sign in a terminal?' })).toBeVisible()
  await page.getByLabel('Name of the key').fill('laptop')
  await page.keyboard.press('Enter')
  expect(await login.ended, login.shown()).toBe(0)
  expect(login.shown()).toContain(`Signed in to ${origin}`)
  expect(login.shown()).not.toContain('svc_live_')

  const list = onTerminal(['engagements', 'list'])
  expect(await list.ended, list.shown()).toBe(0)
  expect(list.shown()).toContain('Perimeter')
  await page.goto(`/o/${organization.slug}/settings/api-keys`)
  await expect(page.getByRole('row', { name: /laptop/ })).toContainText('login')
  const logout = onTerminal(['logout'])
  expect(await logout.ended, logout.shown()).toBe(0)
  await expect(page.getByRole('row', { name: /laptop/ })).toBeHidden()
  expect(await onTerminal(['whoami']).ended).toBe(5)
})
