export const searchPaths = {
  search: (slug: string) => `/o/${slug}/search`,
} as const
