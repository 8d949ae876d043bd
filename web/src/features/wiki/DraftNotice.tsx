import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useStoredDraft } from '../../forms/use-stored-draft.ts'
import { ButtonLink } from '../../shell/links.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { draftOf, type PageDraft } from './use-autosave.ts'
import classes from './wiki.module.css'
import { useWiki, type WikiPage } from './wiki-tree.tsx'

/** Says that this browser has a text of the page that was never saved. */
export const DraftNotice = ({ page, isWritable }: { page: WikiPage; isWritable: boolean }) => {
  const { addressOf } = useWiki()
  const { found, remove } = useStoredDraft<PageDraft>(draftOf(page))
  const [isDiscarded, setDiscarded] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const text = found?.values.body
  if (!found || isDiscarded || text === undefined || text === page.body) return null
  return (
    <Alert color="yellow" variant="light" role="status" title="You have text here that is not saved" mb="md">
      <Stack gap="xs">
        <Text size="sm">
          Typed <TimeAgo iso={found.savedAt} /> and kept in this browser only.
        </Text>
        {!isWritable && <pre className={classes.side}>{text}</pre>}
        <Group gap="xs">
          {isWritable && (
            <ButtonLink to={`${addressOf(page.id)}?view=edit`} size="xs">
              Continue editing
            </ButtonLink>
          )}
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            Discard
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          remove()
          setDiscarded(true)
        }}
        title="Discard the text that is not saved?"
        confirmLabel="Discard"
      >
        The page stays as it was saved last. What you typed since cannot be brought back.
      </ConfirmDialog>
    </Alert>
  )
}
