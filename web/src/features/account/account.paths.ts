export const accountPaths = {
  profile: () => '/account/profile',
  password: () => '/account/password',
  secondFactor: () => '/account/second-factor',
  sessions: () => '/account/sessions',
  notifications: () => '/account/notifications',
} as const
