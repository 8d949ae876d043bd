import { parseConfig } from '../platform/config.ts'
import { readEnvironment } from '../platform/environment.ts'
import { runServer } from '../process/run.ts'
import { type Command, exactly, UsageError } from './command-line.ts'

/** A server that only does jobs, beside those that answer: with their settings, and a port of its own. */
export const worker: Command = async ({ operands, only, port = '0' }) => {
  exactly(operands, 0)
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port must be a number up to 65535')
  const config = parseConfig({ ...readEnvironment(), SORTIE_ROLE: 'worker', ...(only !== undefined && { SORTIE_JOBS: only }) })
  await runServer(config, Number(port))
}
