export const importsPaths = {
  imports: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/imports`,
} as const
