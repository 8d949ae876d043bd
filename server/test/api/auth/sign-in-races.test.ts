import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setPasswordAs } from '../../../src/features/auth/account-settings/operator.service.ts'
import { createPasswords } from '../../../src/features/auth/passwords/passwords.ts'
import { resetSecondFactor } from '../../../src/features/auth/second-factor/second-factor.service.ts'
import { operatorOf } from '../../support/app/operator-platform.ts'
import { PASSWORD, type TestApp, type TestUser, testApp, tokenOf } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import type { TestResponse } from '../../support/app/test-client.ts'
import { Authenticator } from '../../support/providers/authenticator.ts'
import { OpenIdProvider } from '../../support/providers/openid-provider.ts'
import { finish, ProviderVisit, START, signInThere } from '../../support/providers/provider-visit.ts'
import { type LockedRow, lockRow } from '../../support/races/locked-row.ts'

const SITE = 'http://localhost:3001'
const ACCOUNT = '/api/web/account'
const APP = `${ACCOUNT}/second-factor`
const PASSKEYS = `${ACCOUNT}/passkeys`
const SIGN_IN = '/api/auth/sign-in'
const NEW_PASSWORD = 'quite another passphrase'
const OPERATOR = { system: 'test' }

const provider = new OpenIdProvider([SITE])
let local: TestApp
let delegated: TestApp
beforeAll(async () => {
  await provider.up()
  local = await testApp()
  delegated = await testApp({ env: { ...provider.settings, FRONTEND_URL: SITE } })
})
afterAll(async () => {
  await Promise.all([local.close(), delegated.close()])
  await provider.down()
})

/** A person with a signed-in browser, and the data of the second factor, if any. */
interface Person {
  app: TestApp
  user: TestUser
  browser: TestBrowser
  secret: string
  recoveryCodes: string[]
  authenticator: Authenticator
  /** The subject at the identity provider. */
  subject: string
}

const codeOf = ({ app, secret }: Person) => generateSync({ secret, epoch: Math.floor(app.clock.now() / 1000) })

const passwordStep = (app: TestApp, { email }: TestUser, browser: TestBrowser) =>
  browser.post(`${SIGN_IN}/email`, { email, password: PASSWORD })

const person = async (): Promise<Person> => {
  const user = await local.createUser()
  const browser = new TestBrowser(local.origin)
  expect((await passwordStep(local, user, browser)).status).toBe(200)
  return {
    app: local,
    user,
    browser,
    secret: '',
    recoveryCodes: [],
    authenticator: new Authenticator(SITE),
    subject: '',
  }
}

const startApp = async (someone: Person) => {
  const started = await someone.browser.post(APP, someone.app === local ? { password: PASSWORD } : {})
  expect(started.status).toBe(201)
  someone.secret = started.body.data.secret
}
const confirmApp = (someone: Person) => someone.browser.post(`${APP}/confirm`, { code: codeOf(someone) })

const startPasskey = async (someone: Person, proof: object = {}) => {
  const started = await someone.browser.post(`${PASSKEYS}/start`, {
    ...(someone.app === local && { password: PASSWORD }),
    ...proof,
  })
  expect(started.status).toBe(201)
  return someone.authenticator.create(started.body.data)
}

/** A person with an authenticator app and a passkey. */
const withFactors = async (): Promise<Person> => {
  const someone = await person()
  await startApp(someone)
  someone.recoveryCodes = (await confirmApp(someone)).body.data.recoveryCodes
  const passkey = await startPasskey(someone, { code: someone.recoveryCodes.pop() })
  expect((await someone.browser.post(PASSKEYS, { name: 'Key', passkey })).status).toBe(201)
  someone.app.clock.advance(60_000)
  return someone
}

/** A person who signed in through the identity provider. */
const ofProvider = async (): Promise<Person> => {
  const subject = `raced.${process.pid}.${Math.trunc(performance.now() * 1000)}`
  provider.add({ sub: subject })
  const { browser, answer } = await signInThere(delegated, subject)
  expect(answer.status).toBe(200)
  // A second factor needs a requested sign-in there.
  const { url } = (await browser.post(`${ACCOUNT}/confirmation`, {})).body.data
  expect((await finish(browser, await new ProviderVisit().signIn(url, subject))).body.data.outcome).toBe('confirmed')
  return {
    app: delegated,
    user: answer.body.data.user,
    browser,
    secret: '',
    recoveryCodes: [],
    authenticator: new Authenticator(SITE),
    subject,
  }
}

/** A way to sign in: all requests except the last are made first, in a separate browser that the account knows. */
interface Door {
  someone(): Promise<Person>
  lastRequest(someone: Person, browser: TestBrowser): Promise<() => Promise<TestResponse>>
  /** The counter of attempts that the last request increments before it proves anything. */
  bucket: ((someone: Person) => string) | undefined
}

const afterPassword = async ({ app, user }: Person, browser: TestBrowser) =>
  expect((await passwordStep(app, user, browser)).status).toBe(200)
const factorBucket = ({ user }: Person) => `second-factor:${user.id}`

const PASSWORD_DOOR: Door = {
  someone: person,
  lastRequest:
    async ({ app, user }, browser) =>
    () =>
      passwordStep(app, user, browser),
  bucket: ({ user }) => `sign-in:${user.email}`,
}

const SECOND_STEPS: Record<string, Door> = {
  'a code of the app': {
    someone: withFactors,
    lastRequest: async (someone, browser) => {
      await afterPassword(someone, browser)
      return () => browser.post(`${SIGN_IN}/second-factor`, { code: codeOf(someone) })
    },
    bucket: factorBucket,
  },
  'a recovery code': {
    someone: withFactors,
    lastRequest: async (someone, browser) => {
      await afterPassword(someone, browser)
      return () => browser.post(`${SIGN_IN}/second-factor`, { code: someone.recoveryCodes[0] })
    },
    bucket: factorBucket,
  },
  'a passkey': {
    someone: withFactors,
    lastRequest: async (someone, browser) => {
      await afterPassword(someone, browser)
      const question = (await browser.post(`${SIGN_IN}/passkey/options`)).body.data
      return () => browser.post(`${SIGN_IN}/passkey`, { passkey: someone.authenticator.answer(question) })
    },
    bucket: factorBucket,
  },
}

const PROVIDER_DOOR: Door = {
  someone: ofProvider,
  lastRequest: async ({ subject }, browser) => {
    const { url } = (await browser.post(START, {})).body.data
    const back = await new ProviderVisit().signIn(url, subject)
    return () => finish(browser, back)
  },
  bucket: undefined,
}

/** A change after which no earlier sign-in may complete; all requests except the last are made first. */
type Change = (someone: Person) => Promise<() => Promise<unknown>>

const CHANGES_OF_PASSWORD: Record<string, Change> = {
  'a change of the password': async (someone) => () =>
    someone.browser
      .post(`${ACCOUNT}/password`, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
      .then(({ status }) => expect(status).toBe(200)),
  'a reset by mail': async ({ app, user }) => {
    await app.anonymous.post('/api/auth/password-reset', { email: user.email })
    let mail = await app.nextMail(user.email)
    while (!mail.subject?.startsWith('A new password')) mail = await app.nextMail(user.email)
    return () =>
      app.anonymous.post('/api/auth/password-reset/confirm', { token: tokenOf(mail), password: NEW_PASSWORD })
  },
  'a reset by the operator':
    async ({ app, user }) =>
    () =>
      setPasswordAs(operatorOf(app), createPasswords(app.platform.config), OPERATOR, user, NEW_PASSWORD),
}

const FIRST_FACTORS: Record<string, Change> = {
  'a first authenticator app': async (someone) => {
    await startApp(someone)
    return () => confirmApp(someone).then(({ status }) => expect(status).toBe(201))
  },
  'a first passkey': async (someone) => {
    const passkey = await startPasskey(someone)
    return () => someone.browser.post(PASSKEYS, { name: 'Key', passkey }).then(({ status }) => expect(status).toBe(201))
  },
}

const RESET_OF_FACTORS: Record<string, Change> = {
  'a reset of the second factor':
    async ({ app, user }) =>
    () =>
      resetSecondFactor(operatorOf(app), OPERATOR, user.id),
}

const matrix = (doors: Record<string, Door>, changes: Record<string, Change>) =>
  Object.entries(doors).flatMap(([by, door]) =>
    Object.entries(changes).map(([what, change]) => [`${by} / ${what}`, door, change] as const),
  )

const CASES = [
  ...matrix({ 'the password': PASSWORD_DOOR }, { ...CHANGES_OF_PASSWORD, ...FIRST_FACTORS }),
  ...matrix(SECOND_STEPS, { ...CHANGES_OF_PASSWORD, ...RESET_OF_FACTORS }),
  ...matrix({ 'the identity provider': PROVIDER_DOOR }, FIRST_FACTORS),
]

/** Before any proof, but after the account was read. */
const holdEarly = async (app: TestApp, bucket: string): Promise<LockedRow> => {
  const row = { bucket, failures: 0, opened_at: new Date(app.clock.now()).toISOString() }
  await app.db
    .insertInto('throttle_buckets')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return lockRow(app, 'select 1 from throttle_buckets where bucket = $1 for update', [bucket])
}

/** After all proofs, and before the commit. */
const holdLate = (app: TestApp, user: TestUser): Promise<LockedRow> =>
  lockRow(app, 'select 1 from known_devices where user_id = $1 for update', [user.id])

/** Makes the change while the sign-in is held. @returns the answer to the sign-in */
const meet = async <T>(held: LockedRow, signIn: () => Promise<T>, change: () => Promise<unknown>): Promise<T> => {
  const answer = signIn()
  answer.catch(() => undefined)
  try {
    await held.waitedFor(1, answer)
    const changed = change()
    await held.waitedFor(2, changed)
    await held.release()
    await changed
    return await answer
  } catch (error) {
    await held.release().catch(() => undefined)
    throw error
  }
}

const opensNothing = async (browser: TestBrowser) => expect((await browser.get(ACCOUNT)).status).toBe(401)

/** A browser that the account was signed in from earlier, and is not now. */
const knownBrowser = ({ browser }: Person): TestBrowser => {
  const known = browser.copy()
  known.cookies.delete('sid')
  return known
}

describe('S18: no session outlives a change during its sign-in', () => {
  test.each(CASES.filter(([, { bucket }]) => bucket))('S18: held before the proof: %s', async (_name, door, change) => {
    const someone = await door.someone()
    const browser = new TestBrowser(someone.app.origin)
    const [signIn, makeChange] = [await door.lastRequest(someone, browser), await change(someone)]
    await meet(await holdEarly(someone.app, door.bucket?.(someone) as string), signIn, makeChange)
    await opensNothing(browser)
  })

  test.each(CASES)('S18: held before the commit: %s', async (_name, door, change) => {
    const someone = await door.someone()
    const browser = knownBrowser(someone)
    const [signIn, makeChange] = [await door.lastRequest(someone, browser), await change(someone)]
    await meet(await holdLate(someone.app, someone.user), signIn, makeChange)
    await opensNothing(browser)
  })

  test.each([
    ['the password', PASSWORD_DOOR] as const,
    ...Object.entries(SECOND_STEPS),
    ['the identity provider', PROVIDER_DOOR] as const,
  ])('S18: held and released without a change, it opens the account: %s', async (_name, door) => {
    const someone = await door.someone()
    const browser = knownBrowser(someone)
    const signIn = await door.lastRequest(someone, browser)
    const answer = await meet(await holdLate(someone.app, someone.user), signIn, async () => undefined)
    expect(answer.status).toBe(200)
    expect((await browser.get(ACCOUNT)).status).toBe(200)
  })
})

/** A request that gives the asking session a new cookie; all steps except the last are made first. */
interface Renewal {
  someone(): Promise<Person>
  lastRequest(someone: Person): Promise<() => Promise<TestResponse>>
  hold(someone: Person): Promise<LockedRow>
}

const holdFactor = (someone: Person) => holdEarly(someone.app, factorBucket(someone))

const RENEWALS: Record<string, Renewal> = {
  'setting an app up': {
    someone: person,
    lastRequest: async (someone) => {
      await startApp(someone)
      return () => confirmApp(someone)
    },
    hold: holdFactor,
  },
  'adding a passkey': {
    someone: person,
    lastRequest: async (someone) => {
      const passkey = await startPasskey(someone)
      return () => someone.browser.post(PASSKEYS, { name: 'Key', passkey })
    },
    hold: ({ app }) => lockRow(app, 'select 1 from passkey_challenges for update', []),
  },
  'removing the app': {
    someone: withFactors,
    lastRequest: async (someone) => () => someone.browser.delete(APP, { password: PASSWORD, code: codeOf(someone) }),
    hold: holdFactor,
  },
}

describe('S18: an ended session gets no new cookie from a request in progress', () => {
  test.each(Object.entries(RENEWALS))(
    'S18: %s, while the operator resets the password',
    async (_name, { someone, lastRequest, hold }) => {
      const asking = await someone()
      const ask = await lastRequest(asking)
      const { platform } = asking.app
      const passwords = createPasswords(platform.config)
      await meet(await hold(asking), ask, () =>
        setPasswordAs(operatorOf(asking.app), passwords, OPERATOR, asking.user, NEW_PASSWORD),
      )
      await opensNothing(asking.browser)
      const sessions = await asking.app.db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', asking.user.id)
        .execute()
      expect(sessions).toEqual([])
    },
  )
})
