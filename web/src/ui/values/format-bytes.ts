const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
const STEP = 1_000

/** `48.2 kB` */
export const formatBytes = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, bytes < STEP ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP)))
  const value = bytes / STEP ** power
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${UNITS[power]}`
}
