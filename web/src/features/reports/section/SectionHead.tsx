import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Report, ReportSection } from '../../../domain/reports/report-words.tsx'
import { IconEyeOff } from '../../../ui/page-icons.tsx'
import { useSections } from '../outline/use-sections.ts'
import classes from '../reports.module.css'

interface SectionHeadProps {
  report: Report
  section: ReportSection
  mayChange: boolean
}

/** The title of a section, which is saved when its field is left. */
export const SectionHead = ({ report, section, mayChange }: SectionHeadProps) => {
  const { update } = useSections(report)
  const [typed, setTyped] = useState<string>()
  const take = () => {
    const title = typed?.trim()
    setTyped(undefined)
    if (title !== undefined && title !== section.title) update(section, { title })
  }
  return (
    <div>
      <TextInput
        variant="unstyled"
        classNames={{ input: classes.sectionTitle as string }}
        aria-label="Title of the section"
        placeholder="Untitled section"
        maxLength={300}
        readOnly={!mayChange}
        value={typed ?? section.title}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(undefined)
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
      {section.hidden && (
        <Text size="sm" c="dimmed" className={classes.hiddenNote}>
          <IconEyeOff size={14} aria-hidden /> Hidden: this section is in no file.
        </Text>
      )}
    </div>
  )
}
