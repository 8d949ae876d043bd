import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import type { FindingRow } from '../../../domain/finding-words.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import type { GridRows } from '../../../ui/grid/rows/use-rows.ts'
import { toastError } from '../../../ui/toasts/toast.ts'

export type Side = 'before' | 'after'

export interface Reorder {
  /** What was moved last, for screen readers. */
  announced: string
  move: (finding: FindingRow, side: Side, other: FindingRow) => void
  /** The list with every move that the server has not confirmed yet. */
  arrange: (list: GridRows<FindingRow>) => GridRows<FindingRow>
}

interface Move {
  params: { findingId: string }
  body: { beforeId: string } | { afterId: string }
}

/**
 * Moves findings of an engagement next to each other. The rows move at once; a refusal moves them back. A read between
 * two moves has the first one only, so moves are applied to whatever is read until a read after them has arrived.
 */
export const useReorder = (engagementId: string): Reorder => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const [announced, setAnnounced] = useState('')
  const [moves, setMoves] = useState<readonly Move[]>([])
  const settle = async (move: Move) => {
    await cache.invalidateQueries({ queryKey: [id, 'listFindings'] })
    setMoves((all) => all.filter((other) => other !== move))
  }
  const mutation = useApiMutation(id, 'moveFinding', {
    inOrder: `finding-order/${engagementId}`,
    onSuccess: (_, move) => void settle(move as Move),
    onError: (error, move) => {
      toastError(messageOf(error))
      void settle(move as Move)
    },
  })
  const move = (finding: FindingRow, side: Side, other: FindingRow) => {
    if (finding.id === other.id) return
    const wanted: Move = {
      params: { findingId: finding.id },
      body: side === 'before' ? { beforeId: other.id } : { afterId: other.id },
    }
    setMoves((all) => [...all, wanted])
    setAnnounced(`${finding.title} was moved ${side} ${other.title}.`)
    mutation.mutate(wanted)
  }
  const arrange = (list: GridRows<FindingRow>) =>
    moves.length === 0 ? list : { ...list, rows: moves.reduce(withMoved, list.rows) }
  return { announced, move, arrange }
}

const withMoved = (rows: readonly FindingRow[], { params, body }: Move): FindingRow[] => {
  const moved = rows.find(({ id }) => id === params.findingId)
  const others = rows.filter(({ id }) => id !== params.findingId)
  const otherId = 'beforeId' in body ? body.beforeId : body.afterId
  const place = others.findIndex(({ id }) => id === otherId)
  if (!moved || place < 0) return [...rows]
  return others.toSpliced('beforeId' in body ? place : place + 1, 0, moved)
}
