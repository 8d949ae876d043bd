/** Rising. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

const WORDS: Record<string, Severity> = {
  info: 'info',
  information: 'info',
  informational: 'info',
  log: 'info',
  none: 'info',
  low: 'low',
  medium: 'medium',
  moderate: 'medium',
  high: 'high',
  serious: 'high',
  critical: 'critical',
}

/** What a tool calls a severity, in any case; null for what is absent or strange. */
export const severityOf = (word: unknown): Severity | null => (typeof word === 'string' ? (WORDS[word.trim().toLowerCase()] ?? null) : null)

/** The qualitative scale of CVSS 3 and 4 (specification 3.1, section 5; 4.0, section 6). */
export const severityOfScore = (score: number): Severity => (score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : score > 0 ? 'low' : 'info')
