import path from 'node:path'
import { defineConfig } from 'rolldown'
import { ROOT } from './runtime.mjs'

const DIST = path.join(ROOT, 'server/dist')

/**
 * What a module finds beside its source, such as migrations, it finds there when it is built too: the checkout may be moved
 * afterwards. A module that it runs in a thread or a process of its own is built as well.
 */
const besideTheSource = {
  name: 'beside-the-source',
  transform: {
    filter: { id: /\/(?:server|embedded-postgres)\/src\/.*\.ts$/, code: /import\.meta\.url/ },
    handler(code, id) {
      const source = path.relative(DIST, id).split(path.sep).join('/')
      return code.replaceAll(/new URL\('([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g, (_, name) => {
        if (name === undefined) return `new URL(${JSON.stringify(source)}, import.meta.url).href`
        this.emitFile({ type: 'chunk', id: path.join(path.dirname(id), `${name}.ts`), fileName: `${name}.js` })
        return `new URL('${name}.js', import.meta.url)`
      })
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
