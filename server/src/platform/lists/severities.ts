import { SEVERITIES, type Severity } from '@sortie/contract/core/values.ts'

/** The stored value of a severity: findings and entries of the library are sorted by it. */
export const weightOf = (severity: Severity): number => SEVERITIES.indexOf(severity)
export const severityOf = (weight: number): Severity => SEVERITIES[weight] as Severity
