import { endpoint, list } from '../core/endpoint.ts'
import { EXAMPLE_VIEWER, Viewer } from '../core/events.ts'
import { OfFinding } from './finding-fields.ts'

export const listFindingViewers = endpoint({
  id: 'listFindingViewers',
  method: 'GET',
  path: '/findings/:findingId/viewers',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  doors: ['web'],
  summary: 'List who has a finding open right now.',
  params: OfFinding,
  reply: list(Viewer),
  example: { reply: { data: [EXAMPLE_VIEWER] } },
})
