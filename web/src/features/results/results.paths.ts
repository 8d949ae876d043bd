export const resultsPaths = {
  resultsDiff: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results/diff`,
  results: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results`,
} as const
