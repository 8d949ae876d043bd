import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useAccount } from '../../../shell/context/session.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'
import { dropDraft, type LeftDraft, leftDrafts } from './page-drafts.ts'

/** Reports an unsaved draft of the page in this browser. */
export const DraftNotice = ({ page, isWritable }: { page: WikiPage; isWritable: boolean }) => {
  const { addressOf } = useWiki()
  const { id: userId } = useAccount()
  const [left, setLeft] = useState<LeftDraft>()
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void leftDrafts(userId, page.id).then(([newest]) => isCurrent && setLeft(newest))
    return () => {
      isCurrent = false
    }
  }, [userId, page.id])
  const text = left?.draft.values.body
  if (!left || text === undefined || text === page.body) return null
  return (
    <Alert color="yellow" variant="light" role="status" title="You have unsaved changes to this page" mb="md">
      <Stack gap="xs">
        <Text size="sm">
          Typed <TimeAgo iso={left.draft.savedAt} /> and kept in this browser only.
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
          dropDraft(userId, left)
          setAsking(false)
          setLeft(undefined)
        }}
        title="Discard the unsaved text?"
        confirmLabel="Discard"
      >
        The page keeps its last saved text. This can't be undone.
      </ConfirmDialog>
    </Alert>
  )
}
