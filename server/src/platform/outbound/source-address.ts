import { once } from 'node:events'
import { EgressRefusedError, type Outbound } from './outbound.ts'

/**
 * The address of this machine from which a connection there would begin: the system is asked, and nothing sent. Null where
 * there is no way.
 */
export const findSourceAddress = async (outbound: Outbound, host: string, port: number): Promise<string | null> => {
  try {
    const socket = await outbound.connectUdp({ host, port })
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
