import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const CONTRACT = realpathSync(path.join(import.meta.dirname, '../../contract/src'))

/**
 * Of the contract's files, the interface gets the words alone (`ENGAGEMENT_STATUSES`, limits): lists, texts and numbers.
 * Schemas and endpoints are types to it, and would bring TypeBox along, 50 kB for nothing. Files without schemas come as
 * they are.
 */
export const contractWords = (): Plugin => ({
  name: 'contract-words',
  async transform(code, id) {
    if (path.dirname(id) !== CONTRACT || !/from ['"]typebox['"]/.test(code)) return undefined
    const exported = Object.entries((await import(id)) as Record<string, unknown>).filter(([, value]) => isWords(value))
    return { code: exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n'), map: null }
  },
})

const isWords = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number'))
