import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vite'
import config from '../vite.config.ts'

/** Web interface without the Markdown sanitiser: a test checks that the remaining layers hold. */
export default mergeConfig(config, {
  resolve: { alias: { 'rehype-sanitize': fileURLToPath(new URL('no-sanitiser.ts', import.meta.url)) } },
})
