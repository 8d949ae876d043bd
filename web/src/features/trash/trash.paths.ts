export const trashPaths = {
  trash: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/trash`,
} as const
