/** The case-insensitive key of a title, used by links. */
export const titleKey = (title: string): string => title.trim().normalize('NFC').toLowerCase()
