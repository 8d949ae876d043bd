import classes from './Person.module.css'

const COLOURS = 8

/** Decorative: the name is always next to it, or in its label. */
export const Initials = ({ name }: { name: string }) => (
  <span className={classes.initials} data-colour={colourOf(name)} aria-hidden>
    {initialsOf(name)}
  </span>
)

/** A person in a list or a sentence: initials and name. Nothing for `null`. */
export const Person = ({ name }: { name: string | null | undefined }) =>
  name ? (
    <span className={classes.person}>
      <Initials name={name} />
      <span className={classes.name}>{name}</span>
    </span>
  ) : null

/** First letters of the first and the last word: `Ada Byron` is AB. */
const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** The same name has the same colour on every page. */
const colourOf = (name: string): number => {
  // FNV-1a: names that differ in a few letters differ in colour, too.
  let sum = 0x81_1c_9d_c5
  for (const letter of name) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93) >>> 0
  return ((sum ^ (sum >>> 16)) >>> 0) % COLOURS
}
