// What `npm run dev` runs under `node --watch`. With this variable, which the watcher sets, Node sends the names of
// loaded modules from every worker thread to the code that started the thread, among the thread's own messages (Node
// 24). The watcher needs them for nothing: it watches whole folders.
delete process.env.WATCH_REPORT_DEPENDENCIES
await import('../server/src/process/main.ts')
