export const targetsPaths = {
  targets: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/targets`,
  /** Leads to the target within its engagement, for links that know the target alone. */
  target: (slug: string, targetId: string) => `/o/${slug}/targets/${targetId}`,
} as const
