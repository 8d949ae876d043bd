import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { callTable } from '@sortie/client/call-table.ts'
import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import type { Plugin } from 'vite'

const SOURCES = path.resolve(import.meta.dirname, '../src')

const NAME = 'virtual:call-table'

/**
 * Methods and paths of the contract as a generated module: with the contract's schemas it would be 50 kB larger. One line
 * a call, as in `/api/web/tasks/:taskId GET getTask`, in the order of the paths: neighbors compress best, which saves
 * 1.5 kB over objects.
 */
export const callTablePlugin = (): Plugin => ({
  name: 'call-table',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? moduleOf(callTable(namedInSources(), ['web', 'auth'])) : undefined),
})

/** The first page would load the calls that no page makes, too. Pages name a call as a literal. */
const namedInSources = () => {
  const words = new Set(
    readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => readFileSync(path.join(SOURCES, file), 'utf8').match(/\w+/g) ?? []),
  )
  return ENDPOINTS.filter(({ id }) => words.has(id))
}

const moduleOf = (calls: ReturnType<typeof callTable>): string => {
  const lines = Object.entries(calls).map(([name, { method, path, ...others }]) =>
    [path, method, name, ...(Object.keys(others).length > 0 ? [JSON.stringify(others)] : [])].join(' '),
  )
  return `export const CALLS = Object.fromEntries(${JSON.stringify(lines.toSorted().join('\n'))}.split('\\n').map((line) => {
    const [path, method, name, others = '{}'] = line.split(' ')
    return [name, { method, path, ...JSON.parse(others) }]
  }))`
}
