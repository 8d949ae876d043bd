export const engagementsPaths = {
  engagements: (slug: string) => `/o/${slug}/engagements`,
  engagement: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}`,
} as const
