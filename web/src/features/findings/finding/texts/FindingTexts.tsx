import { LeftDraftNotice } from '../../../../forms/texts/LeftDraftNotice.tsx'
import { ButtonLink } from '../../../../shell/routing/links.tsx'
import { EmptyState } from '../../../../ui/feedback/EmptyState.tsx'
import classes from '../../findings.module.css'
import type { Finding } from '../../labels.ts'
import { FindingText } from './FindingText.tsx'
import { labelOfSection, SECTIONS, type Section } from './sections.ts'

interface FindingTextsProps {
  finding: Finding
  mayChange: boolean
  editTo: string
}

/** The texts of a finding as a report has them. */
export const FindingTexts = ({ finding, mayChange, editTo }: FindingTextsProps) => {
  const texts = textsOf(finding)
  return (
    <div>
      <LeftDraftNotice
        of={`finding/${finding.id}`}
        noun="finding"
        texts={texts}
        isWritable={mayChange}
        editTo={editTo}
      />
      {SECTIONS.every((section) => texts[section] === '') ? (
        <EmptyState
          title="No texts yet"
          action={
            mayChange && (
              <ButtonLink variant="default" to={editTo}>
                Write the texts
              </ButtonLink>
            )
          }
        >
          Summary, description, impact, reproduction and recommendation: what the client needs to understand and fix it.
        </EmptyState>
      ) : (
        <Sections finding={finding} texts={texts} />
      )}
    </div>
  )
}

export const textsOf = (finding: Finding): Record<Section, string> =>
  Object.fromEntries(SECTIONS.map((section) => [section, finding[section]])) as Record<Section, string>

/** Sections with a text, under their headings. */
export const Sections = ({ finding, texts }: { finding: Finding; texts: Record<Section, string> }) => (
  <div className={`${classes.texts} figures`}>
    {SECTIONS.filter((section) => texts[section] !== '').map((section) => (
      <section key={section} className={classes.section} data-section={section} aria-label={labelOfSection(section)}>
        <h2>{labelOfSection(section)}</h2>
        <div data-text={section}>
          <FindingText finding={finding} text={texts[section]} />
        </div>
      </section>
    ))}
  </div>
)
