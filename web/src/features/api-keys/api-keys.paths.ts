export const apiKeysPaths = {
  apiKeys: (slug: string) => `/o/${slug}/settings/api-keys`,
  /** Served by the server, outside the web interface. */
  apiReference: '/api/docs',
} as const
