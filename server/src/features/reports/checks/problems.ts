import { createHash } from 'node:crypto'
import { type CHECK_CODES, type ReportProblem, WARNING_CODES } from '@sortie/contract/reports/reports.ts'
import type { Static } from 'typebox'
import type { Place } from '../document/composer.ts'

export type CheckCode = (typeof CHECK_CODES)[number]
export type ShownProblem = Static<typeof ReportProblem>

/** A problem before it is known whether it is waived. */
export interface Problem {
  code: CheckCode
  message: string
  where: Place & { quote: string | null }
}

export const levelOf = (code: CheckCode): 'error' | 'warning' =>
  (WARNING_CODES as readonly string[]).includes(code) ? 'warning' : 'error'

/** What a waiver holds for: SHA-256 of code, object, section and quote, in hexadecimal. */
export const fingerprintOf = ({ code, where: { type, id, section, quote } }: Omit<Problem, 'message'>): string =>
  createHash('sha256')
    .update(JSON.stringify([code, type, id, section, quote]))
    .digest('hex')

/** A text that people wrote, with its place. */
export interface CheckedText {
  text: string
  place: Place
}
