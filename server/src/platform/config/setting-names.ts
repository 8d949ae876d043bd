/** Names that npm's scripts, tests or earlier versions read, but that are not settings. */
const OTHER_NAMES = [
  'ENV_FILE',
  'SORTIE_API_PROCESSES',
  'SORTIE_E2E_SERVER',
  'SORTIE_LAUNCHED',
  'SORTIE_NIGHTLY',
  'SORTIE_PASSWORD_IS_NEW',
  'SORTIE_TEST_CLUSTER',
  'SORTIE_TEST_DOCUMENT',
  'SORTIE_TEST_WITHOUT',
  'SORTIE_UID',
  'TEST_DATABASE_URL',
]
/** Names of Node and npm. */
const OTHER_PROGRAMS = /^(?:NODE|NPM|npm)_/
/** Shorter names in the environment are ignored: too many programs have one that is close to a setting. */
const MIN_LENGTH = 8
/** Maximum edits, each one letter inserted, deleted or replaced, for a name to count as a typo. */
const MAX_EDITS = 2
/** In a settings file every unknown name is refused, so a suggestion may be further away. */
const MAX_SUGGESTED_EDITS = 4

/** Sources of the settings. */
export interface SettingSources {
  file: { path: string; names: readonly string[] }
  environment: readonly string[]
}

/** All settings, and those whose value may be in a file that `NAME_FILE` names. */
export interface KnownSettings {
  names: readonly string[]
  withFile: readonly string[]
}

/**
 * Finds names that are not settings (O3): every one in the settings file; in the environment, which other programs also
 * use, those at most two edits away from a setting.
 *
 * @returns one line for each, with the remedy and without values
 */
export const findUnknownNames = ({ file, environment }: SettingSources, settings: KnownSettings): string[] => {
  const ours = [...settings.names, ...settings.withFile.map((name) => `${name}_FILE`)]
  const known = new Set([...ours, ...OTHER_NAMES])
  const isUnknown = (name: string) => !known.has(name) && !OTHER_PROGRAMS.test(name)
  const inFile = file.names
    .filter(isUnknown)
    .map((name) => `${name}: is in ${file.path}, but is not a setting${suggestion(name, ours, settings)}`)
  const inEnvironment = environment
    .filter((name) => isUnknown(name) && name.length >= MIN_LENGTH)
    .flatMap((name) => {
      const meant = nearest(name, ours, MAX_EDITS)
      return meant === undefined
        ? []
        : [
            `${name}: is in the environment, but is not a setting; did you mean ${meant}? If another program reads it, unset it for this one`,
          ]
    })
  return [...inFile, ...inEnvironment]
}

const suggestion = (name: string, ours: readonly string[], { names, withFile }: KnownSettings): string => {
  const setting = name.replace(/_FILE$/, '')
  if (setting !== name && names.includes(setting) && !withFile.includes(setting))
    return `; ${setting} takes its value itself, not the name of a file`
  const meant = nearest(name, ours, MAX_SUGGESTED_EDITS)
  return meant === undefined ? '; docs/operating.md lists them all' : `; did you mean ${meant}?`
}

/** @returns the name with the fewest edits, ignoring letter case; undefined if all need more than `maxEdits` */
const nearest = (name: string, ours: readonly string[], maxEdits: number): string | undefined => {
  const [best] = ours
    .map((our) => ({ our, edits: editsBetween(name.toUpperCase(), our) }))
    .toSorted((a, b) => a.edits - b.edits)
  return best && best.edits <= maxEdits ? best.our : undefined
}

/** Levenshtein distance. */
const editsBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}
