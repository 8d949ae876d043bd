import { callTable } from '@sortie/client/call-table.ts'
import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import type { Plugin } from 'vite'

const NAME = 'virtual:call-table'

/** Methods and paths of the contract as a generated module: with the contract's schemas it would be 50 kB larger. */
export const callTablePlugin = (): Plugin => ({
  name: 'call-table',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) =>
    id === `\0${NAME}` ? `export const CALLS = ${JSON.stringify(callTable(ENDPOINTS, ['web', 'auth']))}` : undefined,
})
