import type { ScanStep } from '@sortie/contract/scans.ts'
import type { Static } from 'typebox'
import { conflict, invalid } from '../../platform/errors.ts'
import type { ScanTarget } from '../targets/targets.queries.ts'
import { startOf } from './leads.ts'
import type { Lead, Scanner } from './scanners/scanner.ts'
import { completeOptions, scannerOf } from './scanners/scanners.ts'

type WrittenStep = Static<typeof ScanStep>

/** A scanner with the options that it runs with. */
export interface Step {
  scanner: Scanner
  options: Record<string, unknown>
  /** Connections and questions that one of these takes at most. */
  unitsOf(lead: Lead): number
}

/** @throws ApiError VALIDATION_ERROR for options that are not the scanner's own, and for the same scanner twice */
export const readSteps = (written: readonly WrittenStep[]): Step[] => {
  const steps = written.map(({ id, options }) => {
    const scanner = scannerOf(id)
    const completed = completeOptions(scanner, options)
    if ('refused' in completed) throw invalid(`scanners: ${id} ${completed.refused}`)
    return { scanner, options: completed.options, unitsOf: createUnitsOf(scanner, completed.options) }
  })
  if (new Set(steps.map(({ scanner }) => scanner.id)).size !== steps.length) throw invalid('scanners: each scanner can run once')
  return steps
}

/** A list of ports is read once and not for each of 10,000 targets: all names take the same, and so do all addresses with a name and all without. */
const createUnitsOf = (scanner: Scanner, options: Record<string, unknown>) => {
  const known = new Map<string, number>()
  return (lead: Lead): number => {
    if (lead.kind !== 'name' && lead.kind !== 'address') return scanner.unitsOf(lead, options)
    const key = `${lead.kind} ${lead.kind === 'address' && lead.name !== undefined}`
    const units = known.get(key) ?? scanner.unitsOf(lead, options)
    known.set(key, units)
    return units
  }
}

/** @throws ApiError CONFLICT */
export const requireAvailable = async (steps: readonly Step[]): Promise<void> => {
  for (const { scanner } of steps) {
    const reason = await scanner.unavailable()
    if (reason !== null) throw conflict(`The scanner ${scanner.id} is not available here: ${reason}.`)
  }
}

/** Whether one of the scanners takes targets of this kind. */
export const isTaken = (steps: readonly Step[], kind: string): boolean => steps.some(({ scanner }) => (scanner.takes as readonly string[]).includes(kind))

/** Connections and questions that these targets take at most, before anything is found. */
export const probesOf = (steps: readonly Step[], targets: readonly ScanTarget[]): number => {
  let sum = 0
  for (const target of targets) {
    const start = startOf(target)
    if (start) sum += start.count * probesOfLead(steps, start.lead)
  }
  return sum
}

export const probesOfLead = (steps: readonly Step[], lead: Lead): number => steps.reduce((sum, { unitsOf }) => sum + unitsOf(lead), 0)
