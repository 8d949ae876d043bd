import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { callTablePlugin } from './build/call-table.ts'
import { contractWords } from './build/contract-words.ts'
import { precompress } from './build/precompress.ts'
import { themeVariables } from './build/theme-variables.ts'

/**
 * What the first page needs, with all that it imports, is one file: otherwise what pages share is cut into fifty, each
 * asked for by itself. Pages and the preview of a list come when they are opened. The password field of the sign-in
 * page needs `use-uncontrolled`: without it here, that page loads the overlays.
 */
const FIRST =
  /web\/src\/(?:main|shell\/(?:layout\/(?:SignedIn|Organization)Layout|routing\/guards)|features\/engagements\/list\/EngagementsPage)\.tsx|@mantine\/hooks\/esm\/use-uncontrolled\//

/**
 * Menus, dialogs, toasts and the completion of filters, with their libraries: one file, loaded once the first page is
 * shown (`useOverlaysAfterFirstPage`).
 */
const OVERLAYS = new RegExp(
  `web/src/(?:ui/(?:dialogs/(?:Dialog|DropdownMenu)|overlays/Hint|toasts/ToastArea|filters/(?:CompletedField|FilterEditor|FilterItems)|grid/columns/DisplayItems)|shell/(?:banners/SafeModeBar|layout/NavigationDrawer|palette/(?:PaletteDialog|KeySheet)|sidebar/SidebarItems|views/ViewItems)|forms/unsaved/UnsavedQuestion)\\.tsx`,
)

/** The text field of forms: the sign-in page has it, and loads no overlays. */
const FIELDS = /@mantine\/core\/esm\/components\/(?:TextInput|Input|InputBase)\//

/** Chunks that tests and people look for by name. */
const NAMED: ReadonlySet<string> = new Set(['shell', 'fields', 'overlays', 'rolldown-runtime'])

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeVariables(), callTablePlugin(), contractWords(), precompress()],
  build: {
    sourcemap: false,
    // Data addresses are no scripts: everything small may still be inlined but fonts and styles come as files.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A part is asked for when its styles are there: without styles it needs no entry of its own, which is 1 kB less
      // in all.
      resolveDependencies: (file, deps) =>
        deps.some((dep) => dep.endsWith('.css')) ? deps : deps.filter((dep) => dep !== file),
    },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // The shell names every file of the interface. 7 characters of a hash are enough for them, and what pages share
        // needs no name.
        chunkFileNames: ({ name, isDynamicEntry }) =>
          isDynamicEntry || NAMED.has(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:8].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'shell', test: FIRST, includeDependenciesRecursively: true, priority: 2 },
            { name: 'fields', test: FIELDS, includeDependenciesRecursively: true, priority: 1.5 },
            { name: 'overlays', test: OVERLAYS, includeDependenciesRecursively: true, priority: 1 },
          ],
        },
      },
    },
  },
  // `npm run dev` chooses the port of the server.
  server: { port: 5173, proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 3001}` } },
})
