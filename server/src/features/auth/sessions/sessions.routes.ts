import * as contract from '@sortie/contract/account/account.ts'
import { describeDevice } from '../../../platform/auth/device.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { changeAccount } from '../accounts/accounts.service.ts'
import { deleteOwnSession, deleteSessionsOfUser, listSessions } from './sessions.queries.ts'
import { SESSION_IDLE_MS } from './sessions.service.ts'

export const sessionRoutes: Route[] = [
  route(contract.listSessions, async ({ db, clock, person }) => {
    const rows = await listSessions(db, person.userId, isoTime(clock.now()), idleSince(clock))
    const sessions = rows.map((row) => ({
      id: row.id,
      device: describeDevice(row.user_agent),
      userAgent: row.user_agent,
      address: row.address,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
      current: row.id === person.sessionId,
    }))
    return { data: sessions.sort((a, b) => Number(b.current) - Number(a.current)) }
  }),

  route(contract.endSession, async ({ change, clock, person, params, cookies }) => {
    await changeAccount(change, person.userId, async (tx) => {
      if (!(await deleteOwnSession(tx, person.userId, params.sessionId))) throw notFound()
      await recordAudit(tx, { person }, clock, {
        action: 'session.ended',
        object: { type: 'session', id: params.sessionId },
      })
    })
    if (params.sessionId === person.sessionId) cookies.set('sid', null)
    return { data: { ended: true, id: params.sessionId } }
  }),

  route(contract.endOtherSessions, async ({ change, clock, person }) => {
    const endedSessions = await changeAccount(change, person.userId, async (tx) => {
      const ended = await deleteSessionsOfUser(tx, person.userId, person.sessionId)
      if (ended > 0)
        await recordAudit(tx, { person }, clock, {
          action: 'session.others-ended',
          object: { type: 'user', id: person.userId },
          after: { ended },
        })
      return ended
    })
    return { data: { endedSessions } }
  }),
]

const idleSince = (clock: Clock) => isoTime(clock.now() - SESSION_IDLE_MS)
