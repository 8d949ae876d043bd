/**
 * The folders of the product from the bottom up: each imports only from lower lines, types included, and not from its
 * own line. The tests of layers and of the web interface read them, and refuse a folder that is not here.
 */

/** Folders of `server/src`. */
export const SERVER_LAYERS = [['platform'], ['features'], ['published'], ['app'], ['process'], ['operator']] as const

/** Folders of `server/src/features`. */
export const FEATURE_LAYERS = [
  ['audit'],
  ['mails'],
  ['account-emails'],
  ['auth/throttle', 'auth/passwords', 'auth/pending-sign-ins', 'auth/devices'],
  ['auth/accounts', 'auth/password-links'],
  ['auth/sessions'],
  ['auth/second-factor'],
  ['auth/sign-in', 'auth/account-settings'],
  ['auth/linked-accounts'],
  ['auth/password-resets', 'auth/browser-confirmations'],
  ['organizations'],
  ['organizations/invitations', 'organizations/domains'],
  ['organizations/members', 'organizations/settings'],
  ['organizations/member-security', 'organizations/ownership', 'organizations/joining', 'organizations/directory'],
  ['api-keys', 'billing', 'code-hosting'],
  ['device-logins', 'agents'],
  ['notifications'],
  ['custom-fields'],
  ['clients'],
  ['engagements'],
  ['instance'],
  ['scope', 'events', 'files', 'search', 'views'],
  ['connection-rules', 'targets', 'operation-log', 'tasks', 'wiki'],
  ['inventory', 'methodologies'],
  ['scanner-formats', 'results'],
  ['imports', 'requests', 'scans'],
  ['comments', 'library', 'presence', 'report-templates'],
  ['findings'],
  ['retests', 'home', 'target-page'],
  ['reports'],
  ['report-renders'],
  ['webhook-endpoints'],
  ['mcp'],
  ['oauth'],
] as const

/**
 * Folders of `web/src`, and what each imports in addition to itself. Forms store drafts by the signed-in user of the
 * shell, and the shell has forms. Files directly in `web/src` put the layers together: only `feature.ts`, `paths.ts`
 * and `search.ts` are imported from below.
 */
export const WEB_LAYERS: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  api: ['ui'],
  domain: ['ui', 'paths.ts'],
  forms: ['ui', 'api', 'shell'],
  shell: ['ui', 'api', 'domain', 'forms', 'feature.ts', 'paths.ts', 'search.ts'],
  features: ['ui', 'api', 'domain', 'forms', 'shell', 'feature.ts', 'paths.ts', 'search.ts'],
}
