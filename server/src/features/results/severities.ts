/** Rising. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

const WORDS = new Map<string, Severity>(
  Object.entries({
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
  }),
)

/** What a tool calls a severity, in any case; null for what is absent or strange. */
export const severityOf = (word: unknown): Severity | null => (typeof word === 'string' ? (WORDS.get(word.trim().toLowerCase()) ?? null) : null)
