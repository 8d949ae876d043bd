/** Every address of the web interface. Nothing else in it spells one. */
export const paths = {
  home: () => '/',
  signIn: () => '/sign-in',
  signInCallback: () => '/sign-in/callback',
  passwordReset: () => '/password-reset',
  acceptInvitation: () => '/invitations/accept',
  organization: (slug: string) => `/o/${slug}`,
  engagements: (slug: string) => `/o/${slug}/engagements`,
  engagement: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}`,
  /** The server's own page, outside of the web interface. */
  apiReference: '/api/docs',
  general: (slug: string) => `/o/${slug}/settings/general`,
  security: (slug: string) => `/o/${slug}/settings/security`,
  domains: (slug: string) => `/o/${slug}/settings/domains`,
  members: (slug: string) => `/o/${slug}/settings/members`,
  invitations: (slug: string) => `/o/${slug}/settings/invitations`,
  apiKeys: (slug: string) => `/o/${slug}/settings/api-keys`,
  billing: (slug: string) => `/o/${slug}/settings/billing`,
  codeHosting: (slug: string) => `/o/${slug}/settings/code-hosting`,
  ownership: (slug: string) => `/o/${slug}/settings/ownership`,
  audit: (slug: string) => `/o/${slug}/settings/audit`,
  profile: () => '/account/profile',
  password: () => '/account/password',
  sessions: () => '/account/sessions',
  secondFactor: () => '/account/second-factor',
  notifications: () => '/account/notifications',
  instance: () => '/instance/overview',
  instanceOrganizations: () => '/instance/organizations',
  instanceAccounts: () => '/instance/accounts',
  instanceBilling: () => '/instance/billing',
  instanceCodeHosting: () => '/instance/code-hosting',
  instanceMails: () => '/instance/mails',
  instanceJobs: () => '/instance/jobs',
} as const

/**
 * Where to go after signing in: an own path and nothing else, so that no link can send a person to another site.
 *
 * @param wanted what the address bar said, which anybody can have written
 */
export const safeReturn = (wanted: unknown): string => {
  if (typeof wanted !== 'string' || !/^\/(?:o|account|instance|invitations)(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*(?:\?[A-Za-z0-9=&._~%+-]*)?$/.test(wanted))
    return paths.home()
  return wanted
}
