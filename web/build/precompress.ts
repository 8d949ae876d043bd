import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Below this size compression saves almost nothing. */
const LEAST_BYTES = 1_024

/**
 * Writes `.br` and `.gz` files next to each asset: the server sends them unchanged and never compresses the same bytes
 * twice.
 */
export const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: ({ dir }) => {
    const assets = path.join(dir as string, 'assets')
    for (const name of readdirSync(assets)) {
      if (!/\.(?:js|css|svg)$/.test(name)) continue
      const file = path.join(assets, name)
      const bytes = readFileSync(file)
      if (bytes.length < LEAST_BYTES) continue
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
})
