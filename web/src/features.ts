import { acceptInvitation } from './features/accept-invitation/accept-invitation.feature.ts'
import { account } from './features/account/account.feature.ts'
import { apiKeys } from './features/api-keys/api-keys.feature.ts'
import { audit } from './features/audit/audit.feature.ts'
import { billing } from './features/billing/billing.feature.ts'
import { clients } from './features/clients/clients.feature.ts'
import { codeHosting } from './features/code-hosting/code-hosting.feature.ts'
import { customFields } from './features/custom-fields/custom-fields.feature.ts'
import { domains } from './features/domains/domains.feature.ts'
import { engagements } from './features/engagements/engagements.feature.ts'
import { findings } from './features/findings/findings.feature.ts'
import { retests } from './features/findings/retests/retests.feature.ts'
import { home } from './features/home/home.feature.ts'
import { imports } from './features/imports/imports.feature.ts'
import { instance } from './features/instance/instance.feature.ts'
import { invitations } from './features/invitations/invitations.feature.ts'
import { library } from './features/library/library.feature.ts'
import { members } from './features/members/members.feature.ts'
import { methodologies } from './features/methodologies/methodologies.feature.ts'
import { notices } from './features/notices/notices.feature.ts'
import { operations } from './features/operation-log/operation-log.feature.ts'
import { organizations } from './features/organizations/organizations.feature.ts'
import { ownership } from './features/organizations/ownership.feature.ts'
import { passwordReset } from './features/password-reset/password-reset.feature.ts'
import { reportSettings } from './features/report-settings/report-settings.feature.ts'
import { reportTemplates } from './features/report-templates/report-templates.feature.ts'
import { reports } from './features/reports/reports.feature.ts'
import { requests } from './features/requests/requests.feature.ts'
import { results } from './features/results/results.feature.ts'
import { scans } from './features/scans/scans.feature.ts'
import { scope } from './features/scope/scope.feature.ts'
import { search } from './features/search/search.feature.ts'
import { security } from './features/security/security.feature.ts'
import { targets } from './features/targets/targets.feature.ts'
import { tasks } from './features/tasks/tasks.feature.ts'
import { trash } from './features/trash/trash.feature.ts'
import { webhooks } from './features/webhooks/webhooks.feature.ts'
import { wiki } from './features/wiki/wiki.feature.ts'

/** All features of the web interface. A sidebar shows the entries of its area in this order. */
export const FEATURES = [
  home,
  engagements,
  clients,
  scope,
  targets,
  results,
  scans,
  imports,
  tasks,
  wiki,
  requests,
  findings,
  library,
  retests,
  reports,
  trash,
  methodologies,
  notices,
  search,
  organizations,
  members,
  security,
  domains,
  customFields,
  reportSettings,
  reportTemplates,
  invitations,
  apiKeys,
  webhooks,
  instance,
  billing,
  codeHosting,
  operations,
  audit,
  ownership,
  account,
  passwordReset,
  acceptInvitation,
] as const
