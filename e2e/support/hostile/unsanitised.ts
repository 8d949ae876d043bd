import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext } from '@playwright/test'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const BUILT = path.join(ROOT, 'test-results/unsanitised')

/**
 * Builds the interface without its Markdown sanitiser, and serves it to a browser in place of the server's, with the
 * headers of the server.
 */
export const serveUnsanitised = async (context: BrowserContext, origin: string): Promise<void> => {
  const vite = ['node_modules/vite/bin/vite.js', 'build', 'web', '--config', 'web/build/without-sanitiser.config.ts']
  const { status } = spawnSync(process.execPath, [...vite, '--outDir', BUILT, '--emptyOutDir', '--logLevel', 'error'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the interface without its sanitiser could not be built')
  await context.route(
    (url) => url.origin === origin && !url.pathname.startsWith('/api/'),
    async (route) => {
      const file = path.join(BUILT, new URL(route.request().url()).pathname)
      const isAsset = file.startsWith(path.join(BUILT, 'assets')) && existsSync(file)
      if (isAsset) return route.fulfill({ path: file })
      const response = await route.fetch()
      if (!response.headers()['content-type']?.startsWith('text/html')) return route.fulfill({ response })
      return route.fulfill({ response, body: readFileSync(path.join(BUILT, 'index.html')) })
    },
  )
}
