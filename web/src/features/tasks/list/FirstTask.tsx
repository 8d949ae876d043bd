import { Button } from '@mantine/core'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { IconListCheck } from '../../../ui/icons.tsx'

/** @param onCreate absent: the user cannot create tasks here */
export const FirstTask = ({ coverage, onCreate }: { coverage: string; onCreate?: () => void }) => (
  <EmptyState
    icon={<IconListCheck size={32} stroke={1.4} />}
    title="No tasks yet"
    action={
      onCreate && (
        <>
          <Button onClick={onCreate}>Create the first task</Button>
          <ButtonLink to={coverage} variant="default">
            Create tasks from a methodology
          </ButtonLink>
        </>
      )
    }
  >
    A task states what to do, by whom and by when. Move cards between columns: drag them, use their menu, or hold Alt
    with an arrow key. Press C to create one from anywhere on this page. A methodology creates one for each check on
    each target.
  </EmptyState>
)
