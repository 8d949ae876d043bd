import { once } from 'node:events'
import { type Check, EgressRefusedError, type Outbound } from './outbound.ts'

/** Connecting a UDP socket sends nothing: no rule has to permit it. */
const SENDS_NOTHING: Check = () => undefined

/**
 * The address of this machine from which a connection there would begin: the system is asked, and nothing sent. Null where
 * there is no way.
 */
export const findSourceAddress = async (outbound: Outbound, host: string, port: number): Promise<string | null> => {
  try {
    const socket = await outbound.connectUdp({ host, port, check: SENDS_NOTHING })
    const { address } = socket.address()
    socket.close()
    await once(socket, 'close')
    return address
  } catch (error) {
    // No way there (ENETUNREACH), or not from the ports that are left: then there is nothing to say.
    if (error instanceof EgressRefusedError || (error as NodeJS.ErrnoException).syscall !== undefined) return null
    throw error
  }
}
