import { Button } from '@mantine/core'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { EmptyState } from '../../../../ui/feedback/EmptyState.tsx'
import { Markdown } from '../../../../ui/text/Markdown.tsx'

/** The description; without one, what belongs there. @param onEdit absent for those who may not change it */
export const Description = ({ onEdit }: { onEdit: (() => void) | undefined }) => {
  const { description } = useEngagement().engagement
  if (description) return <Markdown text={description} />
  return (
    <EmptyState
      title="No description yet"
      action={
        onEdit && (
          <Button variant="default" onClick={onEdit}>
            Add a description
          </Button>
        )
      }
    >
      Scope, rules of engagement, contacts: everything the team must know.
    </EmptyState>
  )
}
