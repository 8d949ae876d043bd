import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vite'
import config from '../vite.config.ts'

/** The web interface with nothing between what Markdown says and what is shown: a test asks what holds then. */
export default mergeConfig(config, {
  resolve: { alias: { 'rehype-sanitize': fileURLToPath(new URL('no-sanitiser.ts', import.meta.url)) } },
})
