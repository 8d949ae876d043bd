// npm run openapi: rewrites docs/openapi.json and the other documents that are made from the sources.
import { install, node, run } from './runtime.mjs'

install()
process.exit(run(node(), ['server/src/write-documents.ts']))
