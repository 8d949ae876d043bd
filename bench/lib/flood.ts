import type { Stage } from '../../server/test/support/server-process.ts'
import type { Sender } from './load.ts'
import { startSender } from './load.ts'
import type { MixedRequest, OpenResult } from './open-loop.ts'
import type { Server } from './processes.ts'
import { ORGANIZATION } from './sortie.ts'

const API_RATE = 100
const API_CONNECTIONS = 32
const FLOOD_CONNECTIONS = 64
/** The code that is flooded has run before, as on every server that has been up for a while. */
const WARM_REQUESTS = 20
const WARM_SECONDS = 4
const BEFORE_SECONDS = 20
const SAMPLE_MS = 250

export interface Flood {
  /** Of what there is too much, from one address. */
  mix: MixedRequest[]
  /** Requests per second. */
  rate: number
  seconds: number
}

export interface FloodResult {
  /** The API without the flood, and with it. */
  before: OpenResult
  during: OpenResult
  flood: OpenResult
  /** MB that the server has more at its fullest. */
  memoryAdded: number
}

/** What the API gives a client with a key while somebody else floods the server. */
export const underFlood = async (
  stage: Stage,
  sender: Sender,
  { origin, memoryMb }: Pick<Server, 'origin' | 'memoryMb'>,
  headers: Record<string, string>,
  { mix, rate, seconds }: Flood,
): Promise<FloodResult> => {
  const api = (duration: number) =>
    sender.open({ origin, headers, mix: [{ method: 'GET', path: ORGANIZATION, weight: 1 }], rate: API_RATE, seconds: duration, connections: API_CONNECTIONS })
  const flooder = startSender()
  stage.add(() => flooder.stop())
  await flooder.open({ origin, headers: {}, mix, rate: WARM_REQUESTS / WARM_SECONDS, seconds: WARM_SECONDS, connections: 1 })
  await api(WARM_SECONDS)
  const before = await api(BEFORE_SECONDS)
  const memoryBefore = memoryMb()
  let memory = memoryBefore
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryMb())
  }, SAMPLE_MS)
  // It lasts from before the first to after the last request that is measured.
  const flooding = flooder.open({ origin, headers: {}, mix, rate, seconds: seconds + 2, connections: FLOOD_CONNECTIONS })
  const during = await api(seconds)
  const flood = await flooding
  clearInterval(watch)
  return { before, during, flood, memoryAdded: memory - memoryBefore }
}
