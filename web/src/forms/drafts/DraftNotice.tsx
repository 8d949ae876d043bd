import { Alert, Button, Group } from '@mantine/core'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import type { DraftForm } from '../use-draft-form.ts'

/** Reports a restored or available draft, with a button to discard it. */
export const DraftNotice = ({ form }: { form: Pick<DraftForm<never>, 'restored' | 'showDraft' | 'discard'> }) => {
  const { restored } = form
  if (!restored) return null
  return (
    <Alert color="gray" variant="light" role="status" p="xs">
      <Group justify="space-between" gap="xs">
        <span>
          {restored.isShown
            ? 'Your unsaved changes are back. You made them '
            : 'There are other unsaved changes of yours, made '}
          <TimeAgo iso={restored.savedAt} />.
        </span>
        {restored.isShown ? (
          <Button variant="default" onClick={form.discard}>
            Discard them
          </Button>
        ) : (
          <Button variant="default" onClick={form.showDraft}>
            Restore them
          </Button>
        )}
      </Group>
    </Alert>
  )
}
