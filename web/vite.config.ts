import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { callTablePlugin } from './build/call-table.ts'
import { contractWords } from './build/contract-words.ts'
import { precompress } from './build/precompress.ts'
import { themeVariables } from './build/theme-variables.ts'

/**
 * What the first page needs, with all that it imports, is one file: otherwise what pages share is cut into fifty, each asked
 * for by itself. Pages and the preview of a list come when they are opened.
 */
const FIRST =
  /web\/src\/(?:main|shell\/(?:layout\/(?:SignedIn|Organization)Layout|routing\/guards)|features\/engagements\/list\/EngagementsPage)\.tsx/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeVariables(), callTablePlugin(), contractWords(), precompress()],
  build: {
    sourcemap: false,
    // Data addresses are no scripts: everything small may still be inlined but fonts and styles come as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shell', test: FIRST, includeDependenciesRecursively: true }] } },
    },
  },
  // `npm run dev` chooses the port of the server.
  server: { port: 5173, proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 3001}` } },
})
