import type { Config } from '../config.ts'

/** Answers of the API carry data, never something to run. */
export const API_CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every response there is (ASVS 3.4). A page of the web interface replaces the policy and the caching. */
export const securityHeaders = (config: Pick<Config, 'FRONTEND_URL'>): Record<string, string> => ({
  'content-security-policy': API_CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  ...(config.FRONTEND_URL.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})

/** How often a header was sent: Node keeps the first of those that may come once. */
export const countHeader = (rawHeaders: readonly string[], name: string): number => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string
    if (header.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}
