export const targetsPaths = {
  targets: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/targets`,
  /** Address of a target by id only; redirects into its engagement. */
  target: (slug: string, targetId: string) => `/o/${slug}/targets/${targetId}`,
} as const
