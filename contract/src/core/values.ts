/**
 * Lists of values and sentences that several parts of the contract state. Imports nothing: threads that read files load
 * it, too.
 */

/** The 409 of every change within an archived engagement. */
export const ENGAGEMENT_ARCHIVED = 'This engagement is archived: reopen it first.'
/** The 409 of a change of objects of several engagements. */
export const ONE_ENGAGEMENT_ARCHIVED = 'One of these engagements is archived: reopen it first.'

export const SCOPE_RULE_KINDS = ['domain', 'wildcard', 'ip', 'cidr', 'range', 'url', 'service'] as const
export const VERDICTS = ['in', 'out', 'caution', 'unknown'] as const

export const TARGET_KINDS = ['domain', 'ip', 'cidr', 'url', 'service', 'cloud', 'repository', 'other'] as const

export const RESULT_KINDS = [
  'host',
  'dns_record',
  'service',
  'http_response',
  'tls_certificate',
  'web_path',
  'technology',
  'vulnerability',
  'component',
] as const
export const RESULT_STATES = ['present', 'gone'] as const
/** Of vulnerabilities. */
export const RESULT_STATUSES = ['open', 'confirmed', 'false_positive', 'accepted', 'fixed'] as const
/** Ascending; the database stores the index. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]
/** `none`: unrated. */
export const RATINGS = ['none', ...SEVERITIES] as const

export const TASK_STATUSES = ['open', 'in_progress', 'blocked', 'done', 'cancelled'] as const
/** Ascending; the database stores the index. */
export const TASK_PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const
