import { acceptInvitationPaths } from './features/accept-invitation/accept-invitation.paths.ts'
import { accountPaths } from './features/account/account.paths.ts'
import { apiKeysPaths } from './features/api-keys/api-keys.paths.ts'
import { auditPaths } from './features/audit/audit.paths.ts'
import { billingPaths } from './features/billing/billing.paths.ts'
import { clientsPaths } from './features/clients/clients.paths.ts'
import { codeHostingPaths } from './features/code-hosting/code-hosting.paths.ts'
import { customFieldsPaths } from './features/custom-fields/custom-fields.paths.ts'
import { domainsPaths } from './features/domains/domains.paths.ts'
import { engagementsPaths } from './features/engagements/engagements.paths.ts'
import { findingsPaths } from './features/findings/findings.paths.ts'
import { retestsPaths } from './features/findings/retests/retests.paths.ts'
import { startPaths } from './features/home/home.paths.ts'
import { importsPaths } from './features/imports/imports.paths.ts'
import { instancePaths } from './features/instance/instance.paths.ts'
import { invitationsPaths } from './features/invitations/invitations.paths.ts'
import { libraryPaths } from './features/library/library.paths.ts'
import { membersPaths } from './features/members/members.paths.ts'
import { methodologiesPaths } from './features/methodologies/methodologies.paths.ts'
import { noticesPaths } from './features/notices/notices.paths.ts'
import { operationsPaths } from './features/operation-log/operation-log.paths.ts'
import { organizationsPaths } from './features/organizations/organizations.paths.ts'
import { ownershipPaths } from './features/organizations/ownership.paths.ts'
import { passwordResetPaths } from './features/password-reset/password-reset.paths.ts'
import { reportSettingsPaths } from './features/report-settings/report-settings.paths.ts'
import { reportTemplatesPaths } from './features/report-templates/report-templates.paths.ts'
import { reportsPaths } from './features/reports/reports.paths.ts'
import { requestsPaths } from './features/requests/requests.paths.ts'
import { resultsPaths } from './features/results/results.paths.ts'
import { scansPaths } from './features/scans/scans.paths.ts'
import { scopePaths } from './features/scope/scope.paths.ts'
import { searchPaths } from './features/search/search.paths.ts'
import { securityPaths } from './features/security/security.paths.ts'
import { targetsPaths } from './features/targets/targets.paths.ts'
import { tasksPaths } from './features/tasks/tasks.paths.ts'
import { trashPaths } from './features/trash/trash.paths.ts'
import { webhooksPaths } from './features/webhooks/webhooks.paths.ts'
import { wikiPaths } from './features/wiki/wiki.paths.ts'

const FOLDERS = {
  target: 'targets',
  result: 'results',
  page: 'wiki',
  request: 'requests',
  scan: 'scans',
  task: 'tasks',
  finding: 'findings',
} as const

/** Addresses of the web interface. No other code builds one: a feature keeps its own in `<feature>.paths.ts`. */
export const paths = {
  home: () => '/',
  signIn: () => '/sign-in',
  signInCallback: () => '/sign-in/callback',
  confirmBrowser: () => '/sign-in/confirm',
  organization: (slug: string) => `/o/${slug}`,
  ...acceptInvitationPaths,
  ...accountPaths,
  ...apiKeysPaths,
  ...auditPaths,
  ...billingPaths,
  ...clientsPaths,
  ...codeHostingPaths,
  ...customFieldsPaths,
  ...domainsPaths,
  ...engagementsPaths,
  ...findingsPaths,
  ...importsPaths,
  ...instancePaths,
  ...invitationsPaths,
  ...libraryPaths,
  ...membersPaths,
  ...methodologiesPaths,
  ...noticesPaths,
  ...operationsPaths,
  ...organizationsPaths,
  ...ownershipPaths,
  ...passwordResetPaths,
  ...reportSettingsPaths,
  ...reportTemplatesPaths,
  ...reportsPaths,
  ...requestsPaths,
  ...resultsPaths,
  ...retestsPaths,
  ...scansPaths,
  ...scopePaths,
  ...searchPaths,
  ...securityPaths,
  ...startPaths,
  ...tasksPaths,
  ...targetsPaths,
  ...trashPaths,
  ...webhooksPaths,
  ...wikiPaths,
} as const

/** Address of a linkable object by id only. */
export const objectPath = (slug: string, type: keyof typeof FOLDERS, id: string): string =>
  `/o/${slug}/${FOLDERS[type]}/${id}`

/**
 * Destination after sign-in: a path of this site only, so that a link cannot redirect to another site.
 * @param wanted value of the address bar; untrusted
 */
export const safeReturn = (wanted: unknown): string => {
  if (
    typeof wanted !== 'string' ||
    !/^\/(?:o|account|device|instance|invitations|oauth)(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*(?:\?[A-Za-z0-9=&._~%+-]*)?(?:#token=[A-Za-z0-9_-]*)?$/.test(
      wanted,
    )
  )
    return paths.home()
  return wanted
}
