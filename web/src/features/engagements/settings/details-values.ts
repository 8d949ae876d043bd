import type { EngagementDetails } from '../../../shell/context/engagement.tsx'
import { KIND_LABELS } from '../kinds.ts'
import { describeWindows, type TestingHours } from '../testing-hours.ts'

/** Details as form values: people by id. */
export interface DetailsValues extends Record<string, unknown> {
  clientName: string
  kind: EngagementDetails['kind']
  startsOn: string | null
  endsOn: string | null
  testingHours: TestingHours | null
  lead: string | null
  team: string[]
  contacts: EngagementDetails['contacts']
  access: EngagementDetails['access']
}

export const savedOf = (details: EngagementDetails): { values: DetailsValues; version: string } => ({
  values: {
    clientName: details.clientName,
    kind: details.kind,
    startsOn: details.startsOn,
    endsOn: details.endsOn,
    testingHours: details.testingHours,
    lead: details.lead?.id ?? null,
    team: details.team.map(({ id }) => id),
    contacts: details.contacts,
    access: details.access,
  },
  version: details.updatedAt,
})

export const ACCESS_LABELS: Record<EngagementDetails['access'], string> = {
  organization: 'Everyone in the organization',
  team: 'Its lead and team, the owner and admins',
}

/** Field labels for the conflict view. @param nameOf resolves a person's id to a name */
export const labelsWith = (nameOf: (id: string) => string) => ({
  clientName: 'Client',
  kind: { label: 'Kind', show: (kind: EngagementDetails['kind']) => KIND_LABELS[kind] },
  startsOn: 'First day',
  endsOn: 'Last day',
  testingHours: {
    label: 'Testing hours',
    show: (hours: TestingHours | null) =>
      hours ? `${describeWindows(hours).join('; ')} (${hours.timeZone})` : 'Any time',
  },
  lead: { label: 'Lead', show: (id: string | null) => (id === null ? 'None' : nameOf(id)) },
  team: { label: 'Team', show: (ids: string[]) => ids.map(nameOf).join(', ') || 'None' },
  contacts: {
    label: 'Contacts',
    show: (contacts: EngagementDetails['contacts']) =>
      contacts.map((contact) => Object.values(contact).filter(Boolean).join(', ')).join('; ') || 'None',
  },
  access: { label: 'Visible to', show: (access: EngagementDetails['access']) => ACCESS_LABELS[access] },
})
