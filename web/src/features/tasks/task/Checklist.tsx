import { Button, Checkbox, CloseButton, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf, query, useCommand } from '../../../api.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import { toastError } from '../../../ui/toast.ts'
import { staleReads, type Task } from '../words.tsx'

/** Ticks are sent one by one, so that two people who tick at once lose nothing. */
export const Checklist = ({ task, mayChange }: { task: Task; mayChange: boolean }) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const [text, setText] = useState('')
  const options = { invalidates: staleReads(id), onError: (error: Error) => toastError(messageOf(error)) }
  const tick = useCommand(id, 'updateChecklistItem', options)
  const update = useCommand(id, 'updateTask', options)
  /** Items are added to, and taken from, the checklist as it is now, whatever was changed meanwhile. */
  const replace = async (change: (items: Task['checklist']) => { id?: string; text: string; done?: boolean }[]) => {
    const { data } = await cache.fetchQuery(query(id, 'getTask', { params: { taskId: task.id } }))
    return update.mutateAsync({ params: { taskId: task.id }, body: { checklist: change(data.checklist), ifUpdatedAt: data.updatedAt } })
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim())
      void replace((items) => [...items, { text: text.trim() }]).then(
        () => setText(''),
        () => undefined,
      )
  }
  return (
    <Stack gap="xs">
      {task.checklist.map((item) => (
        <Group key={item.id} gap="xs" wrap="nowrap">
          <Checkbox
            label={item.text}
            checked={item.done}
            disabled={!mayChange}
            onChange={({ currentTarget }) => tick.mutate({ params: { taskId: task.id, itemId: item.id }, body: { done: currentTarget.checked } })}
          />
          {mayChange && (
            <CloseButton
              size="xs"
              aria-label={`Remove ${item.text}`}
              onClick={() => void replace((items) => items.filter((other) => other.id !== item.id)).catch(() => undefined)}
            />
          )}
        </Group>
      ))}
      {mayChange && (
        <form onSubmit={add}>
          <Group gap="xs">
            <TextInput
              size="xs"
              aria-label="New item"
              placeholder="Add an item"
              maxLength={500}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
            <Button type="submit" size="xs" variant="default" disabled={!text.trim()} loading={update.isPending}>
              Add
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  )
}
