import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashSync } from '@node-rs/argon2'
import type { Role, Scope } from '@sortie/contract/core/scopes.ts'
import type { FastifyInstance } from 'fastify'
import PostalMime, { type Email } from 'postal-mime'
import { createApp, JOB_TYPES } from '../../../src/app/app.ts'
import { startWorkers } from '../../../src/app/workers.ts'
import { createAccount } from '../../../src/features/auth/accounts/accounts.service.ts'
import { createPasswords } from '../../../src/features/auth/passwords/passwords.ts'
import { compareStorage } from '../../../src/features/files/storage/compare-storage.ts'
import { addMember } from '../../../src/features/organizations/members/members.service.ts'
import { createOrganization } from '../../../src/features/organizations/organizations.service.ts'
import { parseConfig } from '../../../src/platform/config.ts'
import type { Platform } from '../../../src/platform/context.ts'
import { deriveKeys } from '../../../src/platform/crypto.ts'
import {
  type ConnectionSettings,
  type Database,
  openDatabase,
  databaseLimits,
} from '../../../src/platform/database/connection/open.ts'
import { createRefusals } from '../../../src/platform/database/connection/refusals.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { bindStorage, countLeftFiles } from '../../../src/platform/files/binding.ts'
import { createStorage } from '../../../src/platform/files/open-storage.ts'
import { LocalRateLimiter } from '../../../src/platform/http/limits/rate-limit.ts'
import type { Route } from '../../../src/platform/http/routes/route.ts'
import { observeStatements, JobLabels } from '../../../src/platform/jobs/job-labels.ts'
import { startJobs } from '../../../src/platform/jobs/jobs.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { createMailer } from '../../../src/platform/mail/mailer.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { createSafeMode } from '../../../src/platform/safe-mode/safe-mode.ts'
import { createTraces } from '../../../src/platform/traces/traces.ts'
import { asSuperuser, copyTemplate } from '../database/test-databases.ts'
import { METRICS_TOKEN } from '../document/metrics.ts'
import { TestClient } from './test-client.ts'
import { TestClock } from './test-clock.ts'

export const PASSWORD = 'correct horse battery staple'

export interface TestUser {
  id: string
  name: string
  email: string
}

export interface TestOrganization {
  id: string
  slug: string
  owner: TestUser
}

/** The whole server on a separate database, listening on a loopback port. */
export interface TestApp {
  origin: string
  http: FastifyInstance
  /** The options that a server process would read. */
  platform: Platform
  /** Connection settings of the app's own database. */
  settings: ConnectionSettings
  db: Database
  clock: TestClock
  routes: readonly Route[]
  /** Lines that the server logged. */
  logLines: string[]
  /** The first organization, with its owner. */
  organization: TestOrganization
  anonymous: TestClient
  /** A client with a new API key of the first organization (or another one) that has these scopes. */
  withKey(
    scopes: readonly Scope[],
    organization?: TestOrganization,
  ): Promise<TestClient & { keyId: string; value: string }>
  /** A client with the session of a member who has this role; the owner is always the same person. */
  signedIn(role: Role, organization?: TestOrganization): Promise<TestClient & { user: TestUser }>
  /** A client with a session of this person, naming the organization if one is given. */
  signIn(user: TestUser, organizationId?: string): Promise<TestClient & { user: TestUser }>
  /** @param options true if the password is hashed at full cost; otherwise signing in costs next to nothing */
  createUser(name?: string, options?: { isInstanceAdmin?: boolean; isFullyHashed?: boolean }): Promise<TestUser>
  createMember(role: 'admin' | 'member', organization?: TestOrganization): Promise<TestUser>
  createOrganization(name?: string): Promise<TestOrganization>
  /** Waits for a mail to this address that was not returned before. */
  nextMail(recipient: string): Promise<Email>
  /** All mails written so far. */
  mails(): Promise<Email[]>
  /** Writes the data that the server buffers in memory. */
  flush(): Promise<void>
  /** Runs statements as the database's superuser: the server itself may change no table. */
  asSuperuser(statements: string): Promise<void>
  close(): Promise<void>
}

/**
 * Environment variables for this test's server; jobs run unless `workers` is false, costs are limited if `costs` is
 * true.
 */
export interface TestAppOptions {
  env?: Record<string, string>
  workers?: boolean
  costs?: boolean
  /** The address that it listens on; `127.0.0.1` by default. */
  host?: string
  /** Fewer than the server's default. */
  maxConnections?: number
  /** Fewer files sent at the same time than by the server's default. */
  maxOpenFiles?: number
  /** A directory with a page of the web interface, which is not built for these tests. */
  webDirectory?: string
}

const MAIL_TIMEOUT_MS = 60_000
/**
 * The cheapest hash that the algorithm allows: a stored hash contains its cost, and most tests only need a signed-in
 * user.
 */
const CHEAP_HASH = hashSync(PASSWORD, { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 })

export const testApp = async ({
  env = {},
  workers = true,
  costs = false,
  host = '127.0.0.1',
  maxConnections,
  maxOpenFiles,
  webDirectory,
}: TestAppOptions = {}): Promise<TestApp> => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-test-'))
  const clock = new TestClock()
  const config = parseConfig({
    SESSION_SECRET: 'a secret of the test run that is long enough',
    DATA_DIR: directory,
    STORAGE_PATH: path.join(directory, 'uploads'),
    RATE_LIMIT_MAX: '1000000',
    RATE_LIMIT_ANONYMOUS_MAX: '1000000',
    LOG_LEVEL: 'trace',
    METRICS_TOKEN,
    // A busy machine answers late; separate tests cover the consequences.
    OVERLOAD_MAX_REQUESTS: '100000',
    OVERLOAD_DELAY_MS: '0',
    ...env,
  })
  const logLines: string[] = []
  const log = createLogger(config.LOG_LEVEL, { write: (line) => void logLines.push(line) })
  const settings = await copyTemplate()
  const labels = new JobLabels()
  const refusals = createRefusals(clock)
  const traces = await createTraces(config, log)
  const observer = observeStatements(config, log, labels, traces)
  const database = openDatabase(settings, () => undefined, databaseLimits(config), observer, refusals.note)
  const jobs = await startJobs(settings, log, JOB_TYPES)
  const { db, scopedTo, waitForTurn } = database
  const safeMode = createSafeMode(database.prepared, config)
  const platform: Platform = {
    config,
    log,
    clock,
    keys: deriveKeys(config.SESSION_SECRET),
    db,
    scopedTo,
    waitForTurn,
    jobs,
    safeMode,
    storage: await createStorage(config),
    traces,
  }
  await bindStorage(platform, compareStorage)
  const limiter = new LocalRateLimiter(clock, config.RATE_LIMIT_WINDOW_SECONDS)
  const app = await createApp({
    platform,
    prepared: database.prepared,
    refusals,
    connection: settings,
    limiter,
    metrics: createMetrics(database.load, () => 0, {
      isLive: safeMode.isLive,
      countLeftFiles: () => countLeftFiles(db),
    }),
    readiness: { waitingFor: undefined },
    labels,
    ...(!costs && { admit: async () => undefined }),
    ...(webDirectory !== undefined && { webDirectory }),
  })
  const mailDirectory = path.join(directory, 'mail')
  if (workers) await startWorkers(platform, createMailer(config, safeMode), labels)
  if (maxConnections !== undefined) app.http.connections.max = maxConnections
  if (maxOpenFiles !== undefined) app.http.openFiles.max = maxOpenFiles
  await app.http.listenOn({ port: 0, host })
  const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`

  const anonymous = new TestClient(origin)
  const createUser: TestApp['createUser'] = async (
    name = `Person ${randomBytes(4).toString('hex')}`,
    { isInstanceAdmin, isFullyHashed } = {},
  ) => {
    const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`
    const passwordHash = isFullyHashed ? await createPasswords(config).hash(PASSWORD, []) : CHEAP_HASH
    const user = await transaction(database.db, (tx) =>
      createAccount(tx, clock, { name, email, passwordHash, ...(isInstanceAdmin && { isInstanceAdmin }) }),
    )
    if (!user) throw new Error(`there is an account of ${email} already`)
    return user
  }
  const newOrganization = async (
    name = `Organization ${randomBytes(4).toString('hex')}`,
  ): Promise<TestOrganization> => {
    const owner = await createUser()
    return transaction(database.db, async (tx) => {
      const { id, slug } = await createOrganization(tx, clock, { name, plan: config.DEFAULT_PLAN })
      await addMember(tx, clock, id, owner, 'owner')
      return { id, slug, owner }
    })
  }
  const organization = await newOrganization('First organization')
  const createMember = async (role: 'admin' | 'member', of = organization): Promise<TestUser> => {
    const user = await createUser()
    await transaction(database.db, (tx) => addMember(tx, clock, of.id, user, role))
    return user
  }
  const signIn = async (user: TestUser, organizationId?: string) => {
    const response = await anonymous.post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD })
    if (response.status !== 200) throw new Error(`sign-in answered ${response.text}`)
    const cookie = cookiesOf(response.headers)
    return Object.assign(
      new TestClient(origin, { cookie, ...(organizationId && { 'x-organization': organizationId }) }),
      { user },
    )
  }
  const owners = new Map<string, ReturnType<typeof signIn>>()
  const signedIn = async (role: Role, of = organization) => {
    if (role !== 'owner') return signIn(await createMember(role, of), of.id)
    const owner = owners.get(of.id) ?? signIn(of.owner, of.id)
    owners.set(of.id, owner)
    return owner
  }
  const seenMails = new Set<string>()
  const testApp: TestApp = {
    origin,
    http: app.http,
    platform,
    settings,
    db: database.db,
    clock,
    routes: app.routes,
    logLines,
    organization,
    anonymous,
    withKey: async (scopes, of = organization) => {
      const owner = await signedIn('owner', of)
      const response = await owner.post('/api/web/api-keys', { name: 'test key', environment: 'live', scopes })
      if (response.status !== 201) throw new Error(`creating a key answered ${response.text}`)
      const { id, value } = response.body.data
      return Object.assign(new TestClient(origin, { authorization: `Bearer ${value}` }), {
        keyId: id as string,
        value: value as string,
      })
    },
    signedIn,
    signIn,
    createUser,
    createMember,
    createOrganization: newOrganization,
    nextMail: async (recipient) => {
      for (const deadline = performance.now() + MAIL_TIMEOUT_MS; performance.now() < deadline; await sleep(30)) {
        for (const file of mailFiles(mailDirectory)) {
          if (seenMails.has(file)) continue
          const mail = await PostalMime.parse(readFileSync(file))
          if (mail.to?.[0]?.address?.toLowerCase() !== recipient.toLowerCase()) continue
          seenMails.add(file)
          return mail
        }
      }
      throw new Error(`no mail for ${recipient} came`)
    },
    mails: () => Promise.all(mailFiles(mailDirectory).map((file) => PostalMime.parse(readFileSync(file)))),
    flush: app.flush,
    asSuperuser: (statements) => asSuperuser(settings, statements),
    close: async () => {
      await app.close()
      await jobs.stop(2_000)
      await database.close()
      await traces.close()
      rmSync(directory, { recursive: true, force: true })
      // The variables of a test file outlive it in the worker: without this they would keep every server of a run.
      logLines.length = 0
      for (const name of Object.keys(testApp)) Reflect.deleteProperty(testApp, name)
    },
  }
  return testApp
}

/** `Set-Cookie` headers as the `Cookie` header that a browser would send back. */
export const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** The token in the link of a mail. */
export const tokenOf = (mail: Email): string => {
  const token = /#token=([\w.-]+)/.exec(mail.text ?? '')?.[1]
  if (!token) throw new Error(`the mail "${mail.subject}" has no link with a token`)
  return token
}

const mailFiles = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory)
        .filter((file) => file.endsWith('.eml'))
        .sort()
        .map((file) => path.join(directory, file))
    : []
