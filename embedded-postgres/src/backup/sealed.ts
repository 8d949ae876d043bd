import { createHash } from 'node:crypto'

/** Writes an object as JSON text with a checksum: it reveals a damaged or truncated file, not a forged one. */
export const seal = (contents: object): string =>
  `${JSON.stringify({ ...contents, checksum: checksumOf(contents) }, null, 1)}\n`

/** @returns undefined for text that `seal` did not write, or that was changed since */
export const unseal = (text: string): Record<string, unknown> | undefined => {
  try {
    const { checksum, ...contents } = JSON.parse(text) as Record<string, unknown>
    return checksum === checksumOf(contents) ? contents : undefined
  } catch {
    return undefined
  }
}

export const checksumOf = (contents: object): string =>
  createHash('sha256').update(JSON.stringify(contents)).digest('hex')
