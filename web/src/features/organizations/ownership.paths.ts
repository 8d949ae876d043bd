export const ownershipPaths = {
  ownership: (slug: string) => `/o/${slug}/settings/ownership`,
} as const
