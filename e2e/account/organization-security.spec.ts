import { createStage } from '../../server/test/support/app/server-process.ts'
import { DnsServer } from '../../server/test/support/network/dns-server.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import { sharedServer } from '../support/server/shared-server.ts'
import { expect, startSortie, test } from '../support/server/sortie.ts'

test("M13: requiring a second factor needs the user's own, lists the locked-out members, and applies to live sessions at once", async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { owner, slug, name } = organization
  const member = await people.member(organization, 'member')
  await people.signIn(page, owner, `/o/${slug}/settings/security`)
  const demand = page.getByRole('switch', { name: 'Require two-factor authentication' })
  await expect(demand).toBeDisabled()
  await expect(page.getByRole('link', { name: 'set up your own' })).toHaveAttribute('href', '/account/second-factor')

  const secret = await people.enrol(owner)
  await people.signInWithCode(page, owner, secret)
  await people.signIn(otherPage, member, `/o/${slug}/engagements`)
  await expect(otherPage.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await page.goto(`/o/${slug}/settings/security`)
  await expect(page.getByText('1 of 2 members have none.')).toBeVisible()
  await demand.press('Space')
  const dialog = page.getByRole('dialog', { name: 'Require two-factor authentication of everyone?' })
  await expect(dialog).toContainText(`One member has none and loses access to ${name} at once`)
  await expect(dialog.getByRole('listitem')).toHaveText(`${member.name} (${member.email})`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(demand).not.toBeChecked()
  await demand.press('Space')
  await dialog.getByRole('button', { name: 'Require it' }).click()
  await expect(page.getByText('Two-factor authentication is required now.')).toBeVisible()
  await expect(demand).toBeChecked()

  await otherPage.getByRole('link', { name: 'Settings' }).click()
  await expect(otherPage.getByRole('heading', { name: `${name} requires two-factor authentication` })).toBeVisible()
  await otherPage.getByRole('link', { name: 'Set up two-factor authentication' }).click()
  await expect(otherPage.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
  const own = await people.enrol(member)
  await people.signInWithCode(otherPage, member, own)
  await otherPage.goto(`/o/${slug}/settings/general`)
  await expect(otherPage.getByText('Required of every member')).toBeVisible()
  await page.reload()
  await expect(page.getByText('All 2 members have two-factor authentication.')).toBeVisible()
  await demand.press('Space')
  await page.getByRole('dialog').getByRole('button', { name: 'Stop requiring it' }).click()
  await expect(demand).not.toBeChecked()
})

test('M11: a domain is claimed, proved by its TXT record and switched on; a user with an address there joins by signing in', async ({
  page,
  otherPage: arriving,
  sortie: { people },
}) => {
  const dns = await DnsServer.start('127.0.0.1', sharedServer().dnsPort)
  try {
    const [organization, elsewhere] = [await people.organization(), await people.organization('Elsewhere')]
    const { slug, owner } = organization
    const domain = `${people.unique('consultants')}.example.net`
    const person = await people.member(elsewhere, 'member', 'Nora', domain)
    await people.signIn(page, owner, `/o/${slug}/settings/security`)
    const join = page.getByRole('switch', { name: 'Let people with verified domains join' })
    await expect(join).toBeDisabled()
    await page.getByRole('link', { name: 'verify a domain' }).click()
    await expect(page.getByRole('heading', { name: 'No domains yet' })).toBeVisible()

    await page.getByRole('button', { name: 'Claim a domain' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('gmail.com')
    await page.getByRole('textbox', { name: 'Domain' }).press('Enter')
    await expect(page.getByText('Anyone can get an address at gmail.com, so it cannot be claimed.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Domain' }).fill(`somebody@${domain}`)
    await page.getByRole('button', { name: 'Claim', exact: true }).click()
    await expect(page.getByRole('heading', { name: domain })).toBeVisible()
    await expect(page.getByText('Not checked yet')).toBeVisible()

    await page.getByRole('button', { name: `Check now: ${domain}` }).click()
    await expect(page.getByText('Record not found', { exact: true })).toBeVisible()
    const [name, value] = await page
      .locator('code')
      .filter({ hasText: /^(?!TXT)/ })
      .allTextContents()
    expect(name).toBe(`_sortie-challenge.${domain}`)
    dns.texts.set(name as string, [value as string])
    await page.getByRole('button', { name: `Check now: ${domain}` }).click()
    await expect(page.getByText('Verified', { exact: true })).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Security' }).last().click()
    await join.press('Space')
    await expect(page.getByRole('dialog')).toContainText(
      `an address at ${domain} becomes a member of ${organization.name}`,
    )
    await page.getByRole('button', { name: 'Let them join' }).click()
    await expect(join).toBeChecked()

    await people.signIn(arriving, person, `/o/${slug}/engagements`)
    await expect(arriving.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
    await visit(page, `/o/${slug}/settings/members`)
    await expect(page.getByRole('combobox', { name: `Role of ${person.name}` })).toHaveValue('Member')

    await visit(page, `/o/${slug}/settings/domains`)
    await page.getByRole('button', { name: `Remove ${domain}` }).click()
    await expect(page.getByRole('dialog')).toContainText(
      'It is the last verified domain: joining by domain is switched off with it.',
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText(`Removed ${domain}. Joining by domain is now off.`)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No domains yet' })).toBeVisible()
  } finally {
    await dns.stop()
  }
})

nightly('a refusal of the server is shown at its control: the proof has ended', async ({ browser }) => {
  const stage = createStage()
  const dns = await DnsServer.start()
  stage.add(() => dns.stop())
  try {
    const { people, origin } = await startSortie(stage, { DNS_SERVERS: dns.address })
    const organization = await people.organization()
    const domains = '/api/web/organizations/current/domains'
    const as = (method: string, path: string, body?: unknown) =>
      people.call(organization.owner, method, path, body, organization.id)
    const { id, recordName, recordValue } = (await as('POST', domains, { domain: 'vanishing.example.net' })).body.data
    dns.texts.set(recordName, [recordValue])
    expect((await as('POST', `${domains}/${id}/check`)).body.data.proved).toBe(true)
    const context = await browser.newContext({ baseURL: origin })
    const page = await context.newPage()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/security`)
    await page.getByRole('switch', { name: 'Let people with verified domains join' }).press('Space')
    await expect(page.getByRole('dialog')).toBeVisible()
    await as('DELETE', `${domains}/${id}`)
    await page.getByRole('button', { name: 'Let them join' }).click()
    await expect(page.getByRole('dialog').getByText('Verify a domain first.')).toBeVisible()
    await context.close()
  } finally {
    await stage.close()
  }
})

test('S9: a member who lost the second factor signs in again after an administrator has reset it, and learns by mail who did', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { owner, slug } = organization
  const member = await people.member(organization, 'member')
  const own = await people.enrol(member)
  await people.signInWithCode(otherPage, member, own)
  await otherPage.goto(`/o/${slug}/engagements`)
  await expect(otherPage.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()

  const ofOwner = await people.enrol(owner)
  await people.signInWithCode(page, owner, ofOwner)
  await page.goto(`/o/${slug}/settings/members`)
  const row = page.getByRole('row', { name: member.email })
  await expect(row).toContainText('On')
  await page.getByRole('button', { name: `Actions for ${member.name}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Reset two-factor authentication' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: `Reset the two-factor authentication of ${member.name}?` })
  await expect(dialog).toContainText('signed out everywhere at once')
  await expectAccessible(page)
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByLabel('Code').fill(ofOwner.recoveryCodes[0] as string)
  await dialog.getByLabel('Code').press('Enter')
  await expect(dialog.getByText('Is not right.')).toBeVisible()
  await dialog.getByLabel('Your password').fill(owner.password)
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(page.getByText(`Two-factor authentication of ${member.name} reset.`)).toBeVisible()
  await expect(row).toContainText('Off')

  await otherPage.reload()
  await expect(otherPage.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
  await otherPage.getByLabel('Email').fill(member.email)
  await otherPage.getByLabel('Password', { exact: true }).fill(member.password)
  await otherPage.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(otherPage.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  const mail = await people.mail(member.email, 'An administrator has removed')
  expect(mail).toContain(`${owner.name} of ${organization.name} did this`)
})

nightly(
  'A1: the admin of one organization cannot reset the second factor of an account in another one',
  async ({ page, sortie }) => {
    const { people } = sortie
    const [mine, foreign] = [await people.organization(), await people.organization('Foreign')]
    await people.call(
      mine.owner,
      'POST',
      '/api/web/organizations/current/members/invite',
      { email: foreign.owner.email, role: 'member' },
      mine.id,
    )
    await people.signIn(page, foreign.owner, `/o/${foreign.slug}/engagements`)
    await page.goto(await people.mailedLink(foreign.owner.email, 'invitations/accept'))
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
    await people.enrol(foreign.owner)

    await page.context().clearCookies()
    await people.signInWithCode(page, mine.owner, await people.enrol(mine.owner))
    await page.goto(`/o/${mine.slug}/settings/members`)
    await page.getByRole('button', { name: `Actions for ${foreign.owner.name}` }).click()
    await page.getByRole('menuitem', { name: 'Reset two-factor authentication' }).click()
    await page.getByLabel('Your password').fill(mine.owner.password)
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('This account has access beyond what you administer.')
    expect(await page.locator('body').innerText()).not.toContain(foreign.name)
  },
)
