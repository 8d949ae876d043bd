import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, patchCached, useApiMutation } from '../../../api/api.ts'
import type { FindingRow } from '../../../domain/finding-words.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'

export type Side = 'before' | 'after'

export interface Reorder {
  /** What was moved last, for screen readers. */
  announced: string
  move: (finding: FindingRow, side: Side, other: FindingRow) => void
}

/** Moves findings of an engagement next to each other. The rows move at once; a refusal moves them back. */
export const useReorder = (engagementId: string): Reorder => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const [announced, setAnnounced] = useState('')
  const mutation = useApiMutation(id, 'moveFinding', {
    inOrder: `finding-order/${engagementId}`,
    onSuccess: () => void cache.invalidateQueries({ queryKey: [id, 'listFindings'] }),
    onError: (error) => {
      toastError(messageOf(error))
      void cache.invalidateQueries({ queryKey: [id, 'listFindings'] })
    },
  })
  const move = (finding: FindingRow, side: Side, other: FindingRow) => {
    if (finding.id === other.id) return
    void cache.cancelQueries({ queryKey: [id, 'listFindings'] })
    // A list that is read by windows has its rows in pages.
    patchCached(
      cache,
      id,
      'listFindings',
      (list) => withMoved(list as unknown as Windows, finding, side, other.id) as never,
    )
    setAnnounced(`${finding.title} was moved ${side} ${other.title}.`)
    mutation.mutate({
      params: { findingId: finding.id },
      body: side === 'before' ? { beforeId: other.id } : { afterId: other.id },
    })
  }
  return { announced, move }
}

interface Windows {
  pages?: readonly { data: readonly FindingRow[] }[]
}

const withMoved = (list: Windows, finding: FindingRow, side: Side, otherId: string): Windows => {
  if (!list.pages) return list
  const rows = list.pages.flatMap(({ data }) => data)
  if (!rows.some(({ id }) => id === finding.id)) return list
  const others = rows.filter(({ id }) => id !== finding.id)
  const place = others.findIndex(({ id }) => id === otherId)
  if (place < 0) return list
  const moved = others.toSpliced(side === 'before' ? place : place + 1, 0, finding)
  let start = 0
  return {
    ...list,
    pages: list.pages.map((page) => {
      const data = moved.slice(start, start + page.data.length)
      start += page.data.length
      return { ...page, data }
    }),
  }
}
