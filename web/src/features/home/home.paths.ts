export const startPaths = {
  /** The start page of an organization. */
  start: (slug: string) => `/o/${slug}/home`,
} as const
