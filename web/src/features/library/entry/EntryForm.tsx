import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { SECTIONS } from '@sortie/contract/findings/finding-fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { SECTION_HINTS, SECTION_LABELS } from '../../../domain/finding-words.tsx'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { type Entry, nameOfLanguage, staleReads, textIn } from '../entries.tsx'
import classes from '../library.module.css'
import { References } from './EntryTexts.tsx'

interface EntryFormProps {
  entry: Entry
  language: string
  onDone: () => void
  /** Called after the language was removed. */
  onRemoved: () => void
}

const savedOf = (entry: Entry, language: string) => {
  const { references, ...text } = textIn(entry, language)
  return { values: { ...text, references: references.join('\n'), guidance: entry.guidance }, version: entry.updatedAt }
}

type Written = ReturnType<typeof savedOf>['values']

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const LABELS = { title: 'Title', ...SECTION_LABELS, references: 'References', guidance: 'Guidance for testers' }

/** Writes the texts of one language next to their preview. Saving adds a version. */
export const EntryForm = ({ entry, language, onDone, onRemoved }: EntryFormProps) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const params = { entryId: entry.id }
  const send = useSend(id, 'updateLibraryEntry', staleReads(id))
  const form = useDraftForm({
    draft: `library-entry/${entry.id}/${language}`,
    saved: savedOf(entry, language),
    send: ({ guidance, references, ...text }, ifUpdatedAt) =>
      send({
        params,
        body: {
          guidance,
          texts: { [language]: { ...text, references: linesOf(references) } },
          ...(ifUpdatedAt && { ifUpdatedAt }),
        },
      }),
    savedBy: ({ data }) => savedOf(data, language),
    reread: async () => savedOf((await cache.fetchQuery(query(id, 'getLibraryEntry', { params }))).data, language),
    onSaved: onDone,
  })
  const isMain = language === entry.mainLanguage
  const main = textIn(entry, entry.mainLanguage)
  const missing = isMain && !form.values.title.trim() ? 'The main language needs a title.' : undefined
  return (
    <div className={classes.panes}>
      <Stack gap="md">
        <PageForm form={form} labels={LABELS} submitLabel="Save" onCancel={onDone}>
          <TextInput
            label="Title"
            maxLength={300}
            data-autofocus
            placeholder={isMain ? '' : main.title}
            {...form.getInputProps('title')}
            error={missing}
          />
          {SECTIONS.map((section) => (
            <Textarea
              key={section}
              label={SECTION_LABELS[section]}
              description={SECTION_HINTS[section]}
              autosize
              minRows={3}
              maxRows={24}
              maxLength={50_000}
              {...form.getInputProps(section)}
            />
          ))}
          <Textarea
            label="References"
            description="One per line."
            autosize
            minRows={2}
            maxRows={12}
            {...form.getInputProps('references')}
          />
          <Textarea
            label="Guidance for testers"
            description="How to confirm it, in every language. Never printed."
            autosize
            minRows={3}
            maxRows={16}
            maxLength={50_000}
            {...form.getInputProps('guidance')}
          />
        </PageForm>
        {!isMain && entry.languages.includes(language) && (
          <RemoveLanguage entry={entry} language={language} onRemoved={onRemoved} />
        )}
      </Stack>
      <Preview values={form.values} />
    </div>
  )
}

/** Follows the fields when the browser has time for it. */
const Preview = ({ values }: { values: Written }) => {
  const shown = useDeferredValue(values)
  const sections = SECTIONS.filter((section) => shown[section].trim() !== '')
  const references = [...new Set(linesOf(shown.references))]
  return (
    <section className={classes.texts} aria-label="Preview">
      {sections.length === 0 && references.length === 0 && (
        <EmptyState title="Nothing to show yet">
          The preview shows the texts as you type them, formatted as Markdown.
        </EmptyState>
      )}
      {sections.map((section) => (
        <div key={section}>
          <h2>{SECTION_LABELS[section]}</h2>
          <Markdown text={shown[section]} />
        </div>
      ))}
      {references.length > 0 && (
        <div>
          <h2>References</h2>
          <References references={references} />
        </div>
      )}
    </section>
  )
}

const RemoveLanguage = ({ entry, language, onRemoved }: { entry: Entry; language: string; onRemoved: () => void }) => {
  const { id } = useOrganization()
  const [isAsking, setAsking] = useState(false)
  const name = nameOfLanguage(language)
  const remove = useApiMutation(id, 'updateLibraryEntry', { invalidates: staleReads(id), onSuccess: onRemoved })
  return (
    <Group>
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove {name}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Remove ${name}?`}
        confirmLabel={`Remove ${name}`}
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
        onConfirm={() => remove.mutate({ params: { entryId: entry.id }, body: { texts: { [language]: null } } })}
      >
        Its texts are kept in the earlier versions of the entry. Findings that copied them stay.
      </ConfirmDialog>
    </Group>
  )
}
