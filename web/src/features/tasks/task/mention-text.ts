/** Somebody who can be mentioned. */
export interface Person {
  id: string
  name: string
}

/** What is typed after the last @ before the cursor: up to two words. */
const TYPED = /(?:^|[\s(])@((?:[^\s@()[\]]{1,60}(?: [^\s@()[\]]{0,60})?)?)$/u
/** No name is longer; what stands further back is not looked at. */
const LOOKED_AT = 130
const MAX_OFFERED = 8

/** The beginning of a mention that ends at the cursor: where its @ stands, and what follows it. */
export const typedMention = (text: string, cursor: number): { at: number; typed: string } | undefined => {
  const typed = TYPED.exec(text.slice(Math.max(0, cursor - LOOKED_AT), cursor))?.[1]
  return typed === undefined ? undefined : { at: cursor - typed.length - 1, typed }
}

/** People one of whose names begins so, in the order they came. */
export const matchingPeople = <P extends Person>(people: readonly P[], typed: string): P[] => {
  const wanted = typed.toLowerCase()
  return people.filter(({ name }) => ` ${name.toLowerCase()}`.includes(` ${wanted}`)).slice(0, MAX_OFFERED)
}

/** As the server knows a mention. Brackets in a name would end it. */
export const mentionOf = ({ id, name }: Person): string => `@[${name.replaceAll(/[[\]]/g, '')}](${id}) `

/** For reading: a mention is the name alone. */
export const withoutIds = (text: string): string => text.replaceAll(/@\[([^\][\n]{1,200})\]\(usr_[0-9a-z]{26}\)/g, '**@$1**')
