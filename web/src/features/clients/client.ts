import type { Output } from '@sortie/client/calls.ts'
import { writtenOf } from '../../shell/fields/custom/custom-fields.ts'

export type Client = Output<'getClient'>['data']

/** Values of the form; domains one per line. */
export const savedOf = ({ name, shortName, domains, contacts, notes, language, fields, updatedAt }: Client) => ({
  values: {
    name,
    shortName,
    domains: domains.join('\n'),
    contacts,
    notes,
    language: language ?? '',
    fields: writtenOf(fields),
  },
  version: updatedAt,
})

/** Reads that are stale after a client changed. */
export const staleReads = (organizationId: string) =>
  (['listClients', 'getClient', 'listEngagementSummaries', 'getEngagementDetails'] as const).map(
    (name) => [organizationId, name] as const,
  )
