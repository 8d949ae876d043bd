export const organizationsPaths = {
  general: (slug: string) => `/o/${slug}/settings/general`,
} as const
