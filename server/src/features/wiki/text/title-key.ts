/** A title as links name it: without regard to case. */
export const titleKey = (title: string): string => title.trim().normalize('NFC').toLowerCase()
