import * as contract from '@sortie/contract/organization/organizations.ts'
import type { Static } from 'typebox'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { getSettings } from '../organizations.queries.ts'
import type { Settings } from '../organizations.service.ts'
import { updateOrganizationSettings } from './settings.service.ts'

export const settingsRoutes: Route[] = [
  route(contract.getOrganizationSettings, async ({ db, actor }) => ({
    data: toSettings(await getSettings(db, actor.organizationId)),
  })),

  route(contract.updateOrganizationSettings, async (context) => ({
    data: toSettings(await updateOrganizationSettings(context, context, context.body)),
  })),
]

const toSettings = (row: Settings): Static<typeof contract.AllOrganizationSettings> => ({
  requireTwoFactor: row.require_two_factor,
  domainAutoJoin: row.domain_auto_join,
  ssoEnabled: row.sso_enabled,
  membersCreateEngagements: row.members_create_engagements,
})
