/** An import or a scan that reports results. */
export interface ResultSource {
  kind: 'import' | 'scan'
  id: string
  /** The tool's name, as listed in `tools`. */
  tool: string
  /** All tools of a file that combines several. */
  allTools?: readonly string[]
  organizationId: string
  engagementId: string
  /** ISO 8601: when the source saw its results. */
  seenAt: string
}

/** Number of observations of a source by change. */
export type ChangeCounts = Record<'created' | 'unchanged' | 'changed' | 'gone' | 'reappeared' | 'older', number>

export const NO_CHANGES: ChangeCounts = { created: 0, unchanged: 0, changed: 0, gone: 0, reappeared: 0, older: 0 }
