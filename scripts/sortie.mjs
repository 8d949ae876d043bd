// npm run sortie -- <command>: what an operator does without the web interface.
import { become, install, node } from './runtime.mjs'

install()
become(node(), ['server/src/operator/cli.ts', ...process.argv.slice(2)])
