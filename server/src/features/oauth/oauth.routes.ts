import * as contract from '@sortie/contract/organization/identities/oauth-authorizations.ts'
import type { Platform } from '../../platform/context.ts'
import { internalError } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { clientDocuments } from './client-documents.ts'
import { answerAuthorizationRequest, readAuthorization, readAuthorizationRequest } from './oauth.service.ts'

export const oauthRoutes = ({ platform }: { platform: Platform }): Route[] => {
  const readDocument = clientDocuments(platform)
  return [
    route(contract.getAuthorizationRequest, async (context) => ({
      data: await readAuthorizationRequest(context, readDocument, context.person, context.query.request),
    })),

    route(contract.answerAuthorizationRequest, async (context) => {
      const { actor, person, body } = context
      if (!person) throw internalError(new Error('this endpoint has only the session door'))
      return { data: await answerAuthorizationRequest(context, platform.db, readDocument, { actor, person }, body) }
    }),

    route(contract.getAuthorization, async (context) => ({
      data: await readAuthorization(context, context.actor, context.params.authorizationId),
    })),
  ]
}
