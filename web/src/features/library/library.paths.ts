export const libraryPaths = {
  library: (slug: string) => `/o/${slug}/library`,
  libraryEntry: (slug: string, entryId: string) => `/o/${slug}/library/${entryId}`,
} as const
