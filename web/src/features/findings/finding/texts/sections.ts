import { SECTIONS, type Section } from '@sortie/contract/findings/finding-fields.ts'
import { SECTION_HINTS, SECTION_LABELS } from '../../../../domain/finding-words.tsx'
import type { EditedSection } from '../../../../forms/texts/TextEditor.tsx'

export { SECTIONS, type Section }

/** The texts of a finding in the order of a report. */
export const EDITED_SECTIONS: readonly EditedSection<Section>[] = SECTIONS.map((name) => ({
  name,
  label: SECTION_LABELS[name],
  hint: SECTION_HINTS[name],
}))

export const labelOfSection = (section: Section): string => SECTION_LABELS[section]
