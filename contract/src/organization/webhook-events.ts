/** The events that a webhook endpoint can wait for, with an example of each for the reference. */

/** Events of engagements and of what is in them. */
export const ENGAGEMENT_WEBHOOK_EVENTS = [
  'engagement.created',
  'engagement.status_changed',
  'engagement.deleted',
  'engagement.restored',
  'scope.changed',
  'target.created',
  'scan.finished',
  'import.finished',
  'result.created',
  'finding.created',
  'finding.state_changed',
  'finding.published',
  'finding.status_changed',
  'finding.client_status_changed',
  'report.delivered',
  'task.created',
  'task.assigned',
  'task.done',
  'retest.requested',
] as const

/** Events of the organization: an endpoint that is limited to listed engagements receives none of them. */
const ORGANIZATION_WEBHOOK_EVENTS = [
  'member.joined',
  'member.removed',
  'api_key.created',
  'api_key.deleted',
  'agent.stopped',
] as const

export const WEBHOOK_EVENTS = [...ENGAGEMENT_WEBHOOK_EVENTS, ...ORGANIZATION_WEBHOOK_EVENTS] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** What deliveries carry: `ping` is sent by the test of an endpoint, and cannot be chosen. */
export const DELIVERED_EVENTS = [...WEBHOOK_EVENTS, 'ping'] as const

/** Ids that a message about many objects names at most. */
export const MAX_WEBHOOK_IDS = 300

const SUFFIX = '01jd7w2v4pf1y8m3c6k9t0r5xz'
const O = 'https://sortie.example.com/o/acme'
const inEngagement = (id: string, path: string, facts: object = {}) => ({
  id: `${id}_${SUFFIX}`,
  engagementId: `eng_${SUFFIX}`,
  url: `${O}/${path}/${id}_${SUFFIX}`,
  ...facts,
})
const batch = (id: string, list: string) => ({
  engagementId: `eng_${SUFFIX}`,
  url: `${O}/engagements/eng_${SUFFIX}/${list}`,
  ids: [`${id}_${SUFFIX}`],
  count: 1,
})
const member = { id: `usr_${SUFFIX}`, name: 'Ada Lovelace', role: 'member', url: `${O}/settings/members` }
const key = {
  id: `key_${SUFFIX}`,
  name: 'ci-pipeline',
  environment: 'live',
  scopes: ['targets:read'],
  url: `${O}/settings/api-keys`,
}

/** The `data` of a thin message of each event. */
export const WEBHOOK_EXAMPLES: Readonly<Record<(typeof DELIVERED_EVENTS)[number], object>> = {
  'engagement.created': inEngagement('eng', 'engagements'),
  'engagement.status_changed': inEngagement('eng', 'engagements', { from: 'active', to: 'completed' }),
  'engagement.deleted': { id: `eng_${SUFFIX}`, engagementId: `eng_${SUFFIX}` },
  'engagement.restored': inEngagement('eng', 'engagements'),
  'scope.changed': inEngagement('eng', 'engagements'),
  'target.created': batch('tgt', 'targets'),
  'scan.finished': inEngagement('scn', 'scans', { state: 'succeeded' }),
  'import.finished': inEngagement('imp', 'imports', { state: 'applied' }),
  'result.created': batch('res', 'results'),
  'finding.created': inEngagement('fnd', 'findings'),
  'finding.state_changed': inEngagement('fnd', 'findings', { from: 'draft', to: 'in_review' }),
  'finding.published': inEngagement('fnd', 'findings'),
  'finding.status_changed': inEngagement('fnd', 'findings', { from: 'open', to: 'fixed' }),
  'finding.client_status_changed': inEngagement('fnd', 'findings', { from: null, to: 'accepted' }),
  'report.delivered': inEngagement('rpt', 'reports', { editionId: `edn_${SUFFIX}`, number: 1 }),
  'task.created': inEngagement('tsk', 'tasks'),
  'task.assigned': inEngagement('tsk', 'tasks', { assigneeId: `usr_${SUFFIX}` }),
  'task.done': inEngagement('tsk', 'tasks'),
  'retest.requested': inEngagement('rts', 'retests'),
  'member.joined': member,
  'member.removed': member,
  'api_key.created': key,
  'api_key.deleted': key,
  'agent.stopped': {
    id: `agt_${SUFFIX}`,
    name: 'recon agent',
    reason: 'Too many requests',
    url: `${O}/settings/agents`,
  },
  ping: { id: `whe_${SUFFIX}`, url: `${O}/settings/webhooks` },
}
