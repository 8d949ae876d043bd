/** The server knows UTC by this name; browsers leave it out. */
export const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** Of the browser: `Europe/Berlin` */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
