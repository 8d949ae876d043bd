import { once } from 'node:events'
import { type Check, EgressRefusedError, type Outbound } from './outbound.ts'

/** Connecting a UDP socket sends nothing, so no rule has to allow it. */
const SENDS_NOTHING: Check = () => undefined

/**
 * The address of this machine from which a connection to that host would start; asks the system and sends nothing. Null
 * without a route.
 */
export const findSourceAddress = async (outbound: Outbound, host: string, port: number): Promise<string | null> => {
  try {
    const socket = await outbound.connectUdp({ host, port, check: SENDS_NOTHING })
    const { address } = socket.address()
    socket.close()
    await once(socket, 'close')
    return address
  } catch (error) {
    // No route (ENETUNREACH), or none from the available ports: then the address is unknown.
    if (error instanceof EgressRefusedError || (error as NodeJS.ErrnoException).syscall !== undefined) return null
    throw error
  }
}
