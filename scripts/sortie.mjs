// npm run sortie -- <command>: the old name of `npm run operator`. `sortie` is the command line of testers.
console.error('`npm run sortie` is now `npm run operator`; `sortie` is the command line of testers (docs/cli.md).')
await import('./operator.mjs')
