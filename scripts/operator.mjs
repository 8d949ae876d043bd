// npm run operator -- <command>: commands for operators outside the web interface. Installs and builds nothing, and
// writes nothing into the checkout: servers may run from it, and the service's user may only read it.
import { builtServer } from './build/build-server.mjs'
import { become, node, requireInstalled } from './runtime.mjs'

if (process.env.npm_lifecycle_event === 'sortie')
  console.error('`npm run sortie` is now `npm run operator`; `sortie` is the command line of testers (docs/cli.md).')
requireInstalled()
become(node(), [builtServer().operator, ...process.argv.slice(2)], { keepsCompiled: false })
