/** Reads that change when an engagement goes to the trash, comes back, or is purged. */
export const ENGAGEMENT_LISTS = ['listEngagements', 'listEngagementSummaries', 'listTrashedEngagements'] as const
