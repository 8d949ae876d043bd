import type { Output } from '@sortie/client/calls.ts'

/** A row of the list, without the large parts of its data. */
export type Result = Output<'listResults'>['data'][number]
export type Kind = Result['kind']
export type Severity = NonNullable<Result['severity']>
export type Status = NonNullable<Result['status']>

export const KIND_LABELS: Record<Kind, string> = {
  vulnerability: 'Vulnerability',
  service: 'Service',
  host: 'Host',
  http_response: 'HTTP response',
  tls_certificate: 'Certificate',
  web_path: 'Web path',
  dns_record: 'DNS record',
  technology: 'Technology',
  component: 'Component',
}

/** Tab labels, most used first. */
export const KIND_PLURALS: Record<Kind, string> = {
  vulnerability: 'Vulnerabilities',
  service: 'Services',
  host: 'Hosts',
  http_response: 'HTTP',
  tls_certificate: 'Certificates',
  web_path: 'Paths',
  dns_record: 'DNS',
  technology: 'Technologies',
  component: 'Components',
}
export const KINDS = Object.keys(KIND_PLURALS) as Kind[]

export const STATE_LABELS: Record<Result['state'], string> = { present: 'Present', gone: 'Gone' }

export const VERDICT_LABELS: Record<Result['verdict'], string> = {
  in: 'In scope',
  out: 'Out of scope',
  caution: 'Caution',
  unknown: 'Scope unknown',
}

/** Written by a member and not seen by any tool: members may edit all of it and delete it. */
export const isHandWritten = ({ kind, tools }: Pick<Result, 'kind' | 'tools'>): boolean =>
  kind === 'vulnerability' && tools.length === 0
