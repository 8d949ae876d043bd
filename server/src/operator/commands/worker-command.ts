import { readConfigWith } from '../../platform/config.ts'
import { runServer } from '../../process/run.ts'
import { type Command, exactly, UsageError } from '../command-line.ts'

/** A server that only runs jobs, next to those that answer requests: with their settings, and its own ports. */
export const worker: Command = async ({ operands, only, port = '0', metricsPort }) => {
  exactly(operands, 0)
  if (!isPort(port)) throw new UsageError('--port must be a number up to 65535')
  if (metricsPort !== undefined && (!isPort(metricsPort) || Number(metricsPort) === 0))
    throw new UsageError('--metrics-port must be a number from 1 to 65535')
  const own = { SORTIE_ROLE: 'worker', METRICS_PORT: metricsPort, ...(only !== undefined && { SORTIE_JOBS: only }) }
  const config = readConfigWith(own)
  await runServer(config, Number(port))
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535
