/** A member who can be mentioned. */
export interface Person {
  id: string
  name: string
}

/** Text between the last @ and the cursor: up to two words. */
const TYPED = /(?:^|[\s(])@((?:[^\s@()[\]]{1,60}(?: [^\s@()[\]]{0,60})?)?)$/u
/** Longest possible name; text further back is not examined. */
const LOOKED_AT = 130
const MAX_OFFERED = 8

/** The mention that ends at the cursor: position of its @, and the text after it. */
export const typedMention = (text: string, cursor: number): { at: number; typed: string } | undefined => {
  const typed = TYPED.exec(text.slice(Math.max(0, cursor - LOOKED_AT), cursor))?.[1]
  return typed === undefined ? undefined : { at: cursor - typed.length - 1, typed }
}

/** People with a name that starts with the text, in the given order. */
export const matchingPeople = <P extends Person>(people: readonly P[], typed: string): P[] => {
  const wanted = typed.toLowerCase()
  return people.filter(({ name }) => ` ${name.toLowerCase()}`.includes(` ${wanted}`)).slice(0, MAX_OFFERED)
}

/** Mention syntax of the server. Drops brackets from the name, because they would end it. */
export const mentionOf = ({ id, name }: Person): string => `@[${name.replaceAll(/[[\]]/g, '')}](${id}) `

/** Shortens mentions to the name, for display. */
export const withoutIds = (text: string): string =>
  text.replaceAll(/@\[([^\][\n]{1,200})\]\(usr_[0-9a-z]{26}\)/g, '**@$1**')
