export const clientsPaths = {
  clients: (slug: string) => `/o/${slug}/clients`,
  client: (slug: string, clientId: string) => `/o/${slug}/clients/${clientId}`,
} as const
