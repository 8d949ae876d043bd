import { callTable } from '@sortie/client/call-table.ts'
import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import type { Plugin } from 'vite'

const NAME = 'virtual:call-table'

/**
 * Methods and paths of the contract as a generated module: with the contract's schemas it would be 50 kB larger. One line
 * a call, as in `getTask GET /api/web/tasks/:taskId`, which is 1 kB less than objects.
 */
export const callTablePlugin = (): Plugin => ({
  name: 'call-table',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? moduleOf(callTable(ENDPOINTS, ['web', 'auth'])) : undefined),
})

const moduleOf = (calls: ReturnType<typeof callTable>): string => {
  const lines = Object.entries(calls).map(([name, { method, path, ...others }]) =>
    [name, method, path, ...(Object.keys(others).length > 0 ? [JSON.stringify(others)] : [])].join(' '),
  )
  return `export const CALLS = Object.fromEntries(${JSON.stringify(lines.join('\n'))}.split('\\n').map((line) => {
    const [name, method, path, others = '{}'] = line.split(' ')
    return [name, { method, path, ...JSON.parse(others) }]
  }))`
}
