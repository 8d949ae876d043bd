export const resultsPaths = {
  resultsDiff: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results/diff`,
  results: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results`,
  /** Address of a result by id only; redirects into its engagement. */
  result: (slug: string, resultId: string) => `/o/${slug}/results/${resultId}`,
} as const
