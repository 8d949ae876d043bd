import type { RESULT_STATUSES } from '@sortie/contract/core/values.ts'

/** A vulnerability that a person of the demonstration has written. */
export interface Finding {
  title: string
  asset: string
  /** CVSS 3.1 base vector, without its prefix. */
  vector: string
  cwe: string
  description: string
  solution: string
  references?: readonly string[]
  /** Days between it and the start of the server. */
  daysAgo: number
  /** Its status now; without it, open. */
  status?: (typeof RESULT_STATUSES)[number]
  tags?: readonly string[]
}
