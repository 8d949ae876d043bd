export const apiKeysPaths = {
  apiKeys: (slug: string) => `/o/${slug}/settings/api-keys`,
  /** The server's own page, outside of the web interface. */
  apiReference: '/api/docs',
} as const
