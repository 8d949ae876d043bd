import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { callTablePlugin } from './build/call-table.ts'
import { contractWords } from './build/contract-words.ts'
import { precompress } from './build/precompress.ts'
import { themeVariables } from './build/theme-variables.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeVariables(), callTablePlugin(), contractWords(), precompress()],
  build: {
    sourcemap: false,
    // Data addresses are no scripts: everything small may still be inlined but fonts and styles come as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: { port: 5173, proxy: { '/api': 'http://localhost:3001' } },
})
