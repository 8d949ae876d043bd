export const requestsPaths = {
  requests: (slug: string) => `/o/${slug}/requests`,
  openRequest: (slug: string, objectId: string) => `/o/${slug}/requests/${objectId}`,
  engagementRequests: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/requests`,
  openEngagementRequest: (slug: string, engagementId: string, objectId: string) =>
    `/o/${slug}/engagements/${engagementId}/requests/${objectId}`,
} as const
