import type { Scope } from '@sortie/contract/core/scopes.ts'
import * as contract from '@sortie/contract/organization/identities/device-logins.ts'
import type { Selectable } from 'kysely'
import { describeDevice } from '../../platform/auth/device.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/context.ts'
import type { DeviceAuthorizations } from '../../platform/database/types.gen.ts'
import { internalError, notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { listVisible, listWaiting } from './device-logins.queries.ts'
import {
  answerDeviceLogin,
  approveDeviceLogin,
  denyDeviceLogin,
  readDeviceLogin,
  wantedScopes,
} from './device-logins.service.ts'

export const deviceLoginRoutes = ({ platform }: { platform: Platform }): Route[] => [
  route(contract.getDeviceAuthorization, async (context) => {
    const row = await readDeviceLogin(context, context.person, context.params.userCode)
    if (row.state === 'used') throw notFound('This code has been used.')
    return { data: { ...shown(row), scopes: wantedScopes(row), state: row.state } }
  }),

  route(contract.approveDeviceAuthorization, async (context) => {
    const { actor, person, params, body } = context
    if (!person) throw internalError(new Error('this endpoint has only the session door'))
    return { data: await approveDeviceLogin(context, platform.db, { actor, person }, params.userCode, body) }
  }),

  route(contract.denyDeviceAuthorization, async (context) => ({
    data: await denyDeviceLogin(context, context.person, context.params.userCode),
  })),

  route(contract.listDeviceConfirmations, async ({ db, actor, clock }) => {
    const rows = await listWaiting(db, actor.organizationId, isoTime(clock.now()))
    const listed = [...new Set(rows.flatMap(({ engagement_ids: ids }) => ids ?? []))]
    const visible = new Set(await listVisible(db, actor.organizationId, listed))
    return {
      data: rows.map((row) => ({
        ...shown(row),
        kind: row.client_id === null ? ('login' as const) : ('agent' as const),
        scopes: (row.scopes ?? []) as Scope[],
        engagementIds:
          row.engagement_access === 'all'
            ? ('all' as const)
            : row.engagement_access === 'open'
              ? ('open' as const)
              : (row.engagement_ids ?? []).filter((id) => visible.has(id)),
        keyName: row.key_name ?? row.client,
        keyExpiresAt: row.key_expires_at ?? row.expires_at,
        approvedBy: { id: row.approver_id, name: row.approver_name },
      })),
    }
  }),

  route(contract.confirmDeviceAuthorization, async (context) => ({
    data: await answerDeviceLogin(context, context.actor, context.params.authorizationId, true),
  })),

  route(contract.refuseDeviceAuthorization, async (context) => ({
    data: await answerDeviceLogin(context, context.actor, context.params.authorizationId, false),
  })),
]

const shown = (row: Selectable<DeviceAuthorizations>) => ({
  id: row.id,
  client: row.client,
  device: describeDevice(row.user_agent),
  address: row.address,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
