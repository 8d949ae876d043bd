import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'rolldown'
import { callTable } from '../../client/src/call-table.ts'
import { ENDPOINTS } from '../../contract/src/core/contract.ts'
import { ROOT } from '../runtime.mjs'

const NAME = 'virtual:contract'

const { version } = JSON.parse(readFileSync(path.join(ROOT, 'server/package.json'), 'utf8'))

/** Filters and order of a list, as options of its command. */
const optionsOf = (name) => {
  const endpoint = ENDPOINTS.find(({ id }) => id === name)
  return Object.entries(endpoint?.query.properties ?? {})
    .filter(([option]) => !['cursor', 'page', 'perPage'].includes(option))
    .map(([option, schema]) => ({
      name: option,
      about: schema.description ?? '',
      values: schema.enum ?? [],
      type: schema.type === 'boolean' ? 'boolean' : 'string',
      repeats: schema['x-repeats'] === true,
    }))
}

/**
 * Methods and paths of the calls with a key, and the filters of lists, as a generated module: the contract itself would
 * add TypeBox and every schema.
 */
const contractTable = {
  name: 'contract-table',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => {
    if (id !== `\0${NAME}`) return undefined
    const calls = callTable(ENDPOINTS, ['key'])
    const filters = Object.fromEntries(
      Object.keys(calls)
        .filter((call) => call.startsWith('list'))
        .map((call) => [call, optionsOf(call)]),
    )
    return [
      `export const VERSION = ${JSON.stringify(version)}`,
      `export const CALLS = ${JSON.stringify(calls)}`,
      `export const FILTERS = ${JSON.stringify(filters)}`,
    ].join('\n')
  },
}

/** The command line of testers: one file without dependencies, for Node 20 and later. */
export default defineConfig({
  cwd: ROOT,
  input: { sortie: 'cli/src/main.ts' },
  platform: 'node',
  transform: { target: 'node20' },
  plugins: [contractTable],
  output: {
    dir: path.join(ROOT, 'cli/dist'),
    format: 'esm',
    entryFileNames: '[name].mjs',
    codeSplitting: false,
    cleanDir: true,
    banner: '#!/usr/bin/env node',
  },
})
