import { portsIn, readPorts } from '../../src/features/scans/scanners/port-ranges.ts'
import type { Listener } from './listeners.ts'

/** Of the hundred that every profile of TCP asks, those that seldom anything listens on come first. */
const PORTS = [...portsIn(readPorts('top-100'))].filter((port) => port >= 8_000).toReversed()

/** Listens on a port that is among the hundred most common, and that nothing else listens on: another test may have one of them. */
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
