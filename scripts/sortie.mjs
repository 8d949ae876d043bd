// npm run sortie -- <command>: what an operator does without the web interface.
import { buildServer } from './build-server.mjs'
import { become, install, node } from './runtime.mjs'

install()
become(node(), [buildServer().operator, ...process.argv.slice(2)])
