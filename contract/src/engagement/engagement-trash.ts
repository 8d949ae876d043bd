import Type from 'typebox'
import { CursorMeta, CursorQuery, closedObject, endpoint, Id, Line, OneOf, one, Timestamp } from '../core/endpoint.ts'
import { LegalHold } from './engagement-details.ts'
import { Engagement, ENGAGEMENT_STATUSES, EXAMPLE_ENGAGEMENT } from './engagements.ts'

/** Answer to the deletion of an engagement that is on legal hold. */
export const ON_HOLD =
  'This engagement is on legal hold and cannot be deleted. The owner and admins can release the hold in its settings.'

/** Answer to a second hold. */
export const ALREADY_HELD = 'This engagement is already on legal hold.'

const NameAsConfirmation = closedObject({
  name: Line(200, { description: 'the exact name of the engagement, as confirmation' }),
})
const ENGAGEMENT = closedObject({ engagementId: Id('eng') })
const Deleted = closedObject({ deleted: Type.Boolean(), id: Id('eng') })
const DELETED = { data: { deleted: true, id: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz' } }

export const deleteEngagement = endpoint({
  id: 'deleteEngagement',
  method: 'DELETE',
  path: '/engagements/:engagementId',
  scope: 'admin-or-key:ENGAGEMENT_WRITE_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Move an engagement, with everything in it, to the trash.',
  description:
    'As soon as this responds, the engagement and its content are answered like ones that do not exist; its scans and other jobs stop, and its scan schedules are disabled. For 30 days (a setting of the instance) the owner and admins can restore it in the web interface; then it is deleted for good. No API key can restore or purge. In the web interface only the owner and admins may delete. An engagement on legal hold cannot be deleted.',
  params: ENGAGEMENT,
  body: NameAsConfirmation,
  reply: one(Deleted),
  conflicts: [ON_HOLD],
  example: { body: { name: 'Contoso external perimeter 2026' }, reply: DELETED },
})

const TrashedEngagement = closedObject({
  id: Id('eng'),
  name: Type.String(),
  clientName: Type.String(),
  status: OneOf(ENGAGEMENT_STATUSES),
  deletedAt: Timestamp(),
  deletedBy: closedObject({ id: Type.String(), name: Type.String({ description: 'name at that time' }) }),
  purgeAt: Timestamp('it is deleted for good soon after this time'),
})

export const listTrashedEngagements = endpoint({
  id: 'listTrashedEngagements',
  method: 'GET',
  path: '/trashed-engagements',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the engagements in the trash, the latest deletion first.',
  query: closedObject({ ...CursorQuery }),
  reply: closedObject({
    data: Type.Array(TrashedEngagement),
    meta: closedObject({
      ...CursorMeta.properties,
      days: Type.Integer({ minimum: 1, description: 'how long a deleted engagement stays in the trash' }),
    }),
  }),
})

export const restoreEngagement = endpoint({
  id: 'restoreEngagement',
  method: 'POST',
  path: '/trashed-engagements/:engagementId/restore',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Restore an engagement from the trash.',
  description:
    'Everything in it is as it was, for the same people. Nothing starts to send: scans that were stopped stay cancelled, and scan schedules stay disabled until someone enables them. API keys that were limited to it do not see it again.',
  params: ENGAGEMENT,
  reply: one(Engagement),
  example: { reply: { data: EXAMPLE_ENGAGEMENT } },
})

export const purgeEngagement = endpoint({
  id: 'purgeEngagement',
  method: 'DELETE',
  path: '/trashed-engagements/:engagementId',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Delete an engagement in the trash for good, with its files.',
  description: 'It can no longer be restored once this responds; a job removes its rows and files.',
  params: ENGAGEMENT,
  body: NameAsConfirmation,
  reply: one(Deleted),
  conflicts: [ON_HOLD],
  example: { body: { name: 'Contoso external perimeter 2026' }, reply: DELETED },
})

const EXAMPLE_HOLD = {
  reason: 'Contoso v. Fabrikam, matter 2026-117',
  heldBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  heldAt: '2026-11-21T08:30:00.000Z',
}

export const holdEngagement = endpoint({
  id: 'holdEngagement',
  method: 'POST',
  path: '/engagements/:engagementId/hold',
  scope: 'role:admin',
  about: 'engagement',
  origin: 'extension',
  doors: ['web'],
  summary: 'Put an engagement on legal hold.',
  description:
    'While it is held, no one can delete it, and nothing in it is deleted because its time is over. People can still work in it; an archived engagement is read-only in addition.',
  params: ENGAGEMENT,
  body: closedObject({ reason: LegalHold.properties.reason }),
  reply: one(LegalHold),
  status: 201,
  conflicts: [ALREADY_HELD],
  example: { body: { reason: EXAMPLE_HOLD.reason }, reply: { data: EXAMPLE_HOLD } },
})

export const releaseEngagementHold = endpoint({
  id: 'releaseEngagementHold',
  method: 'DELETE',
  path: '/engagements/:engagementId/hold',
  scope: 'role:admin',
  about: 'engagement',
  origin: 'extension',
  doors: ['web'],
  summary: 'Release the legal hold of an engagement.',
  params: ENGAGEMENT,
  reply: one(Deleted),
  example: { reply: DELETED },
})
