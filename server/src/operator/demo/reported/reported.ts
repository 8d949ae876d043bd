import type { RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'

/** Its step in the review, and whether guests see it. */
type Step = 'draft' | 'in_review' | 'approved' | 'published'

/** A finding of the demonstration, as it is reported to the client. */
export interface Reported {
  /** Key of the built-in library entry that it has its texts from; without it, the texts are those of its results. */
  entry?: string
  /** Its title; without it, that of the entry. */
  title?: string
  /** Title of the results that it is made from: their assets are affected. */
  from?: string
  /** More affected assets, each with its status; without one, open. */
  assets?: readonly (readonly [asset: string, status?: RemediationStatus])[]
  step: Step
  /** Days between it and the start of the server. */
  daysAgo: number
  /** Name of the saved request that shows it: its proof, embedded in its reproduction. */
  proof?: string
  /** What the client says. */
  client?: { state: 'planned' | 'fixed' | 'accepted' | 'rejected'; reason: string }
  /** Comments, each by the other person of the engagement. */
  comments?: readonly string[]
  suggestion?: { quote: string; by: string; comment: string }
  /** The custom field "Owner at the client". */
  owner?: string
  tags?: readonly string[]
}

/** Each of some hosts as an asset. */
export const hosts = (
  count: number,
  name: (index: number) => string,
  fixed = 0,
): (readonly [string, RemediationStatus?])[] =>
  Array.from({ length: count }, (_, index) => (index < fixed ? [name(index), 'fixed' as const] : [name(index)]))
