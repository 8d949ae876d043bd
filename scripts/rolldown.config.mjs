import path from 'node:path'
import { defineConfig } from 'rolldown'
import { ROOT } from './runtime.mjs'

const DIST = path.join(ROOT, 'server/dist')

/**
 * What a module finds beside its source (migrations, files that run in threads), it finds there when it is built too. The
 * checkout may be moved afterwards.
 */
const besideTheSource = {
  name: 'beside-the-source',
  transform: {
    filter: { id: /\/(?:server|embedded-postgres)\/src\/.*\.ts$/, code: /import\.meta\.url/ },
    handler: (code, id) => {
      const source = path.relative(DIST, id).split(path.sep).join('/')
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
    },
  },
}

/** Libraries that load machine code, or files of their own by name. */
const APART = ['@node-rs/argon2', 'piscina', 'pg-native']

export default defineConfig({
  cwd: ROOT,
  input: { main: 'server/src/process/main.ts', operator: 'server/src/operator/cli.ts' },
  platform: 'node',
  external: APART,
  plugins: [besideTheSource],
  output: { dir: DIST, format: 'esm', cleanDir: true },
})
