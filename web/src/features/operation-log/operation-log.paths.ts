export const operationsPaths = {
  operations: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/operations`,
  organizationOperations: (slug: string) => `/o/${slug}/operations`,
} as const
