/** The server accepts the name UTC; browsers omit it from the list. */
export const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** Time zone of the browser: `Europe/Berlin` */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
