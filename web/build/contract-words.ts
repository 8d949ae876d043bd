import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const CONTRACT = realpathSync(path.join(import.meta.dirname, '../../contract/src')) + path.sep

/**
 * Reduces contract files to their constants for the interface (`ENGAGEMENT_STATUSES`, limits): lists, texts and
 * numbers. The interface uses schemas and endpoints only as types, and bundling them would add TypeBox, 50 kB. Files
 * without schemas are unchanged.
 */
export const contractWords = (): Plugin => ({
  name: 'contract-words',
  async transform(code, id) {
    if (!id.startsWith(CONTRACT) || !/from ['"]typebox['"]/.test(code)) return undefined
    const exported = Object.entries((await import(id)) as Record<string, unknown>).filter(([, value]) => isWords(value))
    return {
      code: exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n'),
      map: null,
    }
  },
})

const isWords = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number'))
