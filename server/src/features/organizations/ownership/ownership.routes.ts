import * as contract from '@sortie/contract/organization/organizations.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { transferOwnership } from './ownership.service.ts'

export const ownershipRoutes = (passwords: Passwords): Route[] => [
  route(contract.transferOwnership, async (context) => {
    const { actor, body } = context
    await transferOwnership(context, passwords, context, body)
    return { data: { ownerId: body.userId, previousOwnerId: actor.id } }
  }),
]
