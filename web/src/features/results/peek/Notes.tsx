import { Button, Group, Text, Textarea, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import type { Result } from '../labels.ts'
import { CHANGED_READS } from '../triage/use-triage.ts'

/** Notes on a result; imports never change them. */
export const Notes = ({ result, isReadOnly }: { result: Result; isReadOnly: boolean }) => {
  const [isEditing, setEditing] = useState(false)
  if (isReadOnly && !result.notes) return null
  return (
    <section aria-label="Notes">
      <Group justify="space-between" mb={6}>
        <Title order={3} size="h5">
          Notes
        </Title>
        {!isReadOnly && !isEditing && (
          <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
            {result.notes ? 'Edit notes' : 'Write notes'}
          </Button>
        )}
      </Group>
      {isEditing ? (
        <NotesForm result={result} onDone={() => setEditing(false)} />
      ) : result.notes ? (
        <Markdown text={result.notes} />
      ) : (
        <NoNotes />
      )}
    </section>
  )
}

const NoNotes = () => (
  <Text size="sm" c="dimmed">
    None yet.
  </Text>
)

const savedOf = ({ notes, updatedAt }: Result) => ({ values: { notes }, version: updatedAt })

const NotesForm = ({ result, onDone }: { result: Result; onDone: () => void }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const params = { resultId: result.id }
  const send = useSend(
    organization.id,
    'updateResult',
    CHANGED_READS.map((name) => [organization.id, name] as const),
  )
  const form = useDraftForm({
    draft: `result-notes/${result.id}`,
    saved: savedOf(result),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organization.id, 'getResult', { params }))).data),
    onSaved: onDone,
  })
  return (
    <PageForm form={form} labels={{ notes: 'Notes' }} submitLabel="Save" onCancel={onDone}>
      <Textarea
        aria-label="Notes"
        description="Markdown"
        autosize
        minRows={4}
        maxRows={16}
        maxLength={20_000}
        data-autofocus
        {...form.getInputProps('notes')}
      />
    </PageForm>
  )
}
