import { portsIn, readPorts } from '../../../src/features/scans/scanners/ports/port-ranges.ts'
import type { Listener } from '../clients/listeners.ts'

/** The hundred ports of every TCP profile, rarely used ones first. */
const PORTS = [...portsIn(readPorts('top-100'))].filter((port) => port >= 8_000).toReversed()

/** Listens on one of the hundred most common ports that is free: another test may use one of them. */
export const listenOnCommonPort = async (listenAt: (port: number) => Promise<Listener>): Promise<Listener> => {
  for (const port of PORTS) {
    try {
      return await listenAt(port)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error('every one of these ports is in use')
}
