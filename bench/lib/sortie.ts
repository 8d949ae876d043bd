// Starts what is measured: servers on a separate core, and a Postgres with rows that the API could not create in
// reasonable time.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import pg from 'pg'
import { generateKey } from '../../server/src/features/api-keys/authenticate.ts'
import { startEmbedded } from '../../server/src/platform/database/connection/embedded.ts'
import { newId } from '../../server/src/platform/ids.ts'
import { createLogger } from '../../server/src/platform/log.ts'
import { RedisServer } from '../../server/test/faults/outside/redis-server.ts'
import {
  eventually,
  type ServerOptions,
  type ServerProcess,
  type Stage,
} from '../../server/test/support/app/server-process.ts'
import { databaseUrl } from '../../server/test/support/clients/server-clients.ts'
import { makeSchema } from '../../server/test/support/database/initialised-cluster.ts'
import { type Bench, msOf } from './figure.ts'

export const [SERVER_CORE, SENDER_CORE] = ['0', '1']
export const EVERY_CORE = `0-${os.availableParallelism() - 1}`

export const MEMBERS = '/api/v1/organizations/current/members'
export const ORGANIZATION = '/api/v1/organizations/current'
/** Overrides settings of a server under test: it refuses overload with the defaults. */
export const REFUSING = {
  OVERLOAD_MAX_REQUESTS: undefined,
  OVERLOAD_DELAY_MS: undefined,
  RATE_LIMIT_ANONYMOUS_MAX: undefined,
}

/** Pins a process, its threads and its future children to these cores; has no effect where that is not possible. */
export const pin = (cores: string, pid = process.pid): void =>
  void spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' })

export interface Server {
  origin: string
  process: ServerProcess
  /** From start until the first served request. */
  readyMs: number
  cpuMs(): number
  memoryMb(): number
  /** Returns the result of `work`, and the server's peak memory during it, in MB above the value before. */
  memoryDuring<T>(work: () => Promise<T>): Promise<{ result: T; addedMb: number }>
}

/** Starts the production server, or another script that responds on `readyPath` once it serves. */
export const startServer = async (
  { stage }: Bench,
  options: ServerOptions & { readyPath?: string },
): Promise<Server> => {
  const server = await stage.server({
    ...options,
    env: { NODE_ENV: 'production', LOG_LEVEL: 'warn', CONNECTIONS_PER_ADDRESS: '10000', ...options.env },
  })
  const pid = server.child.pid as number
  pin(SERVER_CORE, pid)
  const answers = async () => {
    const { ok, status } = await fetch(server.origin + (options.readyPath ?? '/api/health'))
    if (!ok) throw new Error(`the server answers ${status}: ${server.stderr}`)
  }
  const readyMs = await msOf(() => eventually(answers, 90_000, 10))
  const memoryMb = (which = 'VmRSS') =>
    Number(new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  return {
    origin: server.origin,
    process: server,
    readyMs,
    cpuMs: () => {
      // User and system time, in hundredths of a second.
      const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
      return (Number(user) + Number(system)) * 10
    },
    memoryMb,
    memoryDuring: async (work) => {
      const before = memoryMb()
      // Resets the peak, see proc(5).
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      return { result: await work(), addedMb: memoryMb('VmHWM') - before }
    },
  }
}

/** Starts a Postgres that ends with the stage. @returns a function that creates databases in it */
export const startPostgres = async (stage: Stage): Promise<Bench['database']> => {
  const directory = stage.directory()
  const { settings, stop } = await startEmbedded(directory, createLogger('error'))
  stage.add(stop)
  let made = 0
  return async ({ isEmpty = false } = {}) => {
    const database = `bench_${++made}`
    await sql(databaseUrl(settings), `create database ${database}`)
    const url = databaseUrl({ ...settings, database })
    if (!isEmpty) await makeSchema({ connectionString: url })
    return url
  }
}

/** @returns the URL of a Redis without persistence; undefined if none is installed */
export const startRedis = async ({ stage }: Bench): Promise<string | undefined> =>
  spawnSync('redis-server', ['--version']).status === 0 ? (await RedisServer.start(stage)).url : undefined

// oxlint-disable-next-line typescript/no-explicit-any -- bodies and rows of every shape
type Any = any
type Ask = (method: string, path: string, body?: object) => Promise<Any>

/** Runs statements one after another, on one connection. @returns the rows of the last */
export const sql = async (url: string, ...statements: string[]): Promise<Any[]> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements.slice(0, -1)) await client.query(statement)
    return (await client.query(statements.at(-1) ?? '')).rows
  } finally {
    await client.end()
  }
}

/** Requests JSON; throws for any response that is not good. */
export const asker = (origin: string, headers: Record<string, string>): Ask => {
  return async (method, path, body) => {
    const json = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    const response = await fetch(origin + path, { method, headers, ...json })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
}

/** Starts a server on a new database, with an organization of a hundred members. */
export const startWithOrganization = async (bench: Bench, env: Record<string, string | undefined> = {}) => {
  const url = await bench.database()
  const organization = await seedOrganization(url, 'measured', 100)
  const server = await startServer(bench, { env: { DATABASE_URL: url, ...env } })
  return { url, ...organization, server, ask: asker(server.origin, organization.headers) }
}

/**
 * Creates members, one per hour, with an owner and every tenth one an admin. @returns also the headers of a key with
 * all scopes
 */
export const seedOrganization = async (
  url: string,
  name: string,
  members: number,
): Promise<{ id: string; headers: Record<string, string> }> => {
  const [id, prefix, secret] = [newId('org'), newId('usr').slice(0, -8), generateKey('live')]
  await sql(
    url,
    `insert into organizations (id, name, slug, plan, created_at, updated_at) values ('${id}', '${name}', '${name}', 'free', now(), now())`,
    `insert into users (id, name, email, email_key, created_at, updated_at)
      select '${prefix}' || lpad(i::text, 8, '0'), 'Person ' || i, i || '.${name}@example.com', i || '.${name}@example.com', now(), now()
      from generate_series(1, ${members}) i`,
    `insert into memberships (organization_id, user_id, name, email, role, joined_at, last_seen_at, updated_at)
      select '${id}', id, name, email, case when n = 1 then 'owner' when n % 10 = 0 then 'admin' else 'member' end,
        date_trunc('hour', now()) - (${members} - n) * interval '1 hour', now(), now()
      from (select *, row_number() over (order by id) as n from users where starts_with(id, '${prefix}')) u order by id`,
    `insert into api_keys (id, organization_id, name, environment, scopes, secret_hash, created_by, created_at)
      values ('${newId('key')}', '${id}', 'bench', 'live', '{${SCOPE_NAMES.join()}}', sha256('${secret}'), '${prefix}00000001', now())`,
    'vacuum analyze users, memberships, organizations, api_keys',
  )
  return { id, headers: { authorization: `Bearer ${secret}` } }
}

/** @returns the id of the first engagement */
export const seedEngagements = async (url: string, organizationId: string, count: number): Promise<string> => {
  const prefix = newId('eng').slice(0, -8)
  await sql(
    url,
    `insert into engagements (id, organization_id, name, description, status, created_at, updated_at, details_updated_at)
      select '${prefix}' || lpad(i::text, 8, '0'), '${organizationId}', 'Engagement ' || i, '', case when i % 3 = 0 then 'completed' else 'active' end,
        now(), now(), now()
      from generate_series(1, ${count}) i`,
    'vacuum analyze engagements',
  )
  return `${prefix}00000001`
}

/**
 * Creates targets, results and tasks: every third target is a domain, every hundredth row has the rarest kind, the
 * first 500 are marked with caution, the next 500 results have no target, and each name contains its number.
 */
export const seedObjects = async (
  url: string,
  organizationId: string,
  engagementId: string,
  count: number,
): Promise<void> => {
  const owners = `'${organizationId}', '${engagementId}'`
  const idOf = (prefix: string) => `'${prefix}_' || '${newId('eng').slice(-8)}' || lpad(i::text, 18, '0')`
  const targetId = idOf('tgt')
  await sql(
    url,
    // Skips foreign keys and the index of the global search, because related rows are inserted together.
    'set session_replication_role = replica',
    `insert into targets (id, organization_id, engagement_id, kind, value, canonical, identity, order_key, source, criticality, created_at, updated_at)
      select ${targetId}, ${owners}, case when i % 3 = 0 then 'domain' when i % 100 = 1 then 'cloud' else 'ip' end, 'host-' || i || '.example',
        'host-' || i || '.example', sha256(convert_to('${engagementId}' || i, 'UTF8')), lpad(i::text, 10, '0'), 'manual', i % 5, now(), now()
      from generate_series(1, ${count}) i`,
    `insert into target_verdicts (target_id, organization_id, engagement_id, verdict)
      select id, ${owners}, case when order_key <= '0000000500' then 'caution' when kind = 'domain' then 'in' else 'unknown' end from targets where engagement_id = '${engagementId}'`,
    `insert into results (id, organization_id, engagement_id, kind, identity, asset, asset_key, host, protocol, port, target_id, title, severity, status,
        first_seen_at, last_seen_at, evidence_at, created_at, updated_at)
      select ${idOf('res')}, ${owners}, case when i % 10 = 0 then 'vulnerability' else 'service' end, '${engagementId}' || i, 'host-' || i || ':443/tcp',
        lpad(i::text, 10, '0'), 'host-' || i, 'tcp', case when i % 100 = 1 then 8443 else 443 end,
        case when i not between 501 and 1000 then ${targetId} end, 'Result ' || i, i % 5,
        case when i % 10 = 0 then 'open' end, now(), now() - i * interval '1 second', now(), now(), now()
      from generate_series(1, ${count}) i`,
    `insert into tasks (id, number, organization_id, engagement_id, title, description, status, priority, position, created_at, updated_at)
      select ${idOf('tsk')}, i, ${owners}, 'Task ' || i, '', case when i % 100 = 1 then 'blocked' else 'open' end, i % 5, lpad(i::text, 10, '0'), now(), now()
      from generate_series(1, ${count}) i`,
    'vacuum analyze targets, target_verdicts, results, tasks',
  )
}
