import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useAccount } from '../../shell/context/session.tsx'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { PlainLines } from '../../ui/text-merge/DiffLines.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { dropDraft, type LeftDraft, leftDrafts, type Texts } from './text-drafts.ts'

interface LeftDraftNoticeProps<S extends string> {
  /** What the texts belong to, such as `wiki/wik_...`. */
  of: string
  /** In words: `page`. */
  noun: string
  /** The stored texts. */
  texts: Texts<S>
  isWritable: boolean
  /** Address of the editor. */
  editTo: string
}

/** Reports unsaved texts of an object in this browser. */
export const LeftDraftNotice = <S extends string>({ of, noun, texts, isWritable, editTo }: LeftDraftNoticeProps<S>) => {
  const { id: userId } = useAccount()
  const [left, setLeft] = useState<LeftDraft<S>>()
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void leftDrafts<S>(userId, of).then(([newest]) => isCurrent && setLeft(newest))
    return () => {
      isCurrent = false
    }
  }, [userId, of])
  const changed = (Object.keys(texts) as S[])
    .map((section) => [left?.draft.values[section], texts[section]] as const)
    .filter(([mine, saved]) => mine !== saved)
  const unsaved = changed.flatMap(([mine]) => (mine === undefined ? [] : [mine]))
  if (!left || unsaved.length === 0) return null
  return (
    <Alert color="yellow" variant="light" role="status" title={`You have unsaved changes to this ${noun}`} mb="md">
      <Stack gap="xs">
        <Text size="sm">
          Typed <TimeAgo iso={left.draft.savedAt} /> and kept in this browser only.
        </Text>
        {!isWritable && <PlainLines text={unsaved.join('\n\n')} />}
        <Group gap="xs">
          {isWritable && (
            <ButtonLink to={editTo} size="xs">
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
        The {noun} keeps its last saved text. This can't be undone.
      </ConfirmDialog>
    </Alert>
  )
}
