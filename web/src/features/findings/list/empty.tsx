import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { IconFlag } from '../../../ui/icons.tsx'
import { IconTrash } from '../../../ui/page-icons.tsx'

export const FirstFinding = ({ action }: { action: ReactNode }) => (
  <EmptyState icon={<IconFlag size={32} stroke={1.4} />} title="No findings yet" action={action}>
    A finding is what the client reads: one root cause, its texts, and every affected asset. Write one, or select
    results and make a finding of them.
  </EmptyState>
)

export const NothingMatches = ({ onShowAll }: { onShowAll: () => void }) => (
  <EmptyState
    title="No finding matches these filters"
    action={
      <Button variant="default" onClick={onShowAll}>
        Show all
      </Button>
    }
  />
)

export const EmptyTrash = () => (
  <EmptyState icon={<IconTrash size={32} stroke={1.4} />} title="The trash is empty">
    Deleted findings stay here for 30 days.
  </EmptyState>
)
