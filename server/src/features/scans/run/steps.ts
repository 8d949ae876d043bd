import type { ScanStep } from '@sortie/contract/inventory/scans.ts'
import type { Static } from 'typebox'
import { conflict, invalid } from '../../../platform/errors.ts'
import type { ScanTarget } from '../../targets/targets.queries.ts'
import { startOf } from '../inputs/inputs.ts'
import type { ScanInput, Scanner } from '../scanners/scanner.ts'
import { completeOptions, scannerOf } from '../scanners/scanners.ts'

type WrittenStep = Static<typeof ScanStep>

/** A scanner and its options. */
export interface Step {
  scanner: Scanner
  options: Record<string, unknown>
  /** Maximum connections and queries for one scan input. */
  unitsOf(input: ScanInput): number
}

/** @throws ApiError VALIDATION_ERROR for unknown options, and for a repeated scanner */
export const readSteps = (written: readonly WrittenStep[]): Step[] => {
  const steps = written.map(({ id, options }) => {
    const scanner = scannerOf(id)
    const completed = completeOptions(scanner, options)
    if ('refused' in completed) throw invalid(`scanners: ${id} ${completed.refused}`)
    return { scanner, options: completed.options, unitsOf: createUnitsOf(scanner, completed.options) }
  })
  if (new Set(steps.map(({ scanner }) => scanner.id)).size !== steps.length)
    throw invalid('scanners: each scanner can run once')
  return steps
}

/**
 * Reads a port list once, not for each of 10,000 targets: all names need the same number, as do all addresses with a
 * name and all without one.
 */
const createUnitsOf = (scanner: Scanner, options: Record<string, unknown>) => {
  const known = new Map<string, number>()
  return (input: ScanInput): number => {
    if (input.kind !== 'name' && input.kind !== 'address') return scanner.unitsOf(input, options)
    const key = `${input.kind} ${input.kind === 'address' && input.name !== undefined}`
    const units = known.get(key) ?? scanner.unitsOf(input, options)
    known.set(key, units)
    return units
  }
}

/** @throws ApiError CONFLICT if a scanner is not available */
export const requireAvailable = async (steps: readonly Step[]): Promise<void> => {
  for (const { scanner } of steps) {
    const reason = await scanner.unavailable()
    if (reason !== null) throw conflict(`The scanner ${scanner.id} is not available here: ${reason}.`)
  }
}

/** True if one of the scanners accepts targets of this kind. */
export const isTaken = (steps: readonly Step[], kind: string): boolean =>
  steps.some(({ scanner }) => (scanner.takes as readonly string[]).includes(kind))

/** Returns the maximum connections and queries for these targets, before anything is found. */
export const probesOf = (steps: readonly Step[], targets: readonly ScanTarget[]): number => {
  let sum = 0
  for (const target of targets) {
    const start = startOf(target)
    if (start) sum += start.count * probesOfInput(steps, start.input)
  }
  return sum
}

export const probesOfInput = (steps: readonly Step[], input: ScanInput): number =>
  steps.reduce((sum, { unitsOf }) => sum + unitsOf(input), 0)
