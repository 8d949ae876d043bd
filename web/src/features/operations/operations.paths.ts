export const operationsPaths = {
  operations: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/operations`,
} as const
