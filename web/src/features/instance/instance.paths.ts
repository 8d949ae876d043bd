export const instancePaths = {
  instance: () => '/instance/overview',
  instanceChecks: () => '/instance/checks',
  instanceOrganizations: () => '/instance/organizations',
  instanceAccounts: () => '/instance/accounts',
  instanceMails: () => '/instance/mails',
  instanceJobs: () => '/instance/jobs',
} as const
