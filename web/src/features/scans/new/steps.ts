import type { Scanner, ScannerId, Step } from '../words.ts'

const RECON: readonly Step[] = [{ id: 'dns' }, { id: 'ports', options: { ports: 'top-100' } }, { id: 'http' }, { id: 'tls' }]

/** From names to ports to what answers there: what most scans are, as far as this instance can. */
export const reconWith = (scanners: readonly Scanner[]): Step[] => RECON.filter(({ id }) => scanners.some((scanner) => scanner.id === id && scanner.available))

export const without = (steps: readonly Step[], id: ScannerId): Step[] => steps.filter((step) => step.id !== id)

/** @param by -1: one place earlier; 1: later */
export const moved = (steps: readonly Step[], index: number, by: -1 | 1): Step[] => {
  const next = [...steps]
  next.splice(index + by, 0, ...next.splice(index, 1))
  return next
}

/** @param value undefined: as the scanner has it by itself */
export const withOption = (steps: readonly Step[], index: number, name: string, value: unknown): Step[] =>
  steps.map((step, at) => {
    if (at !== index) return step
    const options = Object.fromEntries(Object.entries({ ...step.options, [name]: value }).filter(([, option]) => option !== undefined))
    return Object.keys(options).length === 0 ? { id: step.id } : { id: step.id, options }
  })
