export const retestsPaths = {
  retests: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/retests`,
  retest: (slug: string, engagementId: string, retestId: string) =>
    `/o/${slug}/engagements/${engagementId}/retests/${retestId}`,
} as const
