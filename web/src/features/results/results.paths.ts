export const resultsPaths = {
  resultsDiff: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results/diff`,
  results: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results`,
  /** @param taskId the failed check that found it */
  newVulnerability: (slug: string, engagementId: string, taskId: string) => `/o/${slug}/engagements/${engagementId}/results?write=true&task=${taskId}`,
} as const
