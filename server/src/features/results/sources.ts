/** Who says something of results: an import, a scan. */
export interface Source {
  kind: 'import' | 'scan'
  id: string
  /** The tool's name, as `tools` lists it. */
  tool: string
  /** Of a file with the words of several. */
  allTools?: readonly string[]
  organizationId: string
  engagementId: string
  /** ISO 8601: when it was seen. */
  seenAt: string
}

/** How often each change was observed by a source. */
export type ChangeCounts = Record<'created' | 'unchanged' | 'changed' | 'gone' | 'reappeared' | 'older', number>

export const NO_CHANGES: ChangeCounts = { created: 0, unchanged: 0, changed: 0, gone: 0, reappeared: 0, older: 0 }
