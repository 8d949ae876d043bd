/** `@[Ada Lovelace](usr_...)`, written by the editor; anything else after an @ is text. */
const MENTION = /@\[[^\][\n]{1,200}\]\((usr_[0-9a-z]{26})\)/g

/** Ids of the mentioned users, without duplicates, in the order of the text. */
export const mentionsIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(MENTION), ([, id]) => id as string)),
]
