export const apiKeysPaths = {
  apiKeys: (slug: string) => `/o/${slug}/settings/api-keys`,
  agents: (slug: string) => `/o/${slug}/settings/agents`,
  /** Served by the server, outside the web interface. */
  apiReference: '/api/docs',
} as const
