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
          <Button onClick={onCreate}>Write the first task</Button>
          <ButtonLink to={coverage} variant="default">
            Make tasks of a methodology
          </ButtonLink>
        </>
      )
    }
  >
    A task says what is to be done, by whom and until when. Cards move between columns as work goes on: drag them, use their menu, or hold Alt with an arrow
    key. C writes one from anywhere on this page. A methodology makes one for each thing to check on each target.
  </EmptyState>
)
