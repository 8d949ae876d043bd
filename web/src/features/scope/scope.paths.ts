export const scopePaths = {
  scope: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/scope`,
} as const
