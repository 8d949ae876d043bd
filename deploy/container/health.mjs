// The health check of the image: exit code 0 while the server, or a worker, is ready.
const { PORT = '3001' } = process.env
try {
  const { ok, status } = await fetch(`http://127.0.0.1:${PORT}/api/health`, { signal: AbortSignal.timeout(4_000) })
  if (!ok) console.error(`/api/health answers ${status}`)
  process.exitCode = ok ? 0 : 1
} catch (error) {
  console.error(`/api/health does not answer: ${error.message}`)
  process.exitCode = 1
}
