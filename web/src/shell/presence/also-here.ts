import type { Output } from '@sortie/client/calls.ts'

type Viewer = Output<'listWikiViewers'>['data'][number]

/** `Also here: Ada, Grace (editing)`; empty if no one else is. */
export const alsoHere = (viewers: readonly Viewer[] | undefined, ownId: string): string => {
  const others = (viewers ?? []).filter(({ id }) => id !== ownId)
  return others.length === 0
    ? ''
    : `Also here: ${others.map(({ name, editing }) => (editing ? `${name} (editing)` : name)).join(', ')}`
}
