// P19: disk of Postgres and memory by the number of results. One real import is copied in SQL, with all that belongs to it.
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, inTurn, type Measured, msOf, reported } from '../../lib/figure.ts'
import { sql, startWithOrganization } from '../../lib/sortie.ts'
import { scan } from './p10-import.ts'

/** Sizes up to `--count` are measured. */
const SIZES = [100_000, 1_000_000, 5_000_000]
/** The import has 42 results a host: the host, its name, and the services and technologies of twenty ports. */
const HOSTS = 2_400
const COPIES_PER_ENGAGEMENT = 10
const TABLES = ['targets', 'target_verdicts', 'results', 'observations', 'scan_coverage']
const ASKED = ['', '&severity=high', '&port=8003', '&sort=asset', '&state=gone', '&q=nginx+1.25.3', '&q=nowhere']
const MB = 1e6

export const title = `Disk and memory by the number of results: ${SIZES.map((size) => size.toLocaleString('en')).join(', ')} (count: results)`
export const count = 1_000_000

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { url, server, headers, ask } = await startWithOrganization(bench, { RESULT_LIMIT: '10000000' })
  const { data: first } = await ask('POST', '/api/v1/engagements', { name: 'Imported' })
  const sent = await fetch(`${server.origin}/api/v1/imports?engagementId=${first.id}&fileName=scan.xml`, {
    method: 'POST',
    headers,
    body: new Uint8Array(await buffer(Readable.from(scan(HOSTS)))),
  })
  let { data: found } = (await sent.json()) as { data: { id: string; state: string } }
  while (['received', 'parsing'].includes(found.state)) {
    await sleep(500)
    found = (await ask('GET', `/api/v1/imports/${found.id}`)).data
  }
  const postmaster = await postmasterOf(url)
  bench.note(`at rest: server ${mb(server.memoryMb())}, Postgres ${mb(memoryOf(postmaster))}`)
  const columns = await inTurn(TABLES, (table) => columnsOf(url, table))
  const perCopy = await countResults(url)
  let [copies, largest] = [0, first.id as string]
  const measured: Measured[] = []
  for (const size of SIZES.filter((each) => each <= bench.count)) {
    for (; (copies + 1.5) * perCopy < size; copies++) {
      if (copies % COPIES_PER_ENGAGEMENT === 0)
        largest = (await ask('POST', '/api/v1/engagements', { name: `Copy ${copies}` })).data.id
      await copy(url, columns, copies, first.id, largest)
    }
    await sql(url, `vacuum analyze ${TABLES.join()}, object_words`)
    const name = `${(await countResults(url)).toLocaleString('en')} results`
    const [{ bytes }] = await sql(url, 'select pg_database_size(current_database())::float8 as bytes')
    measured.push(reported(`disk of ${name}`, 'MB', [bytes / MB]))
    for (const part of await partsOf(url)) bench.note(`${name}: ${part}`)
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, memoryOf(postmaster))), 100)
    const { addedMb } = await server.memoryDuring(() =>
      inTurn(ASKED, async (query) => {
        const ms = await msOf(() => ask('GET', `/api/v1/results?engagementId=${largest}&perPage=100${query}`))
        bench.note(`${name}: ${query || 'first page'} ${ms.toFixed(0)} ms`)
      }),
    )
    clearInterval(watch)
    measured.push(
      reported(`memory of Postgres during lists of ${name}`, 'MB', [peak]),
      reported(
        `memory of the server during lists of ${name}`,
        'MB',
        [server.memoryMb()],
        `${mb(addedMb)} above before`,
      ),
    )
  }
  return measured
}

const mb = (value = 0): string => `${value.toFixed(0)} MB`
const countResults = async (url: string): Promise<number> =>
  (await sql(url, 'select count(*)::int as count from results'))[0].count

/** Columns that an insert may write. */
const columnsOf = async (url: string, table: string): Promise<{ name: string; isText: boolean }[]> =>
  sql(
    url,
    `select quote_ident(attname) as name, atttypid = 'text'::regtype as "isText" from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '' order by attnum`,
  )

/**
 * Copies every row of the imported engagement into another one. Foreign keys are not checked; the trigger that writes the
 * words of the search runs.
 *
 * @param number replaces the start of every id, and of identities; distinct for each copy
 */
const copy = async (
  url: string,
  columns: { name: string; isText: boolean }[][],
  number: number,
  from: string,
  to: string,
): Promise<void> => {
  const mark = `z${number.toString(32).padStart(2, '0')}`
  const valueOf = ({ name, isText }: { name: string; isText: boolean }) => {
    if (name === 'engagement_id') return `'${to}'`
    if (name === 'identity')
      return isText ? `overlay(identity placing '${mark}' from 1)` : `sha256(identity || '${mark}'::bytea)`
    return isText && /(?:^|_)id$/.test(name) && name !== 'organization_id'
      ? `overlay(${name} placing '${mark}' from 5)`
      : name
  }
  const inserts = TABLES.map(
    (table, index) => `insert into ${table} (${columns[index]?.map(({ name }) => name).join()})
      select ${columns[index]?.map(valueOf).join()} from ${table} where engagement_id = '${from}'`,
  )
  await sql(
    url,
    'set session_replication_role = replica',
    'alter table results enable always trigger words_of_added',
    'alter table targets enable always trigger words_of_added',
    ...inserts,
  )
}

/** @returns tables and indexes of more than a hundredth of the database, the largest first */
const partsOf = async (url: string): Promise<string[]> => {
  const rows = await sql(
    url,
    `select c.relname as name, c.relkind as kind, (pg_table_size(c.oid) / ${MB})::int as mb from pg_class c
      where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace
        and pg_table_size(c.oid) > pg_database_size(current_database()) / 100 order by mb desc`,
  )
  return rows.map(({ name, kind, mb: size }) => `${kind === 'r' ? 'table' : 'index'} ${name} ${size} MB`)
}

const postmasterOf = async (url: string): Promise<number> => {
  const [{ file }] = await sql(url, "select pg_read_file('postmaster.pid') as file")
  return Number(file.split('\n')[0])
}

/** Megabytes of a process and its children, shared pages counted once. */
const memoryOf = (postmaster: number): number => {
  const pids = readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === postmaster
      )
    } catch {
      return false // It has ended.
    }
  })
  return [String(postmaster), ...pids].reduce((all, pid) => {
    try {
      return all + Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
    } catch {
      return all
    }
  }, 0)
}
