export const resultsPaths = {
  results: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/results`,
} as const
