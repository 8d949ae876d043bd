export const methodologiesPaths = {
  methodologies: (slug: string) => `/o/${slug}/methodologies`,
  methodology: (slug: string, methodologyId: string) => `/o/${slug}/methodologies/${methodologyId}`,
} as const
