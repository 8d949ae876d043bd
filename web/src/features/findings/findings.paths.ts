export const findingsPaths = {
  findings: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/findings`,
  findingSuggestions: (slug: string, engagementId: string) =>
    `/o/${slug}/engagements/${engagementId}/findings/suggestions`,
  finding: (slug: string, engagementId: string, findingId: string) =>
    `/o/${slug}/engagements/${engagementId}/findings/${findingId}`,
  /** Address of a finding by id only; redirects into its engagement. */
  findingById: (slug: string, findingId: string) => `/o/${slug}/findings/${findingId}`,
} as const
