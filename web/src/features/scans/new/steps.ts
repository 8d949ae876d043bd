import type { Scanner, ScannerId, Step } from '../labels.ts'

const RECON: readonly Step[] = [
  { id: 'dns' },
  { id: 'ports', options: { ports: 'top-100' } },
  { id: 'http' },
  { id: 'tls' },
]

/** Default steps: resolve names, find ports, probe services. Limited to the scanners available on this instance. */
export const reconWith = (scanners: readonly Scanner[]): Step[] =>
  RECON.filter(({ id }) => scanners.some((scanner) => scanner.id === id && scanner.available))

export const without = (steps: readonly Step[], id: ScannerId): Step[] => steps.filter((step) => step.id !== id)

/** @param by -1: one position earlier; 1: later */
export const moved = (steps: readonly Step[], index: number, by: -1 | 1): Step[] => {
  const next = [...steps]
  next.splice(index + by, 0, ...next.splice(index, 1))
  return next
}

/** @param value undefined: the scanner's default */
export const withOption = (steps: readonly Step[], index: number, name: string, value: unknown): Step[] =>
  steps.map((step, at) => {
    if (at !== index) return step
    const options = Object.fromEntries(
      Object.entries({ ...step.options, [name]: value }).filter(([, option]) => option !== undefined),
    )
    return Object.keys(options).length === 0 ? { id: step.id } : { id: step.id, options }
  })
