export const targetsPaths = {
  targets: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/targets`,
  /** Everything known about a target. */
  targetPage: (slug: string, engagementId: string, targetId: string) =>
    `/o/${slug}/engagements/${engagementId}/targets/${targetId}`,
  /** Address of a target by id only; redirects into its engagement. */
  target: (slug: string, targetId: string) => `/o/${slug}/targets/${targetId}`,
} as const
