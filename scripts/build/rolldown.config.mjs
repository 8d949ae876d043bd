import path from 'node:path'
import { defineConfig } from 'rolldown'
import { ROOT } from '../runtime.mjs'

const DIST = path.join(ROOT, 'server/dist')

/**
 * Lets built modules find files next to their source, such as migrations, even if the checkout is moved later. Also
 * builds modules that run in a thread or a process.
 */
const nextToTheSource = {
  name: 'next-to-the-source',
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

/** Libraries that load native code, or their own files by name. */
const APART = ['@node-rs/argon2', '@myriaddreamin/typst-ts-node-compiler', 'piscina', 'pg-native']

export default defineConfig({
  cwd: ROOT,
  input: { main: 'server/src/process/main.ts', operator: 'server/src/operator/cli.ts' },
  platform: 'node',
  external: APART,
  plugins: [nextToTheSource],
  output: { dir: DIST, format: 'esm', cleanDir: true },
})
