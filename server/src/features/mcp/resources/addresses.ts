import type { Link } from '../tools/tool.ts'

/** What an engagement has as resources. */
export const ENGAGEMENT_PARTS = ['brief', 'scope', 'findings'] as const
export type EngagementPart = (typeof ENGAGEMENT_PARTS)[number]

/** The address of a part of an engagement. */
export const engagementLink = (engagementId: unknown, part: EngagementPart): Link[] =>
  typeof engagementId === 'string'
    ? [{ uri: `sortie://engagements/${engagementId}/${part}`, name: `${part} of the engagement` }]
    : []

export const findingLink = ({ id }: { id: string }): Link => ({ uri: `sortie://findings/${id}`, name: 'finding' })
export const pageLink = ({ id }: { id: string }): Link => ({ uri: `sortie://pages/${id}`, name: 'page' })
