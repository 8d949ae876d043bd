import { text as readAll } from 'node:stream/consumers'
import { CALLS, FILTERS } from 'virtual:contract'
import { openSession, type Session } from '../account/session.ts'
import type { Arguments, Command, Option } from '../program/command.ts'
import { EXIT, usageError } from '../program/exit.ts'
import { print, printJson, printTable } from '../program/terminal.ts'
import { type Action, ACTIONS, type ResourceKind } from './kinds.ts'
import { cellOf, csvLine, isRow, type Row } from './rows.ts'

/** Rows in one request: the most that the API takes. */
const ROWS_AT_ONCE = 100

const FORMATS: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', about: 'print one JSON object per line' },
  csv: { type: 'boolean', about: 'print CSV' },
  all: { type: 'boolean', about: 'of every engagement, instead of the chosen one' },
  limit: { type: 'string', value: 'N', about: 'at most so many rows; without it all' },
}

/** `engagementId` as an option: `--engagement-id`. */
export const optionName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const filtersOf = ({ calls }: ResourceKind) => FILTERS[calls.list ?? ''] ?? []

/** A command with the actions of one kind of object. */
export const resourceCommand = (kind: ResourceKind): Command => {
  const actions = ACTIONS.filter((action) => kind.calls[action] !== undefined)
  return {
    name: kind.name,
    actions,
    usage: `${kind.name} ${actions.join('|')} [ID] [OPTIONS]`,
    summary: kind.summary,
    details:
      '`list` prints a table, one JSON object per line, or CSV, of all pages. `create` and `update` read a JSON object from standard input; its fields are those of the API.',
    options: {
      ...Object.fromEntries(
        filtersOf(kind).map(({ name, about, values, type, repeats }) => [
          optionName(name),
          {
            type,
            multiple: repeats,
            value: values.length > 0 ? values.join('|') : 'VALUE',
            about: about === '' ? `filter by ${name}` : about,
          } satisfies Option,
        ]),
      ),
      ...FORMATS,
    },
    run: async (environment, args) => {
      const [action = 'list', id, ...others] = args.positionals
      const known = actions.find((each) => each === action)
      if (!known) throw usageError(`${kind.name} has no action "${action}": it has ${actions.join(', ')}.`)
      if (others.length > 0) throw usageError('One id at a time.')
      const session = openSession(environment)
      if (known === 'list') await list(session, kind, args)
      else printJson(await single(session, kind, known, id))
      return EXIT.ok
    },
  }
}

const call = (session: Session, name: string, input: object): Promise<unknown> => {
  const named: unknown = Reflect.get(session.api, name)
  if (typeof named !== 'function') throw usageError('This instance does not have this action.')
  return Promise.resolve(named(input))
}

const list = async (session: Session, kind: ResourceKind, args: Arguments): Promise<void> => {
  const query: Record<string, unknown> = { perPage: ROWS_AT_ONCE }
  for (const { name, type, repeats } of filtersOf(kind)) {
    const option = optionName(name)
    if (type === 'boolean' && args.flag(option)) query[name] = true
    else if (args.text(option) !== undefined) query[name] = repeats ? args.texts(option) : args.text(option)
  }
  const takesEngagement = filtersOf(kind).some(({ name }) => name === 'engagementId')
  if (takesEngagement && !args.flag('all') && query['engagementId'] === undefined && session.engagement)
    query['engagementId'] = session.engagement.id
  const write = writerOf(kind, args)
  let left = limitOf(args.text('limit'))
  for await (const rows of pagesOf(session, kind, query)) {
    write(rows.slice(0, left))
    left -= rows.length
    if (left <= 0) return
  }
}

const limitOf = (text: string | undefined): number => {
  if (text === undefined) return Number.POSITIVE_INFINITY
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1) throw usageError('--limit is a number from 1 on.')
  return limit
}

async function* pagesOf(session: Session, kind: ResourceKind, query: Readonly<Record<string, unknown>>) {
  let next: Record<string, unknown> | undefined = {}
  while (next) {
    const answer = await call(session, kind.calls.list ?? '', { query: { ...query, ...next } })
    if (!isRow(answer) || !Array.isArray(answer['data'])) throw new Error('The server answered in another form.')
    yield answer['data'].filter(isRow)
    const meta = isRow(answer['meta']) ? answer['meta'] : {}
    const { nextCursor, page, totalPages } = meta
    if (typeof nextCursor === 'string') next = { cursor: nextCursor }
    else if (typeof page === 'number' && typeof totalPages === 'number' && page < totalPages) next = { page: page + 1 }
    else next = undefined
  }
}

const writerOf = ({ columns }: ResourceKind, args: Arguments): ((rows: readonly Row[]) => void) => {
  if (args.flag('json')) return (rows) => rows.forEach(printJson)
  if (!args.flag('csv'))
    return (rows) => {
      const shown = columns.filter((column) => rows.some((row) => row[column] !== undefined))
      printTable(rows.map((row) => shown.map((column) => cellOf(row[column]))))
    }
  let names: string[] | undefined
  return (rows) => {
    if (!names && rows[0]) {
      names = Object.keys(rows[0])
      print(csvLine(names))
    }
    for (const row of rows) print(csvLine((names ?? []).map((name) => cellOf(row[name]))))
  }
}

const single = async (
  session: Session,
  { name, calls }: ResourceKind,
  action: Exclude<Action, 'list'>,
  id: string | undefined,
): Promise<unknown> => {
  const operation = calls[action] ?? ''
  const parameter = CALLS[operation]?.path.split('/').find((part) => part.startsWith(':'))
  if (parameter !== undefined && id === undefined) throw usageError(`Give an id: \`sortie ${name} ${action} ID\`.`)
  const params = parameter === undefined || id === undefined ? {} : { [parameter.slice(1)]: id }
  const takesBody = action === 'create' || action === 'update'
  const body = takesBody ? await readBody(session, action) : undefined
  const answer = await call(session, operation, { params, ...(body && { body }) })
  return isRow(answer) ? answer['data'] : answer
}

/** A JSON object of standard input; a new object belongs to the chosen engagement unless it says otherwise. */
const readBody = async (session: Session, action: 'create' | 'update'): Promise<Row> => {
  const written = await readAll(process.stdin)
  const body = parsed(written)
  if (!isRow(body)) throw usageError('Give the fields as one JSON object on standard input.')
  if (action === 'update' || !session.engagement || 'engagementId' in body || 'name' in body) return body
  return { engagementId: session.engagement.id, ...body }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
