export const domainsPaths = {
  domains: (slug: string) => `/o/${slug}/settings/domains`,
} as const
