export const securityPaths = {
  security: (slug: string) => `/o/${slug}/settings/security`,
} as const
