import Type from 'typebox'
import { closedObject, endpoint, NullableString, OneOf, one } from '../core/endpoint.ts'

export const DOCTOR_STATUSES = ['ok', 'warning', 'problem'] as const

export const DoctorCheck = closedObject({
  name: Type.String({ examples: ['proxy-headers'] }),
  status: OneOf(DOCTOR_STATUSES),
  found: Type.String({ description: 'what the check found, as a sentence' }),
  fix: NullableString('a command or a setting; null if there is nothing to do'),
})

export const runDoctor = endpoint({
  id: 'runDoctor',
  method: 'POST',
  path: '/instance/doctor',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Check the set-up of this installation: proxy, certificate, database, storage, mail and settings.',
  description:
    'The checks of `npm run operator -- doctor`, by the server itself. They change nothing and send no mail; each takes at most a few seconds.',
  cost: { perHour: 60, atOnce: 1 },
  reply: one(closedObject({ checks: Type.Array(DoctorCheck) })),
})
