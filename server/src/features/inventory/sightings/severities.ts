import type { Severity } from '@sortie/contract/core/values.ts'
import { cleanLine } from './clean.ts'

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
    negligible: 'info',
    important: 'high',
    severe: 'high',
    // German, French, Spanish and Italian words, from exports and manual lists.
    kritisch: 'critical',
    hoch: 'high',
    mittel: 'medium',
    niedrig: 'low',
    gering: 'low',
    hinweis: 'info',
    critique: 'critical',
    élevé: 'high',
    élevée: 'high',
    moyen: 'medium',
    moyenne: 'medium',
    faible: 'low',
    crítico: 'critical',
    crítica: 'critical',
    critico: 'critical',
    critica: 'critical',
    alto: 'high',
    alta: 'high',
    medio: 'medium',
    media: 'medium',
    bajo: 'low',
    baja: 'low',
    basso: 'low',
    bassa: 'low',
  }),
)

/** Maps a tool's word to a severity, in any case; null if it is missing or unknown. */
export const severityOf = (word: unknown): Severity | null =>
  typeof word === 'string' ? (WORDS.get(word.trim().toLowerCase()) ?? null) : null

/** Words for a missing severity. */
const NOT_SAID = new Set(['', '-', 'n/a', 'na', 'null', 'unassigned', 'undefined', 'unknown'])

/** A tool's word for the severity as it is written, if it says something that is not known. */
export const unknownSeverityIn = (word: unknown): string | null => {
  const text = typeof word === 'string' || typeof word === 'number' ? String(word).trim() : ''
  return NOT_SAID.has(text.toLowerCase()) || severityOf(text) !== null ? null : (cleanLine(text, 40) ?? null)
}
