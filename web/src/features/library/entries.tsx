import type { Output } from '@sortie/client/calls.ts'
import { isAdmin, type OwnOrganization } from '../../shell/context/organization.tsx'
import { type Shape, StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'

export type EntryHead = Output<'listLibraryEntries'>['data'][number]
export type Entry = Output<'getLibraryEntry'>['data']
export type EntryText = Entry['texts'][string]
export type EntryState = EntryHead['state']

export const STATE_LABELS: Record<EntryState, string> = { draft: 'Draft', proposed: 'Proposed', approved: 'Approved' }

const TONES: Record<EntryState, Tone> = { draft: 'quiet', proposed: 'busy', approved: 'good' }
const SHAPES: Record<EntryState, Shape> = { draft: 'ring', proposed: 'half', approved: 'check' }

export const EntryStateLabel = ({ state }: { state: EntryState }) => (
  <StatusLabel tone={TONES[state]} shape={SHAPES[state]}>
    {STATE_LABELS[state]}
  </StatusLabel>
)

/** Members write drafts; the owner and admins also change approved entries. Built-in ones cannot be changed. */
export const mayChange = (
  organization: OwnOrganization,
  { builtIn, state }: Pick<EntryHead, 'builtIn' | 'state'>,
): boolean => !builtIn && (state !== 'approved' || isAdmin(organization))

const EMPTY: EntryText = {
  title: '',
  summary: '',
  description: '',
  impact: '',
  reproduction: '',
  recommendation: '',
  references: [],
}

/** The texts of an entry in a language, without those of the main one. */
export const textIn = ({ texts }: Entry, language: string): EntryText => texts[language] ?? EMPTY

/** The main language first. */
export const languagesOf = ({ languages, mainLanguage }: EntryHead): string[] => [
  mainLanguage,
  ...languages.filter((language) => language !== mainLanguage),
]

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

/** `German`, `English (United Kingdom)` */
export const nameOfLanguage = (language: string): string => {
  try {
    return NAMES.of(language) ?? language
  } catch {
    return language
  }
}

/** Reads that are stale after an entry changed. */
export const staleReads = (organizationId: string) =>
  (['listLibraryEntries', 'getLibraryEntry', 'listLibraryVersions', 'getLibraryDiff'] as const).map(
    (name) => [organizationId, name] as const,
  )
