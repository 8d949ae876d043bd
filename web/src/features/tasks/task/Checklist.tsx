import { Button, Checkbox, CloseButton, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, startTransition, useEffect, useOptimistic, useRef, useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { staleReads, type Task } from '../labels.tsx'
import { useChangeLatest } from './use-change-latest.ts'

interface ChecklistProps {
  task: Task
  mayChange: boolean
  /** The field for a new item gets the focus. */
  hasFocus: boolean
}

export const Checklist = ({ task, mayChange, hasFocus }: ChecklistProps) => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) field.current?.focus()
  }, [hasFocus])
  const [text, setText] = useState('')
  const tell = (error: unknown) => toastError(messageOf(error))
  const { change, isPending } = useChangeLatest(task.id)
  const replace = (
    itemsOf: (items: Task['checklist']) => { id?: string; text: string; done?: boolean }[],
  ): Promise<void> => change(({ checklist }) => ({ checklist: itemsOf(checklist) }))
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) void replace((items) => [...items, { text: text.trim() }]).then(() => setText(''), tell)
  }
  return (
    <Stack gap="xs">
      {task.checklist.map((item) => (
        <Group key={item.id} gap="xs" wrap="nowrap">
          <Item taskId={task.id} item={item} mayChange={mayChange} />
          {mayChange && (
            <CloseButton
              size="xs"
              aria-label={`Remove ${item.text}`}
              onClick={() => void replace((items) => items.filter((other) => other.id !== item.id)).catch(tell)}
            />
          )}
        </Group>
      ))}
      {mayChange && (
        <form onSubmit={add}>
          <Group gap="xs">
            <TextInput
              ref={field}
              size="xs"
              aria-label="New item"
              placeholder="Add an item"
              maxLength={500}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
            <Button type="submit" size="xs" variant="default" disabled={!text.trim()} loading={isPending}>
              Add
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  )
}

/**
 * Checks items optimistically; rolls back if the server refuses. Sends one change at a time, so that concurrent changes
 * by two users are not lost.
 */
const Item = ({ taskId, item, mayChange }: { taskId: string; item: Task['checklist'][number]; mayChange: boolean }) => {
  const { id } = useOrganization()
  const [isDone, showDone] = useOptimistic(item.done)
  const tick = useApiMutation(id, 'updateChecklistItem', {
    invalidates: staleReads(id),
    inOrder: `checklist/${item.id}`,
    onError: (error) => toastError(messageOf(error)),
  })
  const set = (done: boolean) =>
    startTransition(async () => {
      showDone(done)
      await tick.mutateAsync({ params: { taskId, itemId: item.id }, body: { done } }).catch(() => undefined)
    })
  return (
    <Checkbox
      label={item.text}
      checked={isDone}
      disabled={!mayChange}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  )
}
