// npm run sortie -- <command>: what an operator does without the web interface. Installs and builds nothing, and writes nothing
// into the checkout: servers may be running from it, and the user of the service may only read it.
import { builtServer } from './build-server.mjs'
import { become, node, requireInstalled } from './runtime.mjs'

requireInstalled()
become(node(), [builtServer().operator, ...process.argv.slice(2)], { keepsCompiled: false })
