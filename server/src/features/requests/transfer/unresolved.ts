import { variableNames } from '../sending/build/variables.ts'
import type { Imported } from './imported.ts'

/** A variable that requests use and that no environment of the file gives a value. */
export interface UnresolvedVariable {
  name: string
  /** How many requests use it. */
  requests: number
}

const MAX_LISTED = 1_000
/** Each run sets these for its target. */
const OF_TARGETS = 'target.'

/**
 * Lists the variables without a value, by name. A request also uses those of the authentication that it inherits;
 * headers and parameters that are switched off count for nothing.
 */
export const unresolvedIn = ({ folders, requests, environments }: Imported): UnresolvedVariable[] => {
  const known = new Set(
    environments.flatMap(({ variables }) => variables.flatMap(({ name, value }) => (value === '' ? [] : [name]))),
  )
  // Parents come before their children.
  const ofFolders: ReadonlySet<string>[] = []
  for (const { auth, parent } of folders)
    ofFolders.push(isOwn(auth) ? namesIn(auth) : ((parent === null ? undefined : ofFolders[parent]) ?? new Set()))
  const counts = new Map<string, number>()
  for (const { folder, name: _name, description: _description, ...sent } of requests) {
    const inherited = isOwn(sent.auth) || folder === null ? undefined : ofFolders[folder]
    for (const name of new Set([...namesIn(sent), ...(inherited ?? [])]))
      if (!known.has(name) && !name.startsWith(OF_TARGETS)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]) => ({ name, requests: count }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MAX_LISTED)
}

const isOwn = (auth: { type: string } | undefined): boolean => auth !== undefined && auth.type !== 'inherit'

const namesIn = (value: unknown, names = new Set<string>()): Set<string> => {
  if (typeof value === 'string') for (const name of variableNames(value)) names.add(name)
  else if (typeof value === 'object' && value !== null && !('enabled' in value && value.enabled === false))
    for (const inner of Object.values(value)) namesIn(inner, names)
  return names
}
