import { Anchor, Button, Text } from '@mantine/core'
import { SECTIONS } from '@sortie/contract/findings/finding-fields.ts'
import { SECTION_LABELS } from '../../../domain/finding-words.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { type Entry, type EntryText, nameOfLanguage, textIn } from '../entries.tsx'
import classes from '../library.module.css'

interface EntryTextsProps {
  entry: Entry
  language: string
  /** Absent: it cannot be changed. */
  onEdit: (() => void) | undefined
}

/** What a finding in this language gets; a missing text comes from the main language, and says so. */
export const EntryTexts = ({ entry, language, onEdit }: EntryTextsProps) => {
  const own = textIn(entry, language)
  const main = textIn(entry, entry.mainLanguage)
  const isMain = language === entry.mainLanguage
  const from = <span className={classes.fallback}>from {nameOfLanguage(entry.mainLanguage)}</span>
  const sections = SECTIONS.filter((section) => own[section] || main[section])
  const references = own.references.length > 0 ? own.references : main.references
  return (
    <div className={classes.texts} lang={language}>
      {!isMain && (
        <section aria-label="Title">
          <h2>Title {!own.title && from}</h2>
          <Text size="sm">{own.title || main.title}</Text>
        </section>
      )}
      {sections.length === 0 && (
        <EmptyState title="No texts yet" action={onEdit && <Button onClick={onEdit}>Write the texts</Button>}>
          Findings copy these texts: what the client needs to understand and fix the problem.
        </EmptyState>
      )}
      {sections.map((section) => (
        <section key={section} aria-label={SECTION_LABELS[section]}>
          <h2>
            {SECTION_LABELS[section]} {!own[section] && from}
          </h2>
          <Markdown text={own[section] || main[section]} />
        </section>
      ))}
      {references.length > 0 && (
        <section aria-label="References">
          <h2>References {own.references.length === 0 && !isMain && from}</h2>
          <References references={references} />
        </section>
      )}
      {entry.guidance && (
        <section aria-label="Guidance for testers" className={classes.guidance}>
          <h2>
            Guidance for testers <span className={classes.fallback}>never printed</span>
          </h2>
          <Markdown text={entry.guidance} />
        </section>
      )}
    </div>
  )
}

export const References = ({ references }: { references: EntryText['references'] }) => (
  <ul className={classes.references}>
    {references.map((reference) => (
      <li key={reference}>
        {/^https?:\/\//.test(reference) ? (
          <Anchor href={reference} target="_blank" rel="noopener noreferrer nofollow" inherit>
            {reference}
          </Anchor>
        ) : (
          reference
        )}
      </li>
    ))}
  </ul>
)
