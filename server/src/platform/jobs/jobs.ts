import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, fromKysely, type JobWithMetadata, PgBoss, type QueueOptions } from 'pg-boss'
import type { ConnectionSettings, Database } from '../database/connection/open.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Logger } from '../log.ts'

/** Thrown by a handler that may not run its job yet, which is not an error: it is retried without a log line. */
export class PutOff extends Error {
  constructor() {
    super('put off')
    this.name = 'PutOff'
  }
}

/** A kind of job, and how often it is retried. */
export interface JobType<Data extends object> {
  name: string
  options: QueueOptions
  /** Jobs that each process runs at the same time; two by default. */
  perProcess?: number
  /**
   * Jobs that one organization runs at the same time, in all processes together; its others wait without delaying other
   * organizations.
   */
  perOrganization?: number
  /** Types the data; never set. */
  data?: Data
}

/** @param signal aborted when another worker has taken over the job, and when this process stops */
export type JobHandler<Data extends object> = (data: Data, signal: AbortSignal) => Promise<void>

/** Durable jobs: enqueued in the transaction that causes them, run at least once by some worker. */
export interface Jobs {
  /**
   * Enqueues a job that exists if and only if `tx` commits. It is due immediately, or after `afterSeconds`.
   *
   * @returns its id
   */
  enqueue<Data extends object>(tx: Transaction, type: JobType<Data>, data: Data, afterSeconds?: number): Promise<string>
  /** Enqueues many jobs in one statement. */
  enqueueAll<Data extends object>(
    tx: Transaction,
    type: JobType<Data>,
    all: readonly Data[],
    afterSeconds?: number,
  ): Promise<void>
  /** Starts to run jobs of this type. A handler that throws is retried, as the type defines. */
  work<Data extends object>(type: JobType<Data>, handler: JobHandler<Data>): Promise<void>
  /** Calls `turn` in this process until it stops, with a pause after each call that returns false. */
  repeat(loop: Repeated): void
  /** Runs a job of this type at each time of a cron expression (UTC), once in all processes together. */
  schedule(type: JobType<object>, cron: string): Promise<void>
  /**
   * Aborts the signals of running jobs, and waits at most `timeoutMs` for their end; unfinished ones are resumed later.
   */
  stop(timeoutMs: number): Promise<void>
}

/** Work that a process repeats, because it is too frequent for a queue. */
export interface Repeated {
  /** For the log. */
  name: string
  pauseMs: number
  /** An error is logged, and the next call follows after the pause. @returns true if there is more to do now */
  turn(signal: AbortSignal): Promise<boolean>
  /** Waits for what the calls have started; the signal is aborted by then. */
  end(): Promise<void>
}

/** Schema of the queue library's tables. */
export const JOB_SCHEMA = 'pgboss'
const CONNECTIONS = 3
const WORKERS_PER_TYPE = 2
const WORKER = { batchSize: 1, includeMetadata: true } as const
/** Interval of the one statement that finds types with due jobs and wakes their workers. */
const DUE_INTERVAL_MS = 1_000
/** Workers also poll now and then, since the process that wakes them may fail. */
const POLLING = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 30 } as const
/** A connection that does not answer is closed after this; its worker continues on another. */
const QUERY_TIMEOUT_MS = 15_000
/** A silent worker is presumed dead after this, and another one runs its job. */
export const JOB_EXPIRY_SECONDS = 60
/**
 * For jobs that must succeed eventually: retried after 1, 2, 4 ... seconds, then every minute; each kind defines for
 * how long.
 */
export const PERSISTENT = {
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: JOB_EXPIRY_SECONDS,
  retentionSeconds: 9 * 24 * 60 * 60,
} as const satisfies QueueOptions
/** Heartbeat interval of a worker, for job types that have a heartbeat. */
const HEARTBEAT_REFRESH_SECONDS = 5
/** Stopping also queries the database, which may hang. */
const STOP_GRACE_MS = 1_000

/**
 * Starts the queue on Postgres: first creates or upgrades its schema.
 *
 * @param types whose queues exist from now on; other queues are created when their first job is enqueued
 * @param runsJobs false if jobs are only enqueued: no listening, supervision or scheduling
 */
export const startJobs = async (
  settings: ConnectionSettings,
  log: Logger,
  types: readonly JobType<object>[],
  runsJobs = true,
): Promise<Jobs> => {
  const options = {
    ...settings,
    schema: JOB_SCHEMA,
    max: runsJobs ? CONNECTIONS : 1,
    application_name: 'sortie-jobs',
    useListenNotify: runsJobs,
    supervise: runsJobs,
    schedule: runsJobs,
    connectionTimeoutMillis: 5_000,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
    cronMonitorIntervalSeconds: 10,
    cronWorkerIntervalSeconds: 10,
  }
  const boss = new PgBoss(options)
  let lastError = ''
  boss.on('error', (error) => {
    if (error.message !== lastError) log.error({ err: error }, 'the job queue has trouble')
    lastError = error.message
  })
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'the job queue warns'))
  const stopping = new AbortController()
  const workersOf = new Map<string, string[]>()
  const wake = (name: string) => {
    for (const worker of workersOf.get(name) ?? []) boss.notifyWorker(worker)
  }
  /** Polling per worker would be dozens of statements a second in an idle process. */
  const watchDueJobs = async () => {
    while (!stopping.signal.aborted) {
      await sleep(DUE_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      try {
        if (!stopping.signal.aborted)
          for (const name of await listDueTypes(boss.getDb(), [...workersOf.keys()])) wake(name)
      } catch (error) {
        // Stopping closes the connections, also during a query.
        if (!stopping.signal.aborted) boss.emit('error', error as Error)
      }
    }
  }
  const repeating: Promise<void>[] = []
  const repeat = async ({ name, pauseMs, turn, end }: Repeated) => {
    while (!stopping.signal.aborted) {
      let hasMore = false
      try {
        hasMore = await turn(stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error, loop: name }, 'repeated work has trouble')
      }
      if (!hasMore) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    await end()
  }
  const stop = async (timeoutMs: number) => {
    stopping.abort(new Error('the process stops'))
    const stopped = Promise.all([boss.stop({ graceful: true, close: true, timeout: timeoutMs }), ...repeating])
    await Promise.race([stopped, sleep(timeoutMs + STOP_GRACE_MS, undefined, { ref: false })])
  }
  const queues = new Set<string>()
  const requireQueue = async ({ name, options }: JobType<object>) => {
    if (queues.has(name)) return
    await boss.createQueue(name, { ...options, notify: true })
    queues.add(name)
  }
  try {
    await boss.start()
    for (const type of types) await requireQueue(type)
  } catch (error) {
    await stop(0).catch(() => undefined)
    throw error
  }
  return {
    enqueue: async (tx, type, data, afterSeconds) => {
      await requireQueue(type)
      const id = await boss.send(type.name, data, {
        db: fromKysely(tx),
        ...groupOf(type, data),
        ...(afterSeconds && { startAfter: afterSeconds }),
      })
      if (id === null) throw new Error(`the queue did not take a job of ${type.name}`)
      return id
    },
    enqueueAll: async (tx, type, all, afterSeconds) => {
      await requireQueue(type)
      const jobs = all.map((data) => ({
        data,
        ...groupOf(type, data),
        ...(afterSeconds && { startAfter: afterSeconds }),
      }))
      if (jobs.length > 0) await boss.insert(type.name, jobs, { db: fromKysely(tx) })
    },
    work: async (type, handler) => {
      const options = {
        ...WORKER,
        ...POLLING,
        ...(type.options.heartbeatSeconds !== undefined && { heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS }),
        ...(type.perOrganization !== undefined && { groupConcurrency: type.perOrganization }),
      }
      if (workersOf.size === 0) void watchDueJobs()
      const workers: string[] = []
      workersOf.set(type.name, workers)
      for (let i = 0; i < (type.perProcess ?? WORKERS_PER_TYPE); i++) {
        const worker = await boss.work(type.name, options, async ([job]: JobWithMetadata[]) => {
          if (!job) return
          // After one job there may be another: no notification is sent for jobs that become due by time.
          wake(type.name)
          try {
            await handler(job.data as never, AbortSignal.any([job.signal, stopping.signal]))
          } catch (error) {
            const isLast = job.retryCount >= job.retryLimit
            const about = { err: error, queue: type.name, job: job.id, attempt: job.retryCount + 1 }
            if (isLast) log.error(about, 'a job was given up')
            else if (!(error instanceof PutOff)) log.info(about, 'a job failed and will be tried again')
            throw error
          }
        })
        workers.push(worker)
      }
    },
    repeat: (loop) => void repeating.push(repeat(loop)),
    schedule: (type, cron) => boss.schedule(type.name, cron, {}),
    stop,
  }
}

/** Types among these with jobs that a worker could start now. */
const listDueTypes = async (db: Db, names: readonly string[]): Promise<string[]> => {
  const { rows } = await db.executeSql(
    `select t.name from unnest($1::text[]) as t (name) where exists (
      select from ${JOB_SCHEMA}.job j where j.name = t.name and j.state < 'active' and not j.blocked and j.start_after <= ${JOB_SCHEMA}.job_now())`,
    [names],
  )
  return rows.map(({ name }: { name: string }) => name)
}

/** Jobs of an organization share its slots. */
const groupOf = ({ name, perOrganization }: JobType<object>, data: object) => {
  if (perOrganization === undefined) return undefined
  if (!('organizationId' in data) || typeof data.organizationId !== 'string')
    throw new Error(`jobs of ${name} name their organization`)
  return { group: { id: data.organizationId } }
}

/** The jobs among these that wait or run. */
export const listLiveJobs = async (
  db: Database,
  types: readonly JobType<object>[],
  ids: readonly string[],
): Promise<Set<string>> => {
  const names = types.map(({ name }) => name)
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(`${JOB_SCHEMA}.job`)}
    where name = any(${names}::text[]) and id = any(${ids}::uuid[]) and state in ('created', 'retry', 'active')`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Deletes unfinished jobs of this type, so that they never run. */
export const forgetJobs = async (tx: Transaction, type: JobType<object>): Promise<void> => {
  await sql`delete from ${sql.table(`${JOB_SCHEMA}.job`)} where name = ${type.name} and state in ('created', 'retry', 'active')`.execute(
    tx,
  )
}

/** Makes waiting jobs of this type due now, whatever their time. @returns the data of all that wait or run */
export const hastenJobs = async <Data extends object>(tx: Transaction, type: JobType<Data>): Promise<Data[]> => {
  const jobs = sql.table(`${JOB_SCHEMA}.job`)
  await sql`update ${jobs} set start_after = now() where name = ${type.name} and state in ('created', 'retry') and start_after > now()`.execute(
    tx,
  )
  const { rows } = await sql<{
    data: Data
  }>`select data from ${jobs} where name = ${type.name} and state in ('created', 'retry', 'active')`.execute(tx)
  return rows.map(({ data }) => data)
}

/** Counts of one queue. */
export interface QueueCounts {
  name: string
  /** Due now. */
  waiting: number
  /** Due later. */
  delayed: number
  active: number
  failed: number
  completed: number
  /** Since when the oldest due job has been waiting. */
  oldest_waiting_at: string | null
}

/** Counts the current jobs of the program's own queues. */
export const countJobs = async (db: Database, types: readonly JobType<object>[]): Promise<QueueCounts[]> => {
  const names = types.map(({ name }) => name)
  const open = sql`j.state in ('created', 'retry')`
  const { rows } = await sql<QueueCounts>`select q.name,
      count(*) filter (where ${open} and j.start_after <= now())::int as waiting,
      count(*) filter (where ${open} and j.start_after > now())::int as delayed,
      count(*) filter (where j.state = 'active')::int as active,
      count(*) filter (where j.state = 'failed')::int as failed,
      count(*) filter (where j.state = 'completed')::int as completed,
      min(j.start_after) filter (where ${open} and j.start_after <= now()) as oldest_waiting_at
    from unnest(${names}::text[]) with ordinality as q (name, position)
    left join ${sql.table(`${JOB_SCHEMA}.job`)} j on j.name = q.name
    group by q.name, q.position order by q.position`.execute(db)
  return rows
}
