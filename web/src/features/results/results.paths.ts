export const resultsPaths = {
  resultsDiff: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results/diff`,
  results: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results`,
  /** Leads to the result within its engagement, for links that know the result alone. */
  result: (slug: string, resultId: string) => `/o/${slug}/results/${resultId}`,
} as const
