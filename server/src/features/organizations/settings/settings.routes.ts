import * as contract from '@sortie/contract/organization/organizations.ts'
import { type Route, route } from '../../../platform/http/routes/context.ts'
import { updateOrganizationSettings } from './settings.service.ts'

export const settingsRoutes: Route[] = [
  route(contract.updateOrganizationSettings, async (context) => {
    const row = await updateOrganizationSettings(context, context, context.body)
    return {
      data: {
        requireTwoFactor: row.require_two_factor,
        domainAutoJoin: row.domain_auto_join,
        ssoEnabled: row.sso_enabled,
      },
    }
  }),
]
