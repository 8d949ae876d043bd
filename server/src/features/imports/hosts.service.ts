import type { Transaction } from '../../platform/database/transaction.ts'
import type { Sighting } from '../results/sightings.ts'
import type { Source } from '../results/sources.ts'

/** What a source speaks of: a host, and the name by which it was asked. */
export type Place = Pick<Sighting, 'host' | 'askedName'>

export interface Hosts {
  targetOf(place: Place): string | null
  isOut(place: Place): boolean
}

export const findHosts = async (_tx: Transaction, _source: Source, _places: readonly Place[]): Promise<Hosts> => ({ targetOf: () => null, isOut: () => false })

export const countTargets = async (_tx: Transaction, _organizationId: string, _importId: string) => ({ created: 0, known: 0 })

export const takeBackTargets = async (_tx: Transaction, _organizationId: string, _importId: string): Promise<void> => undefined
