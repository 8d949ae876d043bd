import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { reachablePort } from '../support/server/shared-server.ts'
import { expect, test } from '../support/server/sortie.ts'

const VERIFIER = 'v'.repeat(43)

/** Serves the document of a client that returns to the server itself: a page of a test visits no other host. */
const serveClient = async (port: number, redirectUri: string) => {
  const id = `http://127.0.0.1:${port}/client.json`
  const document = { client_id: id, client_name: 'Example Desktop', redirect_uris: [redirectUri] }
  const server = http.createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(document)),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { id, close: () => server.close() }
}

const isWithinWidth = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('a member who is signed out approves a client by keyboard, on a desktop and a phone; once an admin confirms it, the browser returns with a code, and the client gets the key of an agent', async ({
  page,
  otherPage,
  sortie,
}, { parallelIndex }) => {
  const { people, origin } = sortie
  const redirectUri = `${origin}/callback`
  const client = await serveClient(reachablePort(2 * parallelIndex + 1), redirectUri)
  try {
    const organization = await people.organization()
    const member = await people.member(organization, 'member')
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Perimeter' }, organization.id)
    const metadata = await (await fetch(`${origin}/.well-known/oauth-protected-resource/api/mcp`)).json()
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      resource: (metadata as { resource: string }).resource,
      scope: 'tasks:read tasks:write wiki:read',
      state: '1e5',
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/api/oauth/authorize?${query.toString()}`)
    await page.getByLabel('Email').fill(member.email)
    await page.getByLabel('Password', { exact: true }).fill(member.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Connect Example Desktop?' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(new URL(client.id).host)
    await expect(page.getByRole('checkbox', { name: 'Perimeter' })).toBeVisible()
    expect(await isWithinWidth(page)).toBe(true)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expectAccessible(page)
    await expect(page.getByRole('button', { name: 'Approve' })).toBeDisabled()
    // Only what reads is chosen beforehand.
    await expect(page.getByRole('group', { name: 'Scopes' }).getByRole('checkbox', { checked: true })).toHaveCount(2)
    await page.getByRole('checkbox', { name: 'Perimeter' }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('Name of the agent').fill('recon-1')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'An admin has to confirm it' })).toBeVisible()

    await people.signIn(otherPage, organization.owner, `/o/${organization.slug}/settings/api-keys`)
    await expect(otherPage.getByRole('row', { name: /recon-1/ })).toContainText('Example Desktop')
    await otherPage.getByRole('button', { name: 'Confirm recon-1' }).click()
    await page.waitForURL(/\/callback\?/)
    const back = new URL(page.url())
    expect(back.searchParams.get('state')).toBe('1e5')
    const answer = await fetch(`${origin}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: client.id,
        code: back.searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: VERIFIER,
      }),
    })
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer', scope: 'tasks:read wiki:read' })
    await otherPage.goto(`/o/${organization.slug}/settings/agents`)
    await expect(otherPage.getByRole('row', { name: /recon-1/ })).toContainText(member.name)

    // A request that the server refuses stays on the page until the person goes back.
    query.set('code_challenge_method', 'plain')
    await page.goto(`/api/oauth/authorize?${query.toString()}`)
    await expect(page.getByRole('heading', { name: 'This program cannot connect' })).toBeVisible()
    await page.getByRole('button', { name: 'Back to Example Desktop' }).click()
    await page.waitForURL(/\/callback\?error=invalid_request/)
    query.set('redirect_uri', 'https://evil.example/')
    await page.goto(`/api/oauth/authorize?${query.toString()}`)
    await expect(page.getByRole('main')).toContainText('redirect_uri: must be one of those')
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  } finally {
    client.close()
  }
})
