import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

test('an agent is created with a key that is shown once, stopped, started and deleted', async ({ page, sortie }) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Perimeter' }, organization.id)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/agents`)
  await expect(page.getByRole('heading', { name: 'No agents yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Create agent' }).first().click()
  await page.getByLabel('Name').fill('recon-1')
  await page.getByRole('checkbox', { name: 'Perimeter' }).check()
  await page.getByRole('button', { name: 'Read-only' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create agent' }).click()
  const value = (await page.getByRole('status', { name: 'Key of the agent' }).textContent()) ?? ''
  expect(value).toMatch(/^svc_live_[0-9A-Za-z]{49}$/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  expect(await page.content()).not.toContain(value)
  const ask = async () => (await fetch(`${origin}/api/v1/me`, { headers: { authorization: `Bearer ${value}` } })).status
  expect(await ask()).toBe(200)
  await page.getByRole('button', { name: 'Actions for recon-1' }).click()
  await page.getByRole('menuitem', { name: 'Stop' }).click()
  await page.getByLabel('Reason').fill('The client asked for a pause')
  await page.getByRole('button', { name: 'Stop agent' }).click()
  await expect(page.getByRole('row', { name: /recon-1/ })).toContainText('The client asked for a pause')
  expect(await ask()).toBe(401)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Actions for recon-1' }).click()
  await page.getByRole('menuitem', { name: 'Start' }).click()
  await expect(page.getByRole('row', { name: /recon-1/ })).toContainText('Active')
  expect(await ask()).toBe(200)
  await page.getByRole('button', { name: 'Actions for recon-1' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('recon-1')
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await expect(page.getByRole('heading', { name: 'No agents yet' })).toBeVisible()
  expect(await ask()).toBe(401)
})

test('a member approves a terminal by keyboard, an admin confirms it, and the terminal gets its key', async ({
  page,
  sortie,
}) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const form = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(`${origin}/api/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    return (await answer.json()) as Record<string, string>
  }
  const code = await form('device', { client_id: 'sortie-cli', scope: 'tasks:read wiki:read' })
  const poll = () =>
    form('token', { grant_type: GRANT, client_id: 'sortie-cli', device_code: code['device_code'] as string })
  await people.signIn(page, member, '/device')
  await page.getByLabel('Code').fill((code['user_code'] as string).toLowerCase())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Sign in a terminal?' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('sortie-cli')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await expectAccessible(page)
  await page.getByLabel('Name of the key').fill('laptop')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'An admin has to confirm it' })).toBeVisible()

  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/api-keys`)
  await expect(page.getByRole('row', { name: /laptop/ })).toContainText(member.name)
  await page.getByRole('button', { name: 'Confirm laptop' }).click()
  await expect(page.getByRole('table', { name: 'Sign-ins to confirm' })).toBeHidden()
  expect((await poll())['access_token']).toMatch(/^svc_live_/)
  await page.reload()
  await expect(page.getByRole('row', { name: /laptop/ })).toContainText('login')
})
