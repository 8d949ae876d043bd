import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkDomainAgain } from '../../../src/features/organizations/domains/domains.jobs.ts'
import { PASSWORD, type TestApp, type TestOrganization, testApp, tokenOf } from '../../support/app/test-app.ts'
import { DnsServer } from '../../support/network/dns-server.ts'

const DOMAINS = '/api/web/organizations/current/domains'
const SETTINGS = '/api/web/organizations/current/settings'
const MEMBERS = '/api/web/organizations/current/members'
const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let dns: DnsServer
let count = 0

beforeAll(async () => {
  dns = await DnsServer.start()
  app = await testApp({ env: { DNS_SERVERS: dns.address } })
})
afterAll(async () => {
  await app.close()
  await dns.stop()
})

const newDomain = () => `company-${process.pid}-${++count}.example.org`

/** The owner signs in again after the clock has moved by days. */
const ownerOf = (organization: TestOrganization) => app.signIn(organization.owner, organization.id)

const claim = async (organization: TestOrganization, domain: string) => {
  const owner = await ownerOf(organization)
  const answer = await owner.post(DOMAINS, { domain })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.data as { id: string; recordName: string; recordValue: string }
}

/** Claims the domain and publishes its record. */
const prove = async (organization: TestOrganization, domain: string) => {
  const claimed = await claim(organization, domain)
  dns.texts.set(claimed.recordName, [...(dns.texts.get(claimed.recordName) ?? []), claimed.recordValue])
  const owner = await ownerOf(organization)
  const answer = await owner.post(`${DOMAINS}/${claimed.id}/check`)
  if (!answer.body.data?.proved) throw new Error(answer.text)
  return claimed
}

/** An organization with automatic joining for its own domain. */
const open = async () => {
  const [organization, domain] = [await app.createOrganization(), newDomain()]
  const claimed = await prove(organization, domain)
  const switched = await (await ownerOf(organization)).patch(SETTINGS, { domainAutoJoin: true })
  if (switched.status !== 200) throw new Error(switched.text)
  return { organization, domain, ...claimed }
}

const personAt = async (domain: string) => {
  const user = await app.createUser()
  const email = `person.${++count}@${domain}`
  await app.db.updateTable('users').set({ email, email_key: email }).where('id', '=', user.id).execute()
  return { ...user, email }
}

/** Signs in and returns the organizations that the user belongs to afterwards. */
const arrive = async (user: { id: string; name: string; email: string }): Promise<string[]> => {
  const client = await app.signIn(user)
  return (await client.get('/api/web/organizations')).body.data.map(({ id }: { id: string }) => id)
}

/** The token of the user's invitation in the received mails. */
const invitationOf = async ({ email }: { email: string }): Promise<string> => {
  for (;;) {
    const mail = await app.nextMail(email)
    if (mail.text?.includes('token=')) return tokenOf(mail)
  }
}

const statusOf = async (organization: TestOrganization) => {
  const owner = await ownerOf(organization)
  const [{ body: list }, { body }] = await Promise.all([
    owner.get(DOMAINS),
    owner.get('/api/web/organizations/current'),
  ])
  return {
    proved: list.data.map(({ proved }: { proved: boolean }) => proved),
    autoJoin: body.data.settings.domainAutoJoin as boolean,
  }
}

describe('claiming a domain', () => {
  test('M11: counts only once the TXT record with its value is found', async () => {
    const [organization, domain] = [await app.createOrganization(), newDomain()]
    const owner = await ownerOf(organization)
    const { id, recordName, recordValue } = await claim(organization, `  ${domain.toUpperCase()}. `)
    expect(recordName).toBe(`_sortie-challenge.${domain}`)
    expect(recordValue).toMatch(/^[\w-]{43}$/)
    const check = async () => (await owner.post(`${DOMAINS}/${id}/check`)).body.data
    expect(await check()).toMatchObject({ domain, proved: false, checkResult: 'missing' })
    dns.texts.set(domain, [recordValue])
    dns.texts.set(recordName, ['something else', `${recordValue}x`])
    expect(await check()).toMatchObject({ proved: false, checkResult: 'missing' })
    dns.failing.add(recordName)
    expect(await check()).toMatchObject({ proved: false, checkResult: 'unanswered' })
    dns.failing.delete(recordName)
    dns.texts.set(recordName, ['something else', recordValue])
    expect(await check()).toMatchObject({ proved: true, contested: false, checkResult: 'found' })
    const { body } = await owner.get('/api/web/audit')
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['domain.claimed', 'domain.proved']),
    )
  })

  test.each([
    'gmail.com',
    'GMX.de',
    'yahoo.co.uk',
    'fastmail.com',
    'mailbox.gmail.com',
    'ｇmail.com',
    'com',
    '192.0.2.7',
    'a b.com',
    'http://contoso.com',
    'contoso..com',
    '@contoso.com',
    '',
  ])('M11: refuses %j: a public mail domain, or not a domain', async (domain) => {
    const owner = await app.signedIn('owner')
    expect((await owner.post(DOMAINS, { domain })).status).toBe(422)
  })

  test('M11: a lookalike name is a different domain: it is stored and shown in its ASCII form', async () => {
    const { organization } = await open()
    const owner = await ownerOf(organization)
    const answer = await owner.post(DOMAINS, { domain: 'соntoso.example.org' })
    expect(answer.body.data.domain).toMatch(/^xn--.*\.example\.org$/)
    expect((await owner.post(DOMAINS, { domain: answer.body.data.domain })).status).toBe(409)
  })

  test('is for owner and admins, and other organizations do not see it', async () => {
    const organization = await app.createOrganization()
    const { id } = await claim(organization, newDomain())
    const member = await app.signIn(await app.createMember('member', organization), organization.id)
    expect((await member.get(DOMAINS)).status).toBe(403)
    expect((await member.post(DOMAINS, { domain: newDomain() })).status).toBe(403)
    const other = await ownerOf(await app.createOrganization())
    expect((await other.post(`${DOMAINS}/${id}/check`)).status).toBe(404)
    expect((await other.delete(`${DOMAINS}/${id}`)).status).toBe(404)
  })
})

describe('joining by domain', () => {
  test('M11: without a proved domain it cannot be switched on', async () => {
    const organization = await app.createOrganization()
    await claim(organization, newDomain())
    expect((await (await ownerOf(organization)).patch(SETTINGS, { domainAutoJoin: true })).status).toBe(409)
  })

  test('M11: a user with an address in the domain joins as a member at the next sign-in, with an audit entry and a mail to the owner', async () => {
    const { organization, domain } = await open()
    const user = await personAt(domain)
    expect(await arrive(user)).toEqual([organization.id])
    const owner = await ownerOf(organization)
    const members = (await owner.get(MEMBERS)).body.data as { id: string; role: string }[]
    expect(members.find(({ id }) => id === user.id)?.role).toBe('member')
    const { body } = await owner.get('/api/web/audit?action=member.joined-by-domain')
    expect(body.data[0]).toMatchObject({
      object: { id: user.id },
      after: { email: user.email, domain, role: 'member' },
    })
    expect((await app.nextMail(organization.owner.email)).text).toContain(
      `${user.name} (${user.email}) joined as a member`,
    )
    expect(await arrive(user)).toEqual([organization.id])
  })

  test('M11: an address in a subdomain, a parent domain or a domain with the same ending does not join', async () => {
    const { domain } = await open()
    for (const other of [`mail.${domain}`, domain.slice(domain.indexOf('.') + 1), `not${domain}`])
      expect(await arrive(await personAt(other)), other).toEqual([])
  })

  test('M11: no one joins while it is off, before the proof, or while two organizations have proved the same domain', async () => {
    const { organization, domain } = await open()
    const owner = await ownerOf(organization)
    await owner.patch(SETTINGS, { domainAutoJoin: false })
    const user = await personAt(domain)
    expect(await arrive(user)).toEqual([])
    await owner.patch(SETTINGS, { domainAutoJoin: true })
    const rival = await app.createOrganization()
    const { id } = await prove(rival, domain)
    expect(await arrive(user)).toEqual([])
    expect((await owner.get(DOMAINS)).body.data[0].contested).toBe(true)
    await (await ownerOf(rival)).delete(`${DOMAINS}/${id}`)
    expect((await owner.get(DOMAINS)).body.data[0].contested).toBe(false)
    expect(await arrive(user)).toEqual([organization.id])
  })

  test('M11: a claim without proof blocks no one, and the other organization does not learn of it', async () => {
    const { organization, domain } = await open()
    await claim(await app.createOrganization(), domain)
    expect((await (await ownerOf(organization)).get(DOMAINS)).body.data[0].contested).toBe(false)
    expect(await arrive(await personAt(domain))).toEqual([organization.id])
  })

  test('a pending invitation decides instead: a user who is invited as an admin does not join as a member', async () => {
    const { organization, domain } = await open()
    const user = await personAt(domain)
    await (await ownerOf(organization)).post(`${MEMBERS}/invite`, { email: user.email, role: 'admin' })
    expect(await arrive(user)).toEqual([])
    const client = await app.signIn(user)
    const accepted = await client.post('/api/web/invitations/accept', { token: await invitationOf(user) })
    expect(accepted.status, accepted.text).toBeLessThan(300)
    const own = (await client.get('/api/web/organizations')).body.data as { id: string; role: string }[]
    expect(own.find(({ id }) => id === organization.id)?.role).toBe('admin')
  })

  test.each([
    [
      'was removed',
      async (organization: TestOrganization, userId: string) =>
        (await ownerOf(organization)).delete(`${MEMBERS}/${userId}`),
    ],
    [
      'left',
      async (organization: TestOrganization, userId: string) => {
        const { name, email } = await app.db
          .selectFrom('users')
          .select(['name', 'email'])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow()
        return (await app.signIn({ id: userId, name, email }, organization.id)).post(
          '/api/web/organizations/current/leave',
        )
      },
    ],
  ])('M12: a user who %s comes back only by a new invitation', async (_what, end) => {
    const { organization, domain } = await open()
    const user = await personAt(domain)
    expect(await arrive(user)).toEqual([organization.id])
    expect((await end(organization, user.id)).status).toBe(200)
    expect(await arrive(user)).toEqual([])
    expect(await arrive(user)).toEqual([])
    await (await ownerOf(organization)).post(`${MEMBERS}/invite`, { email: user.email, role: 'member' })
    await (await app.signIn(user)).post('/api/web/invitations/accept', { token: await invitationOf(user) })
    expect(await arrive(user)).toEqual([organization.id])
  })

  test('twenty simultaneous sign-ins join once', async () => {
    const { organization, domain } = await open()
    const user = await personAt(domain)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        app.anonymous.post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD }),
      ),
    )
    const { body } = await (await ownerOf(organization)).get('/api/web/audit?action=member.joined-by-domain')
    expect(body.data).toHaveLength(1)
  })
})

describe('the daily check', () => {
  const again = ({ organization, id }: { organization: TestOrganization; id: string }) =>
    checkDomainAgain(app.platform, { organizationId: organization.id, domainId: id })

  test('M11: a missing record ends the proof, switches joining off, and sends the owner a mail', async () => {
    const opened = await open()
    const { organization, domain, recordName } = opened
    await again(opened)
    expect(await statusOf(organization)).toEqual({ proved: [true], autoJoin: true })
    dns.texts.delete(recordName)
    await again(opened)
    expect(await statusOf(organization)).toEqual({ proved: [false], autoJoin: false })
    const mail = await app.nextMail(organization.owner.email)
    expect(mail.subject).toContain(`no longer verifies ${domain}`)
    expect(mail.text).toContain('joining by domain is now off')
    expect(await arrive(await personAt(domain))).toEqual([])
  })

  test('with another proved domain left, joining continues through it', async () => {
    const opened = await open()
    const { organization, domain, recordName } = opened
    const second = newDomain()
    await prove(organization, second)
    dns.texts.delete(recordName)
    await again(opened)
    expect((await statusOf(organization)).autoJoin).toBe(true)
    expect(await arrive(await personAt(domain))).toEqual([])
    expect(await arrive(await personAt(second))).toEqual([organization.id])
  })

  test('M11: name servers that do not answer change nothing for 90 days, and then end the proof', async () => {
    const opened = await open()
    const { organization, domain, recordName } = opened
    dns.failing.add(recordName)
    app.clock.advance(89 * DAY_MS)
    await again(opened)
    expect(await statusOf(organization)).toEqual({ proved: [true], autoJoin: true })
    app.clock.advance(DAY_MS)
    expect(await arrive(await personAt(domain))).toEqual([])
    await again(opened)
    expect(await statusOf(organization)).toEqual({ proved: [false], autoJoin: false })
    expect((await app.nextMail(organization.owner.email)).subject).toContain(`no longer verifies ${domain}`)
  })

  test('removing the last domain switches joining off', async () => {
    const { organization, id } = await open()
    const removed = await (await ownerOf(organization)).delete(`${DOMAINS}/${id}`)
    expect(removed.body.data).toEqual({ removed: true, id, autoJoinEnded: true })
    expect(await statusOf(organization)).toEqual({ proved: [], autoJoin: false })
  })
})
